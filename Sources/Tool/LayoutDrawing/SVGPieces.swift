import TouchModel

/// An area as convex polygons, to tell whether anything is left of it where it is cut. What is
/// drawn is the outline itself, not these.
struct SVGPieces {
  /// Convex, with their corners in the direction in which their area is positive.
  private(set) var polygons: [[Point]]

  /// More are not kept: what they cover then passes for covered by the rectangle around them.
  private static let limit = 256
  /// In square points: less is what rounding leaves.
  private static let least = 1e-6

  /// What the outlines cover together.
  init(_ paths: [SVGPath]) {
    polygons = paths.flatMap { path in
      path.isConvex ? [path.corners] : Self.slabs(of: path.corners)
    }
    polygons = polygons.map { Self.area($0) < 0 ? $0.reversed() : $0 }
  }

  private init(polygons: [[Point]]) { self.polygons = polygons }

  /// What stands in a path's `d`, for the rule nonzero.
  var data: String {
    polygons.map { corners in
      let points = corners.map { "\(Text.number($0.x)) \(Text.number($0.y))" }
      return "M\(points.joined(separator: "L"))Z"
    }.joined()
  }

  var isEmpty: Bool { polygons.isEmpty }

  /// In square points; what polygons share counts for each.
  var area: Double { polygons.reduce(0) { $0 + Self.area($1) } }

  /// What both cover.
  func intersection(_ other: SVGPieces) -> SVGPieces {
    var common: [[Point]] = []
    for polygon in polygons {
      for cutter in other.polygons {
        let rest = Self.cut(polygon, by: cutter)
        if Self.area(rest) > Self.least { common.append(rest) }
      }
    }
    guard common.count > Self.limit, let first = common.first?.first else {
      return SVGPieces(polygons: common)
    }
    var (x0, y0, x1, y1) = (first.x, first.y, first.x, first.y)
    for point in common.joined() {
      (x0, y0) = (min(x0, point.x), min(y0, point.y))
      (x1, y1) = (max(x1, point.x), max(y1, point.y))
    }
    return SVGPieces([SVGPath(Rect(x: x0, y: y0, width: x1 - x0, height: y1 - y0))])
  }

  /// Whether all of it lies in the other, which must be one polygon to be sure of it.
  func isWithin(_ other: SVGPieces) -> Bool {
    guard other.polygons.count == 1 else { return false }
    return area - intersection(other).area <= area * 1e-9 + Self.least
  }

  private static func area(_ polygon: [Point]) -> Double {
    guard var previous = polygon.last else { return 0 }
    var twice = 0.0
    for point in polygon {
      twice += previous.x * point.y - point.x * previous.y
      previous = point
    }
    return twice / 2
  }

  /// Sutherland and Hodgman's: what of a polygon lies on the inner side of each edge.
  private static func cut(_ polygon: [Point], by cutter: [Point]) -> [Point] {
    var rest = polygon
    for (index, end) in cutter.enumerated() {
      let start = cutter[index == 0 ? cutter.count - 1 : index - 1]
      func side(_ point: Point) -> Double {
        (end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x)
      }
      guard var previous = rest.last else { return [] }
      var kept: [Point] = []
      for point in rest {
        let (before, here) = (side(previous), side(point))
        if (before < 0) != (here < 0) {
          let share = before / (before - here)
          kept.append(
            Point(
              x: previous.x + share * (point.x - previous.x),
              y: previous.y + share * (point.y - previous.y)))
        }
        if here >= 0 { kept.append(point) }
        previous = point
      }
      rest = kept
    }
    return rest
  }

  /// A polygon by the even-odd rule as trapezoids between the heights of its corners and crossings.
  private static func slabs(of corners: [Point]) -> [[Point]] {
    let edges = corners.indices.map { (corners[$0], corners[($0 + 1) % corners.count]) }
    var heights = Set(corners.map(\.y))
    for (index, one) in edges.enumerated() {
      for other in edges[..<index] {
        if let height = crossing(one, other) { heights.insert(height) }
      }
    }
    let levels = heights.sorted()
    var trapezoids: [[Point]] = []
    for (top, bottom) in zip(levels, levels.dropFirst()) {
      let middle = (top + bottom) / 2
      let across = edges.filter { ($0.0.y <= middle) != ($0.1.y <= middle) }
        .sorted { x(of: $0, at: middle) < x(of: $1, at: middle) }
      for pair in stride(from: 0, to: across.count - 1, by: 2) {
        let (left, right) = (across[pair], across[pair + 1])
        trapezoids.append([
          Point(x: x(of: left, at: top), y: top), Point(x: x(of: right, at: top), y: top),
          Point(x: x(of: right, at: bottom), y: bottom),
          Point(x: x(of: left, at: bottom), y: bottom),
        ])
      }
    }
    return trapezoids
  }

  private static func x(of edge: (Point, Point), at height: Double) -> Double {
    let share = (height - edge.0.y) / (edge.1.y - edge.0.y)
    return edge.0.x + share * (edge.1.x - edge.0.x)
  }

  /// The height at which two edges cross; nil where they do not.
  private static func crossing(_ one: (Point, Point), _ other: (Point, Point)) -> Double? {
    let (dx, dy) = (one.1.x - one.0.x, one.1.y - one.0.y)
    let (ex, ey) = (other.1.x - other.0.x, other.1.y - other.0.y)
    let determinant = dx * ey - dy * ex
    guard determinant != 0 else { return nil }
    let (fx, fy) = (other.0.x - one.0.x, other.0.y - one.0.y)
    let t = (fx * ey - fy * ex) / determinant
    let s = (fx * dy - fy * dx) / determinant
    return t >= 0 && t <= 1 && s >= 0 && s <= 1 ? one.0.y + t * dy : nil
  }
}
