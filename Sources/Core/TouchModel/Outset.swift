/// How far a view's touchable region reaches beyond its bounds, in points; negative shrinks. Rule
/// H3.
public struct Outset: Equatable, Sendable {
  /// Beyond the top edge.
  public var top: Double
  /// Beyond the left edge.
  public var left: Double
  /// Beyond the bottom edge.
  public var bottom: Double
  /// Beyond the right edge.
  public var right: Double

  /// No outset.
  public static let zero = Outset(top: 0, left: 0, bottom: 0, right: 0)

  /// An outset of four numbers.
  public init(top: Double, left: Double, bottom: Double, right: Double) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// The same outset at every edge.
  public init(_ all: Double) { self.init(top: all, left: all, bottom: all, right: all) }
}
