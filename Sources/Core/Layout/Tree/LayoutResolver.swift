import TouchModel

/// Lays the nodes of a checked description out flat, with frames and references resolved.
struct LayoutResolver {
  private let nodes: LayoutNodes
  private let viewOrder: ViewOrder
  /// For each view how many subviews it has, up to one more than few.
  private var subviewCounts: [UInt8]
  private var parts = LayoutParts()
  private var resolver: ViewResolver

  /// What the layout is made of, and what a resolved frame or transform can't be.
  static func resolve(
    _ nodes: LayoutNodes, by viewOrder: ViewOrder, _ limits: LayoutLimits
  ) -> (LayoutParts, LayoutProblems) {
    var resolver = LayoutResolver(nodes: nodes, viewOrder: viewOrder, limits: limits)
    resolver.resolve()
    return (resolver.parts, resolver.resolver.problems)
  }

  private init(nodes: LayoutNodes, viewOrder: ViewOrder, limits: LayoutLimits) {
    self.nodes = nodes
    self.viewOrder = viewOrder
    resolver = ViewResolver(limits)
    subviewCounts = Array(repeating: 0, count: viewOrder.nodes.count)
  }

  private mutating func resolve() {
    parts.views.reserveCapacity(viewOrder.nodes.count)
    for node in viewOrder.nodes { append(node) }
    // A subtree ends where its last subview's does.
    for index in parts.views.indices.reversed() {
      if subviewCounts[index] > Layout.fewSubviews { parts.views[index].flags.insert(.isWide) }
      let parent = Int(parts.views[index].rawParent)
      guard parent >= 0 else { continue }
      parts.views[parent].end = max(parts.views[parent].end, parts.views[index].end)
      if parts.views[index].flags.contains(.hasTurnedViews) {
        parts.views[parent].flags.insert(.hasTurnedViews)
      }
    }
    checkChainedTransforms()
  }

  private mutating func checkChainedTransforms() {
    guard parts.extras.contains(where: { !$0.transform.isTranslation }) else { return }
    var chained: [AffineTransform] = []
    chained.reserveCapacity(viewOrder.nodes.count)
    for (index, view) in parts.views.enumerated() {
      let above = view.rawParent < 0 ? .identity : chained[Int(view.rawParent)]
      chained.append(
        view.extrasIndex < 0
          ? above
          : resolver.chained(
            parts.extras[Int(view.extrasIndex)].transform, with: above, of: viewOrder.nodes[index],
            nodes))
    }
  }

  private mutating func append(_ node: Int32) {
    let index = Int32(parts.views.count)
    let properties = nodes.properties(of: node)
    let superview = nodes.parents[Int(node)]
    let parent = superview < 0 ? -1 : viewOrder.indices[Int(superview)]
    let size: Size
    if let window = nodes.window(node) {
      size = nodes.screens[Int(window.screen.rawValue)].size
      parts.windows.append(
        Layout.Window(
          name: window.name, root: ViewIndex(index), screen: window.screen, level: window.level,
          application: nodes.applicationIndex(window), isAlwaysOn: window.isAlwaysOn))
    } else {
      let frame = parts.views[Int(parent)].frame
      size = Size(width: frame.width, height: frame.height)
    }
    let frame = resolver.frame(properties.frame, in: size, of: node, nodes)
    var controller = Int32(-1)
    if let name = properties.controller {
      controller = Int32(parts.controllers.count)
      parts.controllers.append(Layout.Controller(name: name, view: ViewIndex(index)))
    }
    var extrasIndex = Int32(-1)
    if let extras = ViewResolver.extras(of: node, properties, nodes, indices: viewOrder.indices) {
      extrasIndex = Int32(parts.extras.count)
      parts.extras.append(extras)
    }
    var feedbackIndex = Int32(-1)
    if !properties.feedback.isEmpty {
      feedbackIndex = Int32(parts.feedbacks.count)
      parts.feedbacks.append(properties.feedback)
    }
    parts.views.append(
      Layout.View(
        path: parts.paths.add(nodes.path(of: node)), frame: frame,
        boundsOrigin: properties.boundsOrigin,
        alpha: properties.alpha, end: ViewIndex(index + 1),
        rawWindow: Int32(parts.windows.count - 1), rawParent: parent,
        previousSibling: link(index, to: parent, isRelative: properties.frame.isRelative),
        rawController: controller, extrasIndex: extrasIndex, feedbackIndex: feedbackIndex,
        flags: ViewResolver.flags(of: properties)))
  }

  /// Makes a view the frontmost subview of another, if it has one; the subview behind it, or -1.
  private mutating func link(_ index: Int32, to parent: Int32, isRelative: Bool) -> Int32 {
    guard parent >= 0 else { return -1 }
    let superview = Int(parent)
    defer { parts.views[superview].lastChild = index }
    if isRelative { parts.views[superview].flags.insert(.hasRelativeSubviews) }
    if subviewCounts[superview] <= Layout.fewSubviews { subviewCounts[superview] += 1 }
    return parts.views[superview].lastChild
  }
}
