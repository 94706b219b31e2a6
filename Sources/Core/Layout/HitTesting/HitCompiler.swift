import TouchModel

/// Turns a layout into regions by rank: gates, clipping and overrides resolved, so that the target
/// of a point is that of the frontmost region that holds it. Rules H1 to H8.
///
/// In the order of rule H2, front to back, each view gives a region: its own inside, cut by that of
/// every ancestor. How the overrides of H5 and H6 come out:
///
/// - a gated view and `none` give nothing; `never` neither; `always` cuts nothing off.
/// - `self` gives one region: where it is asked, so where its ancestors' regions hold.
/// - `pass_through` leaves out its own region, and what lies behind is found.
/// - `redirect` is its own inside, leading to the descendant: where that holds, H2 finds something.
/// - `first` gives the descendant's regions ahead of its own, cut by its ancestors alone. Whoever
///   comes to the descendant later, where it lies, has found nothing there, so it is left out.
/// - `children` needs no condition for a subview that makes it true itself, and as a region it is
///   only those parts of its subviews where they may find nothing (gated, `none`, `pass_through`).
///
/// A region is a rectangle in the coordinates of a **space**: the screen, or a view that is rotated
/// or scaled. Views that are only moved stay in the space that they are in, their edges taken back
/// to it exactly by ``Threshold``. What a rectangle can't say is a condition, evaluated as the
/// recursion would. A space is one region of the space around it.
struct HitCompiler {
  /// What a lookup needs of a view that is not overridden, in one cache line.
  struct Node {
    var parent: Int32
    var lastChild: Int32
    var previousSibling: Int32
    var extras: Int32
    var isGated: Bool
    var isTranslation: Bool
    var offset: Point
    var edges: Edges
  }

  /// What cuts the regions of a view's subtree, in the coordinates of its space.
  struct Context {
    var clip = Edges.unbounded
    /// The last condition, or -1; each leads to the one before.
    var conditions: Int32 = -1
    var conditionCount = 0
    /// From the space's coordinates to the view's.
    var x = AxisOffset()
    var y = AxisOffset()
  }

  /// A coordinate system in the making.
  struct Space {
    /// The view whose coordinates it has; -1 for a screen.
    let root: Int32
    /// The payloads of its regions, from front to back.
    var regions: [UInt32] = []
  }

  /// With more conditions than these a region becomes a space of its own, where they are tested
  /// once for all that it holds.
  static let conditionLimit = 3

  let layout: Layout
  let nodes: [Node]
  private(set) var regions: HitRegions
  private(set) var grids = HitGrids()
  /// Descendants that `first` has asked already, on the way down to here.
  private var asked: Set<Int32> = []
  /// How many views may yet be compiled before `first` gives up copying.
  private var allowance: Int
  /// How many views around the one that is compiled ask a descendant first.
  private var firstCount = 0
  /// How many parts are around the one that is compiled.
  private var partDepth = 0

  /// Parts lie in each other so deep at most: a lookup goes through one after the other.
  private static let partLimit = 3

  init(_ layout: Layout) {
    self.layout = layout
    nodes = layout.views.indices.map { Node(layout, $0) }
    regions = HitRegions(viewCount: layout.viewCount)
    allowance = 3 * layout.viewCount + 4096
  }

  /// Compiles the windows of one screen; the result is its grid.
  mutating func compile(_ screen: ScreenIndex) -> Int {
    var space = Space(root: -1)
    for window in layout.windows.reversed() where window.screen == screen {
      compile(window.root.rawValue, Context(), &space)
    }
    return grids.append(space.regions, of: regions)
  }

  /// A view's hitTest, asked with points of its superview's coordinates in `outer`.
  mutating func compile(_ view: Int32, _ outer: Context, _ space: inout Space) {
    let node = nodes[Int(view)]
    if node.isGated || (!asked.isEmpty && asked.contains(view)) { return }
    allowance -= 1
    guard node.extras < 0 else {
      if case .none = layout.tree.extras(at: node.extras).hit { return }
      return enter(view, outer, &space) { compiler, context, space in
        compiler.compileOverrides(of: view, context, &space)
      }
    }
    if mayBePart, layout.tree.scrolls(ViewIndex(view)) { return compilePart(view, outer, &space) }
    var context = outer
    context.x.add(node.offset.x)
    context.y.add(node.offset.y)
    context.clip = clip(context, to: node.edges, of: view, root: space.root)
    if context.clip.isEmpty { return }
    compileSubviews(of: view, context, &space)
    emit(view, context, &space)
  }

