import TouchModel

/// A layout in which some views are laid out anew: those of which a property was changed, and those
/// of which the frame depends on theirs. It shares all else with the layout that it is made of.
/// Rule L6.
struct LayoutPatch: Sendable {
  /// The views with what was changed.
  private(set) var tree: ViewTree
  private var indices: Set<ViewIndex> = []

  init(_ layout: Layout) { tree = layout.tree }

  /// The views that were laid out anew, in pre-order.
  var changed: [ViewIndex] { indices.sorted() }

  /// Lays nodes out anew of which a property is another; what a resolved frame or transform can't
  /// be.
  mutating func resolve(
    _ changed: [Int32], of nodes: LayoutNodes, by viewOrder: ViewOrder, _ limits: LayoutLimits
  ) -> LayoutProblems {
    var resolution = Resolution(nodes: nodes, viewOrder: viewOrder, resolver: ViewResolver(limits))
    // Superviews first, as subviews go by their sizes.
    let views = Set(changed).map(viewOrder.view).sorted()
    for view in views { resolve(view, &resolution) }
    for view in resolution.turned.sorted() { checkChain(of: view, &resolution) }
    return resolution.resolver.problems
  }

  private struct Resolution {
    let nodes: LayoutNodes
    let viewOrder: ViewOrder
    var resolver: ViewResolver
    /// Of which the transform is another one.
    var turned: Set<ViewIndex> = []
  }

  private mutating func resolve(_ view: ViewIndex, _ resolution: inout Resolution) {
    let nodes = resolution.nodes
    let node = resolution.viewOrder.node(view)
    let properties = nodes.properties(of: node)
    let old = tree[view]
    var new = old
    new.frame = resolution.resolver.frame(
      properties.frame, in: sizeAround(old, node, nodes), of: node, nodes)
    new.boundsOrigin = properties.boundsOrigin
    new.alpha = properties.alpha
    new.flags = ViewResolver.flags(of: properties).union(old.flags.intersection(.ofSubviews))
    let extras = ViewResolver.extras(
      of: node, properties, nodes, indices: resolution.viewOrder.indices)
    if tree.extras(of: old).transform != (extras?.transform ?? .identity) {
      resolution.turned.insert(view)
    }
    new.extrasIndex = tree.put(extras, at: old.extrasIndex)
    new.feedbackIndex = tree.put(feedback: properties.feedback, at: old.feedbackIndex)
    tree.replace(view, with: new)
    indices.insert(view)
    noteAbove(new, isRelative: properties.frame.isRelative)
    let isResized = new.frame.width != old.frame.width || new.frame.height != old.frame.height
    guard isResized, new.flags.contains(.hasRelativeSubviews) else { return }
    for subview in tree.subviews(of: view)
    where nodes.properties(of: resolution.viewOrder.node(subview)).frame.isRelative {
      resolve(subview, &resolution)
    }
  }

  /// The size of the superview, or of the screen for a window.
  private func sizeAround(_ view: Layout.View, _ node: Int32, _ nodes: LayoutNodes) -> Size {
    if let window = nodes.window(node) { return nodes.screens[Int(window.screen.rawValue)].size }
    let frame = tree.views[Int(view.rawParent)].frame
    return Size(width: frame.width, height: frame.height)
  }

  /// Lets the superviews know what they must know of a view. They may go on to think so when it is
  /// no longer true.
  private mutating func noteAbove(_ view: Layout.View, isRelative: Bool) {
    guard let superview = view.parent else { return }
    if isRelative { insert(.hasRelativeSubviews, to: superview) }
    guard view.flags.contains(.hasTurnedViews) else { return }
    var next: ViewIndex? = superview
    while let above = next, insert(.hasTurnedViews, to: above) { next = tree[above].parent }
  }

  /// Whether a view did not have a flag before.
  @discardableResult
  private mutating func insert(_ flag: Layout.ViewFlags, to view: ViewIndex) -> Bool {
    var changed = tree[view]
    guard changed.flags.insert(flag).inserted else { return false }
    tree.replace(view, with: changed)
    return true
  }

  // MARK: - Chains of transforms

  /// Checks the transforms of a view and of all in it together with those above them.
  private func checkChain(of view: ViewIndex, _ resolution: inout Resolution) {
    var above = AffineTransform.identity
    for superview in superviews(of: view).reversed() {
      above = chained(superview, with: above, &resolution)
    }
    checkChain(of: view, below: above, &resolution)
  }

  private func checkChain(
    of view: ViewIndex, below above: AffineTransform, _ resolution: inout Resolution
  ) {
    let own = chained(view, with: above, &resolution)
    for subview in tree.subviews(of: view) where tree[subview].flags.contains(.hasTurnedViews) {
      checkChain(of: subview, below: own, &resolution)
    }
  }

  private func chained(
    _ view: ViewIndex, with above: AffineTransform, _ resolution: inout Resolution
  ) -> AffineTransform {
    guard tree[view].extrasIndex >= 0 else { return above }
    return resolution.resolver.chained(
      tree.extras(of: tree[view]).transform, with: above, of: resolution.viewOrder.node(view),
      resolution.nodes)
  }

  /// From the nearest one up.
  private func superviews(of view: ViewIndex) -> [ViewIndex] {
    var superviews: [ViewIndex] = []
    var next = tree[view].parent
    while let superview = next {
      superviews.append(superview)
      next = tree[superview].parent
    }
    return superviews
  }
}
