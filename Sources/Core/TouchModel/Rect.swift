/// An upright rectangle, in points: half-open, so that neighbours share no point (rule H3).
public struct Rect: Equatable, Hashable, Sendable, BitwiseCopyable {
  /// The left edge, which belongs to the rectangle.
  public var x: Double
  /// The top edge, which belongs to the rectangle.
  public var y: Double
  /// The horizontal extent; the right edge, x + width, does not belong to the rectangle.
  public var width: Double
  /// The vertical extent; the bottom edge, y + height, does not belong to the rectangle.
  public var height: Double

  /// The rectangle at the origin without extent.
  public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  /// The rectangle whose top left corner is (x, y).
  @inlinable
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The right edge, which does not belong to the rectangle.
  @inlinable
  public var maxX: Double { x + width }

  /// The bottom edge, which does not belong to the rectangle.
  @inlinable
  public var maxY: Double { y + height }

  /// The point in the middle.
  @inlinable
  public var center: Point { Point(x: x + width / 2, y: y + height / 2) }

  /// Whether all four numbers are finite.
  public var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }

  /// Whether the point lies inside: `x <= p.x < maxX`, `y <= p.y < maxY`. Rule H3.
  @inlinable
  public func contains(_ point: Point) -> Bool {
    point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
  }
}
