import TouchModel

/// An upright rectangle by its edges: left and top belong to it, right and bottom do not. Unlike a
/// ``Rect`` it may be unbounded, and no edge is the sum of two numbers.
struct Edges: Equatable, Sendable {
  var x0: Double
  var y0: Double
  var x1: Double
  var y1: Double

  /// The whole plane.
  static let unbounded = Edges(x0: -.infinity, y0: -.infinity, x1: .infinity, y1: .infinity)

  var isEmpty: Bool { !(x0 < x1 && y0 < y1) }

  var isFinite: Bool { x0.isFinite && y0.isFinite && x1.isFinite && y1.isFinite }

  func contains(_ point: Point) -> Bool {
    point.x >= x0 && point.x < x1 && point.y >= y0 && point.y < y1
  }

  func intersection(_ other: Edges) -> Edges {
    Edges(
      x0: max(x0, other.x0), y0: max(y0, other.y0),
      x1: min(x1, other.x1), y1: min(y1, other.y1))
  }

  func union(_ other: Edges) -> Edges {
    Edges(
      x0: min(x0, other.x0), y0: min(y0, other.y0),
      x1: max(x1, other.x1), y1: max(y1, other.y1))
  }
}
