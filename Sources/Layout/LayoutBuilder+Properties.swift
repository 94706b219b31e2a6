import TouchModel

extension LayoutBuilder {
  /// A node's numbers: finite, within limits, and what each property asks of them.
  mutating func checkProperties(of node: Int32) {
    let subject = subject(of: node)
    let view = properties(of: node)
    let frame = view.frame
    for (name, length) in [
      ("x", frame.x), ("y", frame.y), ("width", frame.width), ("height", frame.height),
    ] where !(length.points.isFinite && length.fraction.isFinite) {
      report(subject, "frame", "\(name) is not a finite number")
    }
    checkFinite([view.boundsOrigin.x, view.boundsOrigin.y], subject, "bounds_origin")
    if !(view.alpha >= 0 && view.alpha <= 1) {
      report(subject, "alpha", "\(view.alpha) is not from 0 to 1")
    }
    let outset = view.outset
    checkFinite([outset.top, outset.left, outset.bottom, outset.right], subject, "outset")
    if view.transform != .identity { check(view.transform, subject) }
    check(view.shape, subject)
    if let controller = view.controller {
      checkName(controller, "controller", subject, "controller")
    }
  }

  @discardableResult
  private mutating func checkFinite(
    _ numbers: [Double], _ subject: Problem.Subject, _ key: String
  ) -> Bool {
    for number in numbers {
      guard number.isFinite else {
        report(subject, key, "\(number) is not a finite number")
        return false
      }
      guard checkMagnitude(number, subject, key) else { return false }
    }
    return true
  }

  private mutating func check(_ transform: AffineTransform, _ subject: Problem.Subject) {
    func numbers(_ transform: AffineTransform) -> [Double] {
      [transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty]
    }
    guard checkFinite(numbers(transform), subject, "transform") else { return }
    guard let inverse = transform.inverted(), inverse.determinant != 0,
      numbers(inverse).allSatisfy({ abs($0) <= limits.coordinate })
    else {
      report(subject, "transform", "the transform can't be inverted")
      return
    }
  }

  private mutating func check(_ shape: Shape, _ subject: Problem.Subject) {
    switch shape {
    case .rect, .ellipse:
      break
    case .rounded(let radius):
      if !radius.isFinite || radius < 0 {
        report(subject, "shape", "the radius \(radius) is not a finite number of 0 or more")
      } else {
        checkMagnitude(radius, subject, "shape")
      }
    case .polygon(let points):
      if points.count < 3 {
        report(subject, "shape", "a polygon has at least 3 points, not \(points.count)")
      } else if points.count > limits.polygonPoints {
        report(
          subject, "shape",
          "a polygon of \(points.count) points is beyond the limit `polygon_points` of "
            + "\(limits.polygonPoints)")
      } else {
        checkFinite(points.flatMap { [$0.x, $0.y] }, subject, "shape")
      }
    }
  }
}
