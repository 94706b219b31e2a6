import TouchModel

/// Resolves one view of a description at a time: its frame, its flags, and what few views have.
struct ViewResolver {
  let limits: LayoutLimits
  private(set) var problems = LayoutProblems()

  init(_ limits: LayoutLimits) { self.limits = limits }

  mutating func report(_ node: Int32, of nodes: LayoutNodes, _ key: String, _ message: String) {
    problems.report(nodes.subject(of: node), key, message)
  }

  /// A frame in a superview of that size, or on a screen of that size for a window. What it can't
  /// be is a problem of the node.
  mutating func frame(
    _ frame: FrameDescription, in size: Size, of node: Int32, _ nodes: LayoutNodes
  ) -> Rect {
    let resolved = Rect(
      x: frame.x.resolved(in: size.width), y: frame.y.resolved(in: size.height),
      width: frame.width.resolved(in: size.width), height: frame.height.resolved(in: size.height))
    let limit = limits.coordinate
    let isWithin =
      abs(resolved.x) <= limit && abs(resolved.y) <= limit && resolved.width >= 0
      && resolved.width <= limit && resolved.height >= 0 && resolved.height <= limit
    if !isWithin { reportFrame(resolved, of: node, nodes) }
    return resolved
  }

  private mutating func reportFrame(_ resolved: Rect, of node: Int32, _ nodes: LayoutNodes) {
    for (name, number) in [
      ("x", resolved.x), ("y", resolved.y), ("width", resolved.width), ("height", resolved.height),
    ] where !(abs(number) <= limits.coordinate) {
      report(
        node, of: nodes, "frame",
        "\(name) is \(number) points, beyond the limit `coordinate` of \(limits.coordinate)")
    }
    for (name, extent) in [("width", resolved.width), ("height", resolved.height)] where extent < 0
    {
      report(node, of: nodes, "frame", "the \(name) is \(extent) points, below 0")
    }
  }

  /// What the properties say yes or no to, but for what is known of its subviews.
  static func flags(of properties: ViewProperties) -> Layout.ViewFlags {
    var flags: Layout.ViewFlags = []
    if properties.hidden { flags.insert(.hidden) }
    if !properties.interaction { flags.insert(.noInteraction) }
    if properties.hidden || !properties.interaction || properties.alpha <= 0.01 {
      flags.insert(.gated)
    }
    if properties.multipleTouch { flags.insert(.multipleTouch) }
    if properties.exclusiveTouch { flags.insert(.exclusiveTouch) }
    if properties.secure { flags.insert(.secure) }
    if !properties.transform.isTranslation { flags.insert(.hasTurnedViews) }
    return flags
  }

  /// What few views have; nil for the others.
  ///
  /// - Parameter indices: For each node the index of its view.
  static func extras(
    of node: Int32, _ properties: ViewProperties, _ nodes: LayoutNodes, indices: [Int32]
  ) -> Layout.ViewExtras? {
    let plain =
      properties.transform == .identity && properties.outset == .zero && properties.shape == .rect
      && properties.inside == .bounds && properties.hit == .standard
    if plain { return nil }
    func view(_ path: String) -> ViewIndex? {
      nodes.find(path, from: node).map { ViewIndex(indices[Int($0)]) }
    }
    var extras = Layout.ViewExtras()
    extras.transform = properties.transform
    extras.inverse = properties.transform.inverted() ?? .identity
    extras.outset = properties.outset
    extras.shape = properties.shape
    switch properties.inside {
    case .bounds: extras.inside = .bounds
    case .always: extras.inside = .always
    case .never: extras.inside = .never
    case .children([]): extras.inside = .anyChild
    case .children(let names): extras.inside = .children(names.compactMap(view))
    }
    switch properties.hit {
    case .standard: extras.hit = .standard
    case .itself: extras.hit = .itself
    case .none: extras.hit = .none
    case .passThrough: extras.hit = .passThrough
    case .redirect(let path): extras.hit = view(path).map { .redirect($0) } ?? .standard
    case .first(let path): extras.hit = view(path).map { .first($0) } ?? .standard
    }
    return extras
  }

  /// The transform of a view with those of its superviews, by which directions are turned and
  /// scaled. Transforms that can be inverted one by one may not be so together: a chain of them
  /// must leave every coordinate a finite number.
  mutating func chained(
    _ own: AffineTransform, with above: AffineTransform, of node: Int32, _ nodes: LayoutNodes
  ) -> AffineTransform {
    if own.isTranslation { return above }
    let transform = AffineTransform(a: own.a, b: own.b, c: own.c, d: own.d, tx: 0, ty: 0)
      .concatenating(above)
    let range = 1 / limits.coordinate...limits.coordinate
    let size = [transform.a, transform.b, transform.c, transform.d].map(abs).max() ?? 0
    if range.contains(size), range.contains(abs(transform.determinant).squareRoot()) {
      return transform
    }
    report(
      node, of: nodes, "transform",
      "with those of its superviews the transform can't be inverted")
    return .identity
  }
}

extension FrameDescription {
  /// Whether it depends on the superview's size.
  var isRelative: Bool {
    x.fraction != 0 || y.fraction != 0 || width.fraction != 0 || height.fraction != 0
  }
}
