import CTouchroute
import Layout
import TouchModel

/// How numbers and places are written for people.
enum Text {
  /// A number with at most two decimals, and none that say nothing: `12`, `12.5`, `-0.33`.
  static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
    let hundredths = Int((abs(value) * 100).rounded())
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    var text = value < 0 && hundredths > 0 ? "-\(whole)" : "\(whole)"
    if rest > 0 { text += rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)" }
    return text
  }

  /// `(12, 40.5)`.
  static func point(_ point: Point) -> String { "(\(number(point.x)), \(number(point.y)))" }

  /// `800x480 at (0, 8)`.
  static func rect(_ rect: Rect) -> String {
    "\(number(rect.width))x\(number(rect.height)) at \(point(Point(x: rect.x, y: rect.y)))"
  }
}

extension Text {
  /// `outset 10`, or its four edges in the configuration's order.
  static func outset(_ outset: Outset) -> String {
    let edges = [outset.top, outset.left, outset.bottom, outset.right]
    if edges.allSatisfy({ $0 == outset.top }) { return "outset \(number(outset.top))" }
    return "outset [\(edges.map(number).joined(separator: ", "))]"
  }

  /// `moved (4, 0)`, or the matrix where it is more than that.
  static func transform(_ transform: AffineTransform) -> String {
    if transform.a == 1, transform.b == 0, transform.c == 0, transform.d == 1 {
      return "moved \(point(Point(x: transform.tx, y: transform.ty)))"
    }
    let numbers = [
      transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty,
    ]
    return "transform [\(numbers.map(number).joined(separator: ", "))]"
  }

  /// Nil for a plain rectangle.
  static func shape(_ shape: Shape) -> String? {
    switch shape {
    case .rect: nil
    case .rounded(let radius): "round corners of \(number(radius))"
    case .ellipse: "ellipse"
    case .polygon(let points): "polygon of \(points.count) points"
    }
  }
}

extension Text {
  /// A reason for people; for scripts it is `word`. The corresponding C function is
  /// touchroute_cancel_reason_name.
  static func words(_ reason: CancelReason) -> String {
    String(cString: touchroute_cancel_reason_name(UInt32(reason.rawValue)))
  }

  /// A moment in seconds, to the millisecond.
  static func seconds(_ time: Timestamp) -> String {
    let milliseconds = time.microseconds / 1000
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }

  /// `3 d 4 h`, `12 min`, `8 s`.
  static func duration(seconds: UInt64) -> String {
    if seconds >= 86_400 { return "\(seconds / 86_400) d \(seconds % 86_400 / 3600) h" }
    if seconds >= 3600 { return "\(seconds / 3600) h \(seconds % 3600 / 60) min" }
    return seconds >= 60 ? "\(seconds / 60) min" : "\(seconds) s"
  }

  /// `1 view`, `2 views`.
  static func count(
    _ number: some BinaryInteger, _ noun: String, _ nouns: String? = nil
  ) -> String {
    "\(number) \(number == 1 ? noun : nouns ?? "\(noun)s")"
  }

  /// Four hexadecimal digits.
  static func hexadecimal(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