  mutating func compileSubviews(of view: Int32, _ context: Context, _ space: inout Space) {
    var subview = nodes[Int(view)].lastChild
    while subview >= 0 {
      compile(subview, context, &space)
      subview = nodes[Int(subview)].previousSibling
    }
  }

  /// Compiles with a descendant known to find nothing.
  mutating func without(_ view: Int32, _ body: (inout HitCompiler) -> Void) {
    let isNew = asked.insert(view).inserted
    body(&self)
    if isNew { asked.remove(view) }
  }

  /// Compiles within a view that asks a descendant first, where what is compiled may come twice.
  mutating func askingFirst(_ body: (inout HitCompiler) -> Void) {
    firstCount += 1
    body(&self)
    firstCount -= 1
  }

  /// Compiles within a part.
  mutating func withinPart(_ body: (inout HitCompiler) -> Void) {
    partDepth += 1
    body(&self)
    partDepth -= 1
  }

  func isAsked(_ view: Int32) -> Bool { asked.contains(view) }

  var mayCopy: Bool { allowance > 0 }

  /// What is compiled twice may not be a part.
  private var mayBePart: Bool { firstCount == 0 && partDepth < Self.partLimit }

  /// A region that leads to a view, behind all of the space's before it.
  mutating func emit(_ target: Int32, _ context: Context, _ space: inout Space) {
    if context.clip.isEmpty { return }
    if context.conditions < 0, let region = regions.append(context.clip, leadingTo: target) {
      space.regions.append(region)
    } else {
      emit(.target(target), context, &space)
    }
  }

  mutating func emit(_ kind: HitSpecial.Kind, _ context: Context, _ space: inout Space) {
    if context.clip.isEmpty { return }
    space.regions.append(
      regions.append(
        HitSpecial(
          rect: context.clip, kind: kind, conditions: context.conditions, root: space.root)))
  }

  /// A part, whose views are moved by those offsets until it lies in the space.
  mutating func emit(_ part: HitPart, _ offsets: [Point], _ space: inout Space) {
    space.regions.append(regions.append(part, offsets))
  }

  /// Adds a condition to what cuts a context's regions.
  mutating func add(_ test: HitCondition.Test, to context: inout Context) {
    context.conditions = regions.append(HitCondition(test: test, before: context.conditions))
    context.conditionCount += 1
  }

  /// A space that is one region of the space around it; its grid.
  mutating func makeGrid(of space: Space) -> Int32 {
    Int32(grids.append(space.regions, of: regions))
  }

  /// The context's clip cut by edges in a view's own coordinates.
  func clip(_ context: Context, to edges: Edges, of view: Int32, root: Int32) -> Edges {
    let own = Edges(
      x0: context.x.threshold(edges.x0) ?? threshold(edges.x0, isX: true, of: view, root: root),
      y0: context.y.threshold(edges.y0) ?? threshold(edges.y0, isX: false, of: view, root: root),
      x1: context.x.threshold(edges.x1) ?? threshold(edges.x1, isX: true, of: view, root: root),
      y1: context.y.threshold(edges.y1) ?? threshold(edges.y1, isX: false, of: view, root: root))
    return context.clip.intersection(own)
  }

  /// An edge of an axis taken back from a view's coordinates to those of its space, step by step.
  private func threshold(_ edge: Double, isX: Bool, of view: Int32, root: Int32) -> Double {
    var edge = edge
    var view = view
    while view != root {
      let offset = nodes[Int(view)].offset
      edge = Threshold.beforeAdding(isX ? offset.x : offset.y, reaches: edge)
      view = nodes[Int(view)].parent
    }
    return edge
  }
}

extension HitCompiler.Node {
  init(_ layout: Layout, _ index: Int) {
    parent = layout.views[index].rawParent
    lastChild = layout.views[index].lastChild
    previousSibling = layout.views[index].previousSibling
    extras = layout.views[index].extrasIndex
    isGated = layout.views[index].isGated
    let origin = layout.views[index].boundsOrigin
    let frame = layout.views[index].frame
    if extras < 0 {
      isTranslation = true
      offset = Point(x: origin.x - frame.x, y: origin.y - frame.y)
      edges = Edges(
        x0: origin.x, y0: origin.y, x1: origin.x + frame.width, y1: origin.y + frame.height)
    } else {
      let step = layout.tree.step(of: layout.views[index])
      isTranslation = step.isTranslation
      offset = step.offset
      edges = layout.tree.touchRegion(of: ViewIndex(Int32(index))).edges
    }
  }
}
