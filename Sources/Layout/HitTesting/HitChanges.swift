import TouchModel

/// What has changed of a layout since it was compiled, and how hit-tests are answered there: by the
/// recursion of rule H2, which finds the subviews of wide views in grids. Rule H8.
///
/// Elsewhere the compiled form still holds: who is asked at a point is what it was there, and so
/// are the answers of all who are.
struct HitChanges {
  private(set) var area: ChangedArea
  let grids: SubviewGrids
  /// See ``HitWalk/misses``; nil where no view asks a descendant first.
  private(set) var misses: UnsafeMutablePointer<UInt64>?
  /// Owns what `misses` leads to.
  private var missMemory: MissMemory?

  /// No changes of a layout.
  init(_ layout: Layout) {
    area = ChangedArea(screens: layout.screens.count)
    grids = SubviewGrids(viewCount: layout.viewCount)
    if layout.tree.hasFirst { provideMisses(layout) }
  }

  /// Takes in that views of a layout are others in the next, which has the same views.
  mutating func add(_ changed: [ViewIndex], from old: Layout, to new: Layout) {
    for view in changed where Self.differ(old[view], old.tree, new[view], new.tree) {
      area.add(view, in: old)
      area.add(view, in: new)
      grids.move(view, from: old.tree, to: new.tree)
      if misses == nil, case .first = new.hitRule(of: view) { provideMisses(new) }
    }
  }

  /// Whether two views differ in anything that a hit-test asks.
  private static func differ(
    _ before: Layout.View, _ old: ViewTree, _ after: Layout.View, _ new: ViewTree
  ) -> Bool {
    before.isGated != after.isGated || before.frame != after.frame
      || before.boundsOrigin != after.boundsOrigin
      || !old.hasSameExtras(before, as: after, of: new)
  }

  private mutating func provideMisses(_ layout: Layout) {
    let memory = MissMemory(viewCount: layout.viewCount)
    missMemory = memory
    misses = memory.misses.base
  }

  /// The bytes that they occupy.
  var byteCount: Int { grids.byteCount + (missMemory?.misses.byteCount ?? 0) }
}

/// Owns the memory for ``HitWalk/misses``.
private final class MissMemory {
  let misses: LookupMemory<UInt64>

  init(viewCount: Int) { misses = LookupMemory(zeros: viewCount) }

  deinit { misses.deallocate() }
}
