package import TouchModel

/// How numbers, points and shapes are written for people.
package enum Text {
  /// A number with at most two decimals, and none that say nothing: `12`, `12.5`, `-0.33`.
  package static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
    let hundredths = Int((abs(value) * 100).rounded())
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    var text = value < 0 && hundredths > 0 ? "-\(whole)" : "\(whole)"
    if rest > 0 { text += rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)" }
    return text
  }

  /// `(12, 40.5)`.
  package static func point(_ point: Point) -> String { "(\(number(point.x)), \(number(point.y)))" }

  /// `800x480 at (0, 8)`.
  package static func rect(_ rect: Rect) -> String {
    "\(number(rect.width))x\(number(rect.height)) at \(point(Point(x: rect.x, y: rect.y)))"
  }
}

extension Text {
  /// `outset 10`, or its four edges in the configuration's order.
  package static func outset(_ outset: Outset) -> String {
    let edges = [outset.top, outset.left, outset.bottom, outset.right]
    if edges.allSatisfy({ $0 == outset.top }) { return "outset \(number(outset.top))" }
    return "outset [\(edges.map(number).joined(separator: ", "))]"
  }

  /// `moved (4, 0)`, or the matrix where it is more than that.
  package static func transform(_ transform: AffineTransform) -> String {
    if transform.a == 1, transform.b == 0, transform.c == 0, transform.d == 1 {
      return "moved \(point(Point(x: transform.tx, y: transform.ty)))"
    }
    let numbers = [
      transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty,
    ]
    return "transform [\(numbers.map(number).joined(separator: ", "))]"
  }

  /// Nil for a plain rectangle.
  package static func shape(_ shape: Shape) -> String? {
    switch shape {
    case .rect: nil
    case .rounded(let radius): "round corners of \(number(radius))"
    case .ellipse: "ellipse"
    case .polygon(let points): "polygon of \(points.count) points"
    }
  }
}
