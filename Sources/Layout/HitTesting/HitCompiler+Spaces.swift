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
      context.clip = outer.clip.intersection(reach(of: bounds, in: view, root: space.root))
      if context.clip.isEmpty { return }
    }
    emit(.space(grid: makeGrid(of: inner), view: view), context, &space)
  }

  /// Edges around every point of a space whose image in a view's coordinates may lie in `bounds`,
  /// whatever the roundings on the way: they are used to leave out what lies elsewhere, never to
  /// find anything.
  private func reach(of bounds: Edges, in view: Int32, root: Int32) -> Edges {
    guard bounds.isFinite else { return .unbounded }
    let index = ViewIndex(view)
    let forward = layout.superviewTransform(of: index)
    let step = layout.tree.step(of: layout[index])
    let corners = Rect(
      x: bounds.x0, y: bounds.y0, width: bounds.x1 - bounds.x0, height: bounds.y1 - bounds.y0)
    var box = corners.boundingBox(under: forward)
    let linear = max(abs(forward.a), abs(forward.b), abs(forward.c), abs(forward.d))
    let inverse = max(abs(step.a), abs(step.b), abs(step.c), abs(step.d))
    let local =
      abs(bounds.x0) + abs(bounds.x1) + abs(bounds.y0) + abs(bounds.y1) + abs(step.offset.x)
      + abs(step.offset.y)
    var outer = abs(box.x) + abs(box.y) + box.width + box.height
    outer += abs(step.center.x) + abs(step.center.y)
    var depth = 1.0
    var ancestor = nodes[Int(view)].parent
    while ancestor != root {
      let offset = nodes[Int(ancestor)].offset
      box.x -= offset.x
      box.y -= offset.y
      outer += abs(offset.x) + abs(offset.y)
      depth += 1
      ancestor = nodes[Int(ancestor)].parent
    }
    // Each sum is off by at most half an ulp of the largest magnitude; ten times that for safety.
    let magnitude = (1 + linear * inverse) * outer + linear * local
    let error = (depth + 16) * 20 * Double.ulpOfOne * magnitude
    guard error.isFinite, box.isFinite else { return .unbounded }
    return Edges(
      x0: box.x - error, y0: box.y - error,
      x1: box.x + box.width + error, y1: box.y + box.height + error)
  }
}
