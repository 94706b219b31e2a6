import Layout
import TouchModel

/// A closed outline of lines and cubic curves, in any coordinates.
struct SVGPath {
  enum Segment {
    case line(Point)
    case curve(Point, Point, Point)
  }

  var start: Point
  var segments: [Segment]
  /// Whether every line between two of its points stays inside.
  var isConvex = true

  /// A rectangle; with radii, one with round corners.
  init(_ rect: Rect, rx: Double = 0, ry: Double = 0) {
    let (x0, y0, x1, y1) = (rect.x, rect.y, rect.maxX, rect.maxY)
    guard rx > 0, ry > 0 else {
      start = Point(x: x0, y: y0)
      segments = [
        .line(Point(x: x1, y: y0)), .line(Point(x: x1, y: y1)), .line(Point(x: x0, y: y1)),
      ]
      return
    }
    // How far the control points of a quarter of a circle of radius 1 lie from its ends.
    let kappa = 0.5522847498
    func point(_ x: Double, _ y: Double) -> Point { Point(x: x, y: y) }
    let (kx, ky) = (rx * (1 - kappa), ry * (1 - kappa))
    start = point(x0 + rx, y0)
    segments = [
      .line(point(x1 - rx, y0)),
      .curve(point(x1 - kx, y0), point(x1, y0 + ky), point(x1, y0 + ry)),
      .line(point(x1, y1 - ry)),
      .curve(point(x1, y1 - ky), point(x1 - kx, y1), point(x1 - rx, y1)),
      .line(point(x0 + rx, y1)),
      .curve(point(x0 + kx, y1), point(x0, y1 - ky), point(x0, y1 - ry)),
      .line(point(x0, y0 + ry)),
      .curve(point(x0, y0 + ky), point(x0 + kx, y0), point(x0 + rx, y0)),
    ]
  }

  /// Where a view of that shape is touchable, in its own coordinates; nil where it is nowhere.
  /// Rules H3 and H4.
  init?(_ shape: Shape, bounds: Rect, outset: Outset) {
    let grown = Rect(
      x: bounds.x - outset.left, y: bounds.y - outset.top,
      width: bounds.width + outset.left + outset.right,
      height: bounds.height + outset.top + outset.bottom)
    guard grown.width > 0, grown.height > 0 else { return nil }
    switch shape {
    case .rect:
      self.init(grown)
    case .rounded(let radius):
      let radius = min(radius, grown.width / 2, grown.height / 2)
      self.init(grown, rx: radius, ry: radius)
    case .ellipse:
      self.init(grown, rx: grown.width / 2, ry: grown.height / 2)
    case .polygon(let points):
      guard bounds.width > 0, bounds.height > 0, let first = points.first else { return nil }
      func stretched(_ point: Point) -> Point {
        Point(
          x: grown.x + point.x * (grown.width / bounds.width),
          y: grown.y + point.y * (grown.height / bounds.height))
      }
      self.init(grown)
      start = stretched(first)
      segments = points.dropFirst().map { .line(stretched($0)) }
      isConvex = false
    }
  }

  /// Its image.
  func applying(_ transform: AffineTransform) -> SVGPath {
    var path = self
    path.start = transform.apply(start)
    path.segments = segments.map { segment in
      switch segment {
      case .line(let end): .line(transform.apply(end))
      case .curve(let first, let second, let end):
        .curve(transform.apply(first), transform.apply(second), transform.apply(end))
      }
    }
    return path
  }

  /// What stands in a path's `d`.
  var data: String {
    func text(_ point: Point) -> String { "\(Text.number(point.x)) \(Text.number(point.y))" }
    let rest = segments.map { segment in
      switch segment {
      case .line(let end): "L\(text(end))"
      case .curve(let first, let second, let end):
        "C\(text(first)) \(text(second)) \(text(end))"
      }
    }
    return "M\(text(start))\(rest.joined())Z"
  }

  /// Its corners, with eight points on each curve.
  var corners: [Point] {
    var corners = [start]
    for segment in segments {
      switch segment {
      case .line(let end): corners.append(end)
      case .curve(let first, let second, let end):
        let from = corners[corners.count - 1]
        for step in 1...8 {
          let t = Double(step) / 8
          let s = 1 - t
          func value(_ part: (Point) -> Double) -> Double {
            s * s * (s * part(from) + 3 * t * part(first))
              + t * t * (3 * s * part(second) + t * part(end))
          }
          corners.append(Point(x: value(\.x), y: value(\.y)))
        }
      }
    }
    return corners
  }

  /// The smallest upright rectangle around its corners.
  var box: Rect {
    let corners = corners
    let x0 = corners.reduce(.infinity) { min($0, $1.x) }
    let y0 = corners.reduce(.infinity) { min($0, $1.y) }
    let x1 = corners.reduce(-.infinity) { max($0, $1.x) }
    let y1 = corners.reduce(-.infinity) { max($0, $1.y) }
    return Rect(x: x0, y: y0, width: x1 - x0, height: y1 - y0)
  }
}
