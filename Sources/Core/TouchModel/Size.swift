/// A width and a height, in points.
public struct Size: Equatable, Hashable, Sendable {
  /// The horizontal extent, in points.
  public var width: Double
  /// The vertical extent, in points.
  public var height: Double

  /// The size width by height.
  @inlinable
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}
