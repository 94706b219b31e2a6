import TouchModel

/// Where a view itself is touchable, in its own coordinates: its bounds grown by the outset, refined
/// by the shape. Rules H3 and H4.
struct TouchRegion {
  /// The grown bounds as edges: left and top belong to them, right and bottom do not.
  var x0: Double
  var y0: Double
  var x1: Double
  var y1: Double
  /// The bounds that the shape is given for.
  var bounds: Rect
  var shape: Shape

  init(bounds: Rect, outset: Outset, shape: Shape) {
    self.bounds = bounds
    self.shape = shape
    x0 = bounds.x - outset.left
    y0 = bounds.y - outset.top
    x1 = bounds.maxX + outset.right
    y1 = bounds.maxY + outset.bottom
  }

  func contains(_ point: Point) -> Bool {
    guard point.x >= x0, point.x < x1, point.y >= y0, point.y < y1 else { return false }
    switch shape {
    case .rect: return true
    case .rounded(let radius): return isInRoundedRect(point, radius: radius)
    case .ellipse: return isInEllipse(point)
    case .polygon(let points): return isInPolygon(point, points)
    }
  }

  /// The radius is kept where the bounds grow, but is at most half of the shorter side.
  private func isInRoundedRect(_ point: Point, radius: Double) -> Bool {
    let radius = min(radius, (x1 - x0) / 2, (y1 - y0) / 2)
    let dx = max(x0 + radius - point.x, point.x - (x1 - radius))
    let dy = max(y0 + radius - point.y, point.y - (y1 - radius))
    if dx <= 0 || dy <= 0 { return true }
    return dx * dx + dy * dy <= radius * radius
  }

  private func isInEllipse(_ point: Point) -> Bool {
    let rx = (x1 - x0) / 2
    let ry = (y1 - y0) / 2
    let dx = (point.x - (x0 + x1) / 2) * ry
    let dy = (point.y - (y0 + y1) / 2) * rx
    return dx * dx + dy * dy <= (rx * ry) * (rx * ry)
  }

  /// The polygon is given for the bounds and stretched with them: the point is taken back instead.
  private func isInPolygon(_ point: Point, _ points: [Point]) -> Bool {
    guard bounds.width > 0, bounds.height > 0 else { return false }
    let x = (point.x - x0) * (bounds.width / (x1 - x0))
    let y = (point.y - y0) * (bounds.height / (y1 - y0))
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

extension Layout {
  /// Where a view itself is touchable.
  func touchRegion(of index: ViewIndex) -> TouchRegion {
    let view = views[index]
    let extras = extras(of: view)
    return TouchRegion(bounds: bounds(of: index), outset: extras.outset, shape: extras.shape)
  }
}
