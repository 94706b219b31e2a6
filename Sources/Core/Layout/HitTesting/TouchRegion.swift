import TouchModel

/// Where a view itself is touchable, in its own coordinates: its bounds grown by the outset,
/// refined by the shape. Rules H3 and H4.
struct TouchRegion {
  /// The grown bounds.
  var edges: Edges
  /// The bounds that the shape is given for.
  var bounds: Rect
  var shape: Shape

  init(bounds: Rect, outset: Outset, shape: Shape) {
    self.bounds = bounds
    self.shape = shape
    edges = Edges(
      x0: bounds.x - outset.left, y0: bounds.y - outset.top,
      x1: bounds.maxX + outset.right, y1: bounds.maxY + outset.bottom)
  }

  func contains(_ point: Point) -> Bool {
    guard edges.contains(point) else { return false }
    switch shape {
    case .rect: return true
    case .rounded(let radius): return isInRoundedRect(point, radius: radius)
    case .ellipse: return isInEllipse(point)
    case .polygon(let points): return isInPolygon(point, points)
    }
  }

  /// The radius is kept where the bounds grow, but is at most half of the shorter side.
  private func isInRoundedRect(_ point: Point, radius: Double) -> Bool {
    let radius = min(radius, (edges.x1 - edges.x0) / 2, (edges.y1 - edges.y0) / 2)
    let dx = max(edges.x0 + radius - point.x, point.x - (edges.x1 - radius))
    let dy = max(edges.y0 + radius - point.y, point.y - (edges.y1 - radius))
    if dx <= 0 || dy <= 0 { return true }
    return dx * dx + dy * dy <= radius * radius
  }

  private func isInEllipse(_ point: Point) -> Bool {
    let rx = (edges.x1 - edges.x0) / 2
    let ry = (edges.y1 - edges.y0) / 2
    let dx = (point.x - (edges.x0 + edges.x1) / 2) * ry
    let dy = (point.y - (edges.y0 + edges.y1) / 2) * rx
    return dx * dx + dy * dy <= (rx * ry) * (rx * ry)
  }

  /// The polygon is given for the bounds and stretched with them: the point is taken back instead.
  private func isInPolygon(_ point: Point, _ points: [Point]) -> Bool {
    guard bounds.width > 0, bounds.height > 0 else { return false }
    let x = (point.x - edges.x0) * (bounds.width / (edges.x1 - edges.x0))
    let y = (point.y - edges.y0) * (bounds.height / (edges.y1 - edges.y0))
    var isInside = false
    var previous = points[points.count - 1]
    for next in points {
      let cross =
        (next.x - previous.x) * (y - previous.y) - (next.y - previous.y) * (x - previous.x)
      if cross == 0, x >= min(previous.x, next.x), x <= max(previous.x, next.x),
        y >= min(previous.y, next.y), y <= max(previous.y, next.y)
      {
        return true
      }
      // An edge that goes down past the point's height has it on its left where cross > 0.
      if (previous.y <= y) != (next.y <= y), (cross > 0) == (next.y > previous.y) {
        isInside.toggle()
      }
      previous = next
    }
    return isInside
  }
}
