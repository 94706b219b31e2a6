import TouchModel

/// Lays the nodes of a checked description out flat, with frames and references resolved.
struct LayoutResolver {
  private let nodes: LayoutNodes
  private let limits: LayoutLimits
  private let order: [Int32]
  /// For each node its index in the order.
  private var indices: [Int32]
  private var parts = LayoutParts()
  private var problems = LayoutProblems()

  /// What the layout is made of, and what a resolved frame or transform can't be.
  ///
  /// - Parameter order: All nodes in pre-order.
  static func resolve(
    _ nodes: LayoutNodes, order: [Int32], _ limits: LayoutLimits
  ) -> (LayoutParts, LayoutProblems) {
    var resolver = LayoutResolver(nodes: nodes, order: order, limits: limits)
    resolver.resolve()
    return (resolver.parts, resolver.problems)
  }

  private init(nodes: LayoutNodes, order: [Int32], limits: LayoutLimits) {
    self.nodes = nodes
    self.limits = limits
    self.order = order
    indices = Array(repeating: -1, count: nodes.count)
    for (index, node) in order.enumerated() { indices[Int(node)] = Int32(index) }
  }

  private mutating func resolve() {
    parts.views.reserveCapacity(order.count)
    for node in order { append(node) }
    // A subtree ends where its last subview's does.
    for index in parts.views.indices.reversed() {
      let parent = Int(parts.views[index].rawParent)
      guard parent >= 0 else { continue }
      parts.views[parent].end = max(parts.views[parent].end, parts.views[index].end)
    }
    checkChainedTransforms()
  }

  /// Transforms that can be inverted one by one may not be so together: a chain of them must leave
  /// every coordinate a finite number.
  private mutating func checkChainedTransforms() {
    guard parts.extras.contains(where: { !$0.transform.isTranslation }) else { return }
    var chained: [AffineTransform] = []
    chained.reserveCapacity(order.count)
    let range = 1 / limits.coordinate...limits.coordinate
    for (index, view) in parts.views.enumerated() {
      var transform = view.rawParent < 0 ? .identity : chained[Int(view.rawParent)]
      if view.extrasIndex >= 0 {
        let own = parts.extras[Int(view.extrasIndex)].transform
        if !own.isTranslation {
          transform = AffineTransform(a: own.a, b: own.b, c: own.c, d: own.d, tx: 0, ty: 0)
            .concatenating(transform)
          let size = [transform.a, transform.b, transform.c, transform.d].map(abs).max() ?? 0
          if !range.contains(size) || !range.contains(abs(transform.determinant).squareRoot()) {
            problems.report(
              nodes.subject(of: order[index]), "transform",
              "with those of its superviews the transform can't be inverted")
            transform = .identity
          }
        }
      }
      chained.append(transform)
    }
  }

  private mutating func append(_ node: Int32) {
    let index = Int32(parts.views.count)
    let properties = nodes.properties(of: node)
    let superview = nodes.parents[Int(node)]
    let parent = superview < 0 ? -1 : indices[Int(superview)]
    let frame = resolvedFrame(of: node, properties.frame, parent: parent)
    if let window = nodes.window(node) {
      parts.windows.append(
        Layout.Window(
          name: window.name, root: ViewIndex(index), screen: window.screen, level: window.level,
          application: nodes.applicationIndex(window)))
    }
    var controller = Int32(-1)
    if let name = properties.controller {
      controller = Int32(parts.controllers.count)
      parts.controllers.append(Layout.Controller(name: name, view: ViewIndex(index)))
    }
    var extrasIndex = Int32(-1)
    if let extras = extras(of: node, properties) {
      extrasIndex = Int32(parts.extras.count)
      parts.extras.append(extras)
    }
    var previousSibling = Int32(-1)
    if parent >= 0 {
      previousSibling = parts.views[Int(parent)].lastChild
      parts.views[Int(parent)].lastChild = index
    }
    parts.views.append(
      Layout.View(
        path: parts.paths.add(nodes.path(of: node)), frame: frame,
        boundsOrigin: properties.boundsOrigin,
        alpha: properties.alpha, end: ViewIndex(index + 1),
        rawWindow: Int32(parts.windows.count - 1), rawParent: parent,
        previousSibling: previousSibling, rawController: controller, extrasIndex: extrasIndex,
        flags: flags(of: properties)))
  }

  private mutating func resolvedFrame(
    of node: Int32, _ frame: FrameDescription, parent: Int32
  ) -> Rect {
    let size: Size
    if let window = nodes.window(node) {
      size = nodes.description.screens[Int(window.screen.rawValue)].size
    } else {
      let superview = parts.views[Int(parent)].frame
      size = Size(width: superview.width, height: superview.height)
    }
    let resolved = Rect(
      x: frame.x.resolved(in: size.width), y: frame.y.resolved(in: size.height),
      width: frame.width.resolved(in: size.width), height: frame.height.resolved(in: size.height))
    for (name, number) in [
      ("x", resolved.x), ("y", resolved.y), ("width", resolved.width), ("height", resolved.height),
    ] where !(abs(number) <= limits.coordinate) {
      problems.report(
        nodes.subject(of: node), "frame",
        "\(name) is \(number) points, beyond the limit `coordinate` of \(limits.coordinate)")
    }
    for (name, extent) in [("width", resolved.width), ("height", resolved.height)] where extent < 0
    {
      problems.report(nodes.subject(of: node), "frame", "the \(name) is \(extent) points, below 0")
    }
    return resolved
  }

  private func flags(of properties: ViewProperties) -> Layout.ViewFlags {
    var flags: Layout.ViewFlags = []
    if properties.hidden { flags.insert(.hidden) }
    if !properties.interaction { flags.insert(.noInteraction) }
    if properties.hidden || !properties.interaction || properties.alpha <= 0.01 {
      flags.insert(.gated)
    }
    if properties.multipleTouch { flags.insert(.multipleTouch) }
    if properties.exclusiveTouch { flags.insert(.exclusiveTouch) }
    if properties.secure { flags.insert(.secure) }
    return flags
  }

  /// What few views have; nil for the others.
  private func extras(
    of node: Int32, _ properties: ViewProperties
  ) -> Layout.ViewExtras? {
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
    let plain =
      extras.transform == .identity && extras.outset == .zero && extras.shape == .rect
      && extras.inside == .bounds && extras.hit == .standard
    return plain ? nil : extras
  }
}
