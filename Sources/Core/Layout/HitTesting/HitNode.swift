import TouchModel

/// What a walk down the views asks of one, in one line of the cache: taken from the layout when the
/// view is first asked, and again once it was changed.
struct HitNode: BitwiseCopyable {
  enum Kind: UInt8 {
    /// Nothing is known of it; what memory of zeros holds.
    case unread
    /// Asked by the rule as it is, within its edges. Rule H2.
    case plain
    /// The same with more subviews than are asked one by one.
    case wide
    /// Nothing is found in it.
    case gated
    /// All others, of which the layout tells the rest.
    case special
  }

  /// Where it is touchable, in its own coordinates.
  var edges: Edges
  /// What a point of the superview's coordinates is moved by.
  var offset: Point
  var lastChild: Int32
  var previousSibling: Int32
  var kind: Kind

  /// What is to be known of a view.
  init(_ view: ViewIndex, in tree: ViewTree) {
    lastChild = tree[view].lastChild
    previousSibling = tree[view].previousSibling
    let isWide = tree[view].flags.contains(.isWide)
    if tree[view].extrasIndex < 0 {
      edges = tree.plainEdges(of: view)
      offset = tree.step(of: tree[view]).offset
      kind = isWide ? .wide : .plain
    } else {
      let extras = tree.extras(of: tree[view])
      let step = tree.step(of: tree[view])
      edges = tree.touchRegion(of: view).edges
      offset = step.offset
      let isPlain =
        step.isTranslation && extras.shape == .rect && extras.inside == .bounds
        && extras.hit == .standard
      kind = !isPlain ? .special : isWide ? .wide : .plain
    }
    if tree[view].isGated { kind = .gated }
  }
}
