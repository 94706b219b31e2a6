import TouchModel

/// The part of its superview in which a view may take touches, whatever programs make of it that a
/// rule names for it, and not for what it lies in. Rule L6.
struct ViewArea {
  /// The layout of the configuration alone.
  let configured: Layout
  /// The layout as it would be.
  let staged: Layout
  /// The view in that.
  let view: ViewIndex
  /// The view with all that is set of it.
  let now: ViewProperties
  /// As it is configured, and as those with a wider right have made it.
  let given: [ViewProperties]

  /// What of the view reaches beyond it, in words; nil where nothing does.
  var excess: String? {
    guard let superview = staged[view].parent else { return nil }
    let bounds = staged.bounds(of: superview)
    let size = Size(width: bounds.width, height: bounds.height)
    let areas = given.map { WindowReach.box(of: $0, in: size) }
    let box = WindowReach.box(of: now, in: size)
    let (path, outer) = (staged.path(of: view), staged.path(of: superview))
    if !WindowReach.isBox(box, in: areas) {
      return AreaWords.outside(path, box, in: outer, areas[0])
    }
    if WindowReach.takesAll(now), !given.contains(where: WindowReach.takesAll) {
      return AreaWords.takingAll(path, in: outer, areas[0])
    }
    let reach = WindowReach(staged)
    // What a view around it asks first, it does not clip.
    var unclipped = reach.askedFirst(in: view).flatMap(reach.unclippedViews)
    if now.hit != .itself, !WindowReach.clips(now) {
      if given.allSatisfy({ $0.hit == .itself || WindowReach.clips($0) }) {
        return AreaWords.notClipping(path, in: outer, areas[0])
      }
      unclipped += reach.unclippedViews(in: view).dropFirst()
    }
    if unclipped.isEmpty { return nil }
    let toScreen = staged.tree.toScreen(of: superview)
    return excess(of: unclipped, areas.map { $0.boundingBox(under: toScreen) }).map {
      AreaWords.takingAll($0, in: outer, areas[0])
    }
  }

  /// The first of those views that may take touches outside of areas of the screen.
  private func excess(of views: [ViewIndex], _ areas: [Rect]) -> String? {
    let reach = WindowReach(staged)
    for inner in views {
      let path = staged.path(of: inner)
      let before = configured.view(at: path)
      let earlier = before.map { WindowReach(configured).box(of: $0) }
      let tookAll = before.map { WindowReach(configured).takesAll($0) } ?? false
      if !WindowReach.isBox(reach.box(of: inner), in: areas + [earlier].compactMap(\.self))
        || reach.takesAll(inner) && !tookAll
      {
        return path
      }
    }
    return nil
  }
}
