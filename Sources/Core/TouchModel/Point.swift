/// A point, or a displacement, in points of the coordinate space that its user names; y grows
/// downwards.
public struct Point: Equatable, Hashable, Sendable, BitwiseCopyable {
  /// The horizontal coordinate, in points.
  public var x: Double
  /// The vertical coordinate, in points, downwards.
  public var y: Double

  /// The point (0, 0).
  public static let zero = Point(x: 0, y: 0)

  /// The point (x, y).
  @inlinable
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Whether both coordinates are finite numbers.
  @inlinable
  public var isFinite: Bool { x.isFinite && y.isFinite }

  /// The straight distance to another point of the same space, in points.
  public func distance(to other: Point) -> Double {
    let dx = other.x - x
    let dy = other.y - y
    return (dx * dx + dy * dy).squareRoot()
  }
}
