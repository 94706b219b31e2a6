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
  /// Whether more lies in a view without overrides than it shows at a time, as in a list: it is
  /// made for scrolling.
  func scrolls(_ view: Int32) -> Bool {
    guard mayBePart else { return false }
    let tree = layout.tree
    let index = ViewIndex(view)
    guard tree[index].subtreeCount(from: index) > Layout.fewSubviews else { return false }
    let edges = nodes[Int(view)].edges
    guard abs(edges.x0) <= HitPart.reach, abs(edges.y0) <= HitPart.reach else { return false }
    if let superview = tree[index].parent {
      // There its own inside is asked in other ways too.
      switch extras(of: superview.rawValue).inside {
      case .anyChild, .children: return false
      case .bounds, .always, .never: break
      }
    }
    var subview = nodes[Int(view)].lastChild
    while subview >= 0 {
      let frame = tree.views[Int(subview)].frame
      let isLonger = frame.width > edges.x1 - edges.x0 || frame.height > edges.y1 - edges.y0
      let isShown =
        frame.x < edges.x1 && frame.maxX > edges.x0 && frame.y < edges.y1 && frame.maxY > edges.y0
      if isLonger || !isShown { return true }
      subview = nodes[Int(subview)].previousSibling
    }
    return false
  }

  /// Compiles a view that scrolls into a part; `outer` is in its superview's coordinates.
  mutating func compilePart(_ view: Int32, _ outer: Context, _ space: inout Space) {
    var offsets: [Point] = []
    var x = Shift()
    var y = Shift()
    var next = view
    while next != space.root {
      offsets.append(nodes[Int(next)].offset)
      next = nodes[Int(next)].parent
    }
    offsets.reverse()
    for offset in offsets {
      x.add(offset.x)
      y.add(offset.y)
    }
    let edges = nodes[Int(view)].edges
    let box = Edges(
      x0: x.before(edges.x0, -1, within: HitPart.reach),
      y0: y.before(edges.y0, -1, within: HitPart.reach),
      x1: x.before(edges.x1, 1, within: HitPart.reach),
      y1: y.before(edges.y1, 1, within: HitPart.reach))
    let rect = outer.clip.intersection(box)
    if rect.isEmpty { return }
    var inner = Space(root: view)
    inPart { $0.compileSubviews(of: view, Context(), &inner) }
    emit(view, Context(), &inner)
    let grid = makeGrid(of: inner)
    let part = HitPart(
      grid: self.grid(grid), edges: edges, conditions: outer.conditions, root: space.root,
      view: view, rect: rect)
    emit(part, offsets, &space)
  }
}
