import TouchModel

/// What the properties of a window or view must be, each for itself: finite, within limits, and
/// what each asks beside.
struct PropertyRules: Sendable {
  /// A key and what is wrong with its value.
  typealias Breach = (key: String, message: String)

  private let limits: LayoutLimits
  private var breaches: [Breach] = []

  /// What is wrong with the properties.
  static func breaches(_ view: ViewProperties, _ limits: LayoutLimits) -> [Breach] {
    var rules = PropertyRules(limits: limits)
    rules.check(view)
    return rules.breaches
  }

  private init(limits: LayoutLimits) {
    self.limits = limits
  }

  private mutating func check(_ view: ViewProperties) {
    let frame = view.frame
    for (name, length) in [
      ("x", frame.x), ("y", frame.y), ("width", frame.width), ("height", frame.height),
    ] where !(length.points.isFinite && length.fraction.isFinite) {
      breaches.append(("frame", "\(name) is not a finite number"))
    }
    if view.isPlain { return }
    checkFinite([view.boundsOrigin.x, view.boundsOrigin.y], "bounds_origin")
    if !(view.alpha >= 0 && view.alpha <= 1) {
      breaches.append(("alpha", "\(view.alpha) is not from 0 to 1"))
    }
    let outset = view.outset
    checkFinite([outset.top, outset.left, outset.bottom, outset.right], "outset")
    if view.transform != .identity { check(view.transform) }
    check(view.shape)
    for kind in ViewChange.Property.Kind.texts { check(kind, of: view) }
    if let controller = view.controller,
      let message = limits.problem(withName: controller, of: "controller")
    {
      breaches.append(("controller", message))
    }
  }

  private mutating func check(_ kind: ViewChange.Property.Kind, of view: ViewProperties) {
    guard case .text(let text)? = view.property(kind)?.value,
      case .text(let rule, _) = kind.declaration.form,
      let problem = rule.problem(with: text)
    else { return }
    breaches.append((kind.name, problem))
  }

  @discardableResult
  private mutating func checkFinite(_ numbers: [Double], _ key: String) -> Bool {
    for number in numbers {
      let message =
        number.isFinite
        ? limits.problem(withMagnitudeOf: number) : "\(number) is not a finite number"
      guard let message else { continue }
      breaches.append((key, message))
      return false
    }
    return true
  }

  private mutating func check(_ transform: AffineTransform) {
    func numbers(_ transform: AffineTransform) -> [Double] {
      [transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty]
    }
    guard checkFinite(numbers(transform), "transform") else { return }
    guard let inverse = transform.inverted(), inverse.determinant != 0,
      numbers(inverse).allSatisfy({ abs($0) <= limits.coordinate })
    else {
      breaches.append(("transform", "the transform can't be inverted"))
      return
    }
  }

  private mutating func check(_ shape: Shape) {
    switch shape {
    case .rect, .ellipse:
      break
    case .rounded(let radius):
      let message =
        !radius.isFinite || radius < 0
        ? "the radius \(radius) is not a finite number of 0 or more"
        : limits.problem(withMagnitudeOf: radius)
      if let message { breaches.append(("shape", message)) }
    case .polygon(let points):
      if points.count < 3 {
        breaches.append(("shape", "a polygon has at least 3 points, not \(points.count)"))
      } else if points.count > limits.polygonPoints {
        breaches.append(
          (
            "shape",
            "a polygon of \(points.count) points is beyond the limit `polygon_points` of "
              + "\(limits.polygonPoints)"
          ))
      } else {
        checkFinite(points.flatMap { [$0.x, $0.y] }, "shape")
      }
    }
  }
}
