import TouchModel

/// The recursion of rule H2 where views were changed: of most views it asks their nodes alone, and
/// finds the subviews of wide ones in grids. What asks several views for one answer is left to
/// ``HitWalk``. Rule H8.
struct NodeWalk {
  let layout: Layout
  let nodes: UnsafeMutablePointer<HitNode>
  let grids: SubviewGrids
  let notes: LookupNotes

  /// The target in a view, or -1; the point is in the superview's coordinates.
  func find(_ view: Int32, _ point: Point) -> Int32 {
    let node = node(of: view)
    switch node.pointee.kind {
    case .unread, .gated: return -1
    case .special: return findSpecial(view, point)
    case .plain, .wide: break
    }
    let local = Point(
      x: point.x + node.pointee.offset.x, y: point.y + node.pointee.offset.y)
    guard node.pointee.edges.contains(local) else { return -1 }
    return find(inside: view, node, local)
  }

  /// The target in a plain view that has the point, which is in its own coordinates.
  func findInside(_ view: Int32, _ point: Point) -> Int32 {
    find(inside: view, node(of: view), point)
  }

  @inline(__always)
  private func node(of view: Int32) -> UnsafeMutablePointer<HitNode> {
    let node = nodes + Int(view)
    if node.pointee.kind == .unread {
      node.initialize(to: HitNode(ViewIndex(view), in: layout.tree))
    }
    return node
  }

  @inline(__always)
  private func find(
    inside view: Int32, _ node: UnsafeMutablePointer<HitNode>, _ point: Point
  ) -> Int32 {
    let found =
      node.pointee.kind == .wide ? findInWide(view, point) : findInSubviews(of: node, point)
    return found < 0 ? view : found
  }

  @inline(__always)
  private func findInSubviews(
    of node: UnsafeMutablePointer<HitNode>, _ point: Point
  ) -> Int32 {
    var subview = node.pointee.lastChild
    while subview >= 0 {
      let found = find(subview, point)
      if found >= 0 { return found }
      subview = nodes[Int(subview)].previousSibling
    }
    return -1
  }

  private func findInWide(_ view: Int32, _ point: Point) -> Int32 {
    grids.withGrid(of: ViewIndex(view), in: layout.tree) { grid in
      grid.frontmost(at: point) { subview in
        let found = find(subview, point)
        return found < 0 ? nil : found
      } ?? -1
    }
  }

  /// The same for a view that is turned or scaled, or of which a property of rules H4 to H6 is set.
  @inline(never)
  private func findSpecial(_ view: Int32, _ point: Point) -> Int32 {
    let index = ViewIndex(view)
    let local = layout.tree.convert(point, fromSuperviewOf: layout[index])
    let hit = layout.hitRule(of: index)
    switch hit {
    case .none: return -1
    case .itself: return view
    case .first: return walk(index, local)
    case .standard, .passThrough, .redirect: break
    }
    switch layout.insideRule(of: index) {
    case .never: return -1
    case .always: break
    case .bounds: guard layout.tree.touchRegion(of: index).contains(local) else { return -1 }
    case .anyChild, .children: return walk(index, local)
    }
    if case .redirect(let target) = hit { return target.rawValue }
    let isWide = layout[index].flags.contains(.isWide)
    let found = isWide ? findInWide(view, local) : findInSubviews(of: nodes + Int(view), local)
    return found < 0 && hit == .standard ? view : found
  }

  private func walk(_ view: ViewIndex, _ point: Point) -> Int32 {
    var walk = HitWalk(layout: layout, grids: grids, notes: notes)
    return walk.hitTest(view, point)?.rawValue ?? -1
  }
}
