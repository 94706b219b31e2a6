public import TouchModel

/// How far from the middle of what it hit a finger landed.
public struct TapOffset: Equatable, Sendable {
  /// What it hit, by a number.
  public var target: Int32
  /// From the middle, in points of the screen.
  public var offset: Point

  /// A landing so far off.
  public init(target: Int32, offset: Point) {
    self.target = target
    self.offset = offset
  }
}
