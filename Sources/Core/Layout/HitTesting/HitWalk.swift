import TouchModel

/// The recursion of rule H2 over the flat layout, with every override, and a record of its calls
/// where one is wanted.
struct HitWalk {
  let layout: Layout
  /// Nil where nobody wants it; one is wanted without ``grids`` alone.
  var trace: HitTrace?
  /// Where the subviews of wide views are found; nil where all are asked, one by one.
  var grids: SubviewGrids?
  /// What views have said in this lookup; nil where all calls are to be made, for a record of them.
  var notes: LookupNotes?

  /// The target of a point of a screen: its windows are asked from front to back. Rule H7.
  mutating func hitTest(_ point: Point, on screen: ScreenIndex) -> ViewIndex? {
    for index in layout.windows.indices.reversed() where layout.windows[index].screen == screen {
      let root = layout.windows[index].root
      let local = layout.tree.convert(point, fromSuperviewOf: layout[root])
      if let found = hitTest(root, local) { return found }
    }
    return nil
  }

  /// What a view finds at a point of its own coordinates. Rules H2 and H6.
  mutating func hitTest(_ view: ViewIndex, _ point: Point) -> ViewIndex? {
    trace?.steps.append(.hit(view))
    if let notes, notes.foundNothing(in: view.rawValue) { return nil }
    let found = layout[view].isGated ? nil : overriddenHitTest(view, point)
    if let notes, found == nil { notes.noteNothing(in: view.rawValue) }
    trace?.steps.append(.result(view, found: found))
    return found
  }

  private mutating func overriddenHitTest(_ view: ViewIndex, _ point: Point) -> ViewIndex? {
    if layout[view].extrasIndex < 0 { return standardHitTest(view, point) }
    switch layout.hitRule(of: view) {
    case .standard:
      return standardHitTest(view, point)
    case .itself:
      return view
    case .none:
      return nil
    case .passThrough:
      let found = standardHitTest(view, point)
      return found == view ? nil : found
    case .redirect(let target):
      return standardHitTest(view, point) == nil ? nil : target
    case .first(let descendant):
      let local = layout.tree.convert(point, from: view, to: descendant)
      return hitTest(descendant, local) ?? standardHitTest(view, point)
    }
  }

  private mutating func standardHitTest(_ view: ViewIndex, _ point: Point) -> ViewIndex? {
    guard pointInside(view, point) else { return nil }
    return firstSubview(of: view, at: point) { walk, subview, local in
      walk.hitTest(subview, local)
    } ?? view
  }

  /// What the frontmost subview of a view says that says anything; it is asked with the point in
  /// its own coordinates.
  @inline(__always)
  private mutating func firstSubview<Answer>(
    of view: ViewIndex, at point: Point,
    _ ask: (inout HitWalk, ViewIndex, Point) -> Answer?
  ) -> Answer? {
    if let grids, layout[view].flags.contains(.isWide) {
      return grids.withGrid(of: view, in: layout.tree) { grid in
        grid.frontmost(at: point) { subview in
          let local = layout.tree.convert(point, fromSuperviewOf: layout.views[Int(subview)])
          return ask(&self, ViewIndex(subview), local)
        }
      }
    }
    var subview = layout[view].lastChild
    while subview >= 0 {
      let local = layout.tree.convert(point, fromSuperviewOf: layout.views[Int(subview)])
      if let answer = ask(&self, ViewIndex(subview), local) { return answer }
      subview = layout.views[Int(subview)].previousSibling
    }
    return nil
  }

  /// Whether a point of a view's own coordinates lies inside it. Rule H5.
  mutating func pointInside(_ view: ViewIndex, _ point: Point) -> Bool {
    guard let index = trace?.steps.count else { return overriddenPointInside(view, point) }
    // Recorded before the calls that it makes itself, its answer filled in after them.
    trace?.steps.append(.inside(view, point, answer: false))
    let answer = overriddenPointInside(view, point)
    trace?.steps[index] = .inside(view, point, answer: answer)
    return answer
  }

  private mutating func overriddenPointInside(_ view: ViewIndex, _ point: Point) -> Bool {
    if layout[view].extrasIndex < 0 { return layout.tree.plainEdges(of: view).contains(point) }
    guard let notes else { return ruledPointInside(view, point) }
    return notes.pointInside(view.rawValue) { ruledPointInside(view, point) }
  }

  private mutating func ruledPointInside(_ view: ViewIndex, _ point: Point) -> Bool {
    switch layout.insideRule(of: view) {
    case .bounds:
      return layout.tree.touchRegion(of: view).contains(point)
    case .always:
      return true
    case .never:
      return false
    case .children(let subviews):
      if layout.tree.touchRegion(of: view).contains(point) { return true }
      for subview in subviews {
        let local = layout.tree.convert(point, fromSuperviewOf: layout[subview])
        if pointInside(subview, local) { return true }
      }
      return false
    case .anyChild:
      if layout.tree.touchRegion(of: view).contains(point) { return true }
      return firstSubview(of: view, at: point) { walk, subview, local in
        walk.pointInside(subview, local) ? true : nil
      } ?? false
    }
  }
}
