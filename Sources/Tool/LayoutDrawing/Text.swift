import Glibc
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

  /// As the configuration writes it: `rotate = -15, scale = 2`, or the matrix where it is none of
  /// a scale, a rotation and a translation, one after the other.
  package static func transform(_ transform: AffineTransform) -> String {
    guard let (degrees, x, y) = parts(of: transform) else {
      let numbers = [
        transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty,
      ]
      return "matrix = [\(numbers.map(number).joined(separator: ", "))]"
    }
    var words: [String] = []
    if number(degrees) != "0" { words.append("rotate = \(number(degrees))") }
    if number(x) != number(y) {
      words.append("scale = [\(number(x)), \(number(y))]")
    } else if number(x) != "1" {
      words.append("scale = \(number(x))")
    }
    if transform.tx != 0 || transform.ty != 0 {
      words.append("translate = [\(number(transform.tx)), \(number(transform.ty))]")
    }
    return words.joined(separator: ", ")
  }

  /// The angle clockwise and the factors that a transform is made of; nil where it is made of more,
  /// or what is left of it with two decimals says nothing.
  private static func parts(
    of transform: AffineTransform
  ) -> (degrees: Double, x: Double, y: Double)? {
    let (a, b, c, d) = (transform.a, transform.b, transform.c, transform.d)
    let isMirrored = b == 0 && c == 0 && (a < 0) != (d < 0)
    let degrees = isMirrored ? 0 : atan2(b, a) * 180 / .pi
    let x = isMirrored ? a : hypot(a, b)
    let y = isMirrored ? d : (a * d - b * c) / x
    let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    let pairs = [(a, x * cosine), (b, x * sine), (c, -y * sine), (d, y * cosine)]
    let isWhole = pairs.allSatisfy { abs($0 - $1) <= 1e-6 * max(1, abs(x), abs(y)) }
    return isWhole && abs(x) >= 0.01 && abs(y) >= 0.01 ? (degrees, x, y) : nil
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
