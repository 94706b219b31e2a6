import Glibc
import Layout
package import TouchModel

extension Field {
  /// x, y, width and height, each a number of points or a share of the superview.
  func frame() -> FrameDescription? {
    let lengths = array(["x", "y", "width", "height"], of: "numbers") { element, part -> Length? in
      if let points = element.number, points.isFinite { return Length(points: points) }
      if let text = element.string, let length = Length(text) { return length }
      refuse(
        "\(part) in \(name) must be a number or a share of the superview such as \"50%\" or "
          + "\"100%-40\", found \(element.summary)", at: element.location)
      return nil
    }
    guard let lengths else { return nil }
    return FrameDescription(
      x: lengths[0], y: lengths[1], width: lengths[2], height: lengths[3])
  }

  /// The degrees that something is mounted at.
  func rotation(of part: String) -> Screen.Rotation? {
    let degrees = value.integer.flatMap { UInt32(exactly: $0) }
    guard let rotation = degrees.flatMap({ Screen.Rotation(rawValue: $0) }) else {
      mustBe("0, 90, 180 or 270, the degrees clockwise that the \(part) is mounted at")
      return nil
    }
    return rotation
  }

  /// A number for all edges, or one each for top, left, bottom and right. Rule H3.
  func outset() -> Outset? {
    if let all = value.number, all.isFinite { return Outset(all) }
    guard value.kind == .array else {
      mustBe("a number, or four (top, left, bottom, right)")
      return nil
    }
    return numbers(["top", "left", "bottom", "right"]).map {
      Outset(top: $0[0], left: $0[1], bottom: $0[2], right: $0[3])
    }
  }

  /// `{ rotate, scale, translate }`, in degrees clockwise, factors and points: scaled first, then
  /// rotated, then translated; or `{ matrix }` in CGAffineTransform's order.
  func transform() -> AffineTransform? {
    guard let scope = table("a table of rotate, scale and translate, or of matrix") else {
      return nil
    }
    var matrix: AffineTransform?
    var matrixField: Field?
    var part: Field?
    var degrees = 0.0
    var scale = (x: 1.0, y: 1.0)
    var translation = Point.zero
    scope.read(known: TransformKey.names) { field in
      guard let key = TransformKey(rawValue: field.key) else { return false }
      switch key {
      case .matrix:
        matrixField = field
        matrix = field.numbers(["a", "b", "c", "d", "tx", "ty"]).map {
          AffineTransform(a: $0[0], b: $0[1], c: $0[2], d: $0[3], tx: $0[4], ty: $0[5])
        }
      case .rotate:
        degrees = field.number() ?? 0
        if !AffineTransform.angles.contains(degrees) {
          field.mustBe(AffineTransform.anglesInWords)
        }
      case .scale: scale = field.scale() ?? (1, 1)
      case .translate:
        translation = field.numbers(["x", "y"]).map { Point(x: $0[0], y: $0[1]) } ?? .zero
      }
      if key != .matrix { part = field }
      return true
    }
    if matrixField != nil, let part {
      part.refuse("\(part.name) and \(name).matrix can't be given together", at: part.keyLocation)
    }
    if matrixField != nil { return matrix }
    return AffineTransform(scaleX: scale.x, y: scale.y)
      .concatenating(AffineTransform(degreesClockwise: degrees))
      .concatenating(AffineTransform(translationX: translation.x, y: translation.y))
  }

  private func scale() -> (x: Double, y: Double)? {
    if let both = value.number, both.isFinite { return (both, both) }
    guard value.kind == .array else {
      mustBe("a number, or two (x, y)")
      return nil
    }
    return numbers(["x", "y"]).map { ($0[0], $0[1]) }
  }
}

extension AffineTransform {
  /// The angles that anybody means: a hundred turns either way, in degrees.
  package static let angles = -36_000.0...36_000
  /// What an angle is that is among ``angles``.
  package static let anglesInWords = "an angle from -36000 to 36000 degrees"

  /// A turn about the origin as its viewer sees it, y growing downwards; exact at quarter turns.
  package init(degreesClockwise degrees: Double) {
    let turn = degrees.remainder(dividingBy: 360)
    let (cosine, sine): (Double, Double) =
      switch turn {
      case 0: (1, 0)
      case 90: (0, 1)
      case -90: (0, -1)
      case 180, -180: (-1, 0)
      default: (cos(turn * .pi / 180), sin(turn * .pi / 180))
      }
    self.init(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
  }
}
