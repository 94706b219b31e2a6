import TouchModel

extension HitCompiler {
  typealias Body = (inout HitCompiler, Context, inout Space) -> Void

  /// Compiles in a view's own coordinates what `outer` cuts in its superview's: a moved view stays
  /// in the space, any other opens one.
  mutating func enter(
    _ view: Int32, _ outer: Context, _ space: inout Space, _ body: Body
  ) {
    let node = nodes[Int(view)]
    guard node.isTranslation else {
      return openSpace(view, outer, &space, isTight: true, body)
    }
    var context = outer
    context.x.add(node.offset.x)
    context.y.add(node.offset.y)
    body(&self, context, &space)
  }

  /// Compiles in the region of H3 and H4, with the context in the view's own coordinates.
  mutating func withinRegion(
    of view: Int32, _ outer: Context, _ space: inout Space, _ body: Body
  ) {
    var context = outer
    context.clip = clip(context, to: nodes[Int(view)].edges, of: view, root: space.root)
    if context.clip.isEmpty { return }
    let shape = extras(of: view).shape
    guard shape != .rect else { return body(&self, context, &space) }
    add(.shape(view), to: &context)
    guard context.conditionCount > HitCompiler.conditionLimit else {
      return body(&self, context, &space)
    }
    openSpace(view, context, &space, isTight: false, body)
  }

  /// Compiles into a space with a view's coordinates, which is one region of the space around it.
  /// With `isTight` that region is no larger than what the space holds.
  mutating func openSpace(
    _ view: Int32, _ outer: Context, _ space: inout Space, isTight: Bool, _ body: Body
  ) {
    if outer.clip.isEmpty { return }
    var inner = Space(root: view)
    body(&self, Context(), &inner)
    guard let first = inner.regions.first else { return }
    var context = outer
    if isTight {
      let bounds = inner.regions.dropFirst().reduce(regions.rect(of: first)) {
        $0.union(regions.rect(of: $1))
      }
      context.clip = outer.clip.intersection(
        layout.tree.reach(of: bounds, in: view, root: space.root))
      if context.clip.isEmpty { return }
    }
    emit(.space(grid: makeGrid(of: inner), view: view), context, &space)
  }
}

extension HitCompiler {
  /// Compiles a view that scrolls into a part; `outer` is in its superview's coordinates.
  mutating func compilePart(_ view: Int32, _ outer: Context, _ space: inout Space) {
    var offsets: [Point] = []
    var next = view
    while next != space.root {
      offsets.insert(nodes[Int(next)].offset, at: 0)
      next = nodes[Int(next)].parent
    }
    let edges = nodes[Int(view)].edges
    let rect = outer.clip.intersection(HitPart.rect(around: edges, offsets))
    if rect.isEmpty { return }
    var inner = Space(root: view)
    withinPart { $0.compileSubviews(of: view, Context(), &inner) }
    emit(view, Context(), &inner)
    let grid = makeGrid(of: inner)
    let part = HitPart(
      grid: grids.grids[Int(grid)], edges: edges, conditions: outer.conditions,
      root: space.root, view: view, rect: rect)
    emit(part, offsets, &space)
  }
}
