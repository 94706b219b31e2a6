/// A property of a window or view, or of a recognizer, as it is to be while the layout is in force.
public struct ViewChange: Equatable, Sendable {
  /// The window's or view's path, or the recognizer's: `home/list#scroll`. Rules L5 and G1.
  public var path: String
  /// What it is to be.
  public var property: Property

  /// A change of the window, view or recognizer at the path.
  public init(_ path: String, _ property: Property) {
    self.path = path
    self.property = property
  }

  /// Where a recognizer lies whose path this is: a view's path, or `screen:NAME`; nil where the
  /// path is no recognizer's.
  public var recognizerOwner: String? {
    path.utf8.lastIndex(of: UInt8(ascii: "#")).map { String(path[..<$0]) }
  }
}
