import TouchModel

/// What has changed of a layout since it was compiled, and how hit-tests are answered there: by the
/// recursion of rule H2, over nodes and grids that are put right with each change. Rule H8.
///
/// Elsewhere the compiled form still holds: who is asked at a point is what it was there, and so
/// are the answers of all who are.
final class HitChanges {
  private let area: ChangedArea
  /// In ``area`` the parts come behind the screens.
  private let screenCount: Int
  private let grids: SubviewGrids
  private let nodes: LookupMemory<HitNode>
  /// The roots of each screen's windows from front to back, each behind the one before it, and -1
  /// at the end.
  private let roots: LookupMemory<Int32>
  /// For each screen the first of its roots.
  private let firstRoots: LookupMemory<Int>
  /// See ``LookupNotes``.
  private let notes: LookupMemory<UInt64>

  /// No changes of a layout that was compiled with so many parts.
  init(_ layout: Layout, partCount: Int) {
    screenCount = layout.screens.count
    area = ChangedArea(spaces: screenCount + partCount)
    grids = SubviewGrids(viewCount: layout.viewCount)
    nodes = LookupMemory(zeros: layout.viewCount)
    var all: [Int32] = []
    var first: [Int] = []
    for screen in layout.screens.indices {
      first.append(all.count)
      for window in layout.windows.reversed() where Int(window.screen.rawValue) == screen {
        all.append(window.root.rawValue)
      }
      all.append(-1)
    }
    roots = LookupMemory(all)
    firstRoots = LookupMemory(first)
    notes = LookupMemory(zeros: layout.viewCount)
  }

  deinit {
    area.deallocate()
    nodes.deallocate()
    roots.deallocate()
    firstRoots.deallocate()
    notes.deallocate()
  }

  /// Makes at once what would be made by the first lookups in what has changed.
  func prepare(_ layout: Layout) { grids.makeAll(in: layout.tree) }

  /// Whether a point of a screen is where something changed.
  func isAnywhere(on screen: Int) -> Bool { area.isAnywhere(of: screen) }

  /// Takes in that views of a layout are others in the next, which has the same views.
  func add(_ changed: [ViewIndex], from old: Layout, to new: Layout, _ parts: HitParts) {
    for view in changed where Self.differ(old[view], old.tree, new[view], new.tree) {
      nodes.base[Int(view.rawValue)].kind = .unread
      grids.move(view, from: old.tree, to: new.tree)
      if parts.scroll(view, from: old.tree, to: new.tree) { continue }
      var space = Int(old.window(of: view).screen.rawValue)
      var root: Int32 = -1
      if let number = parts.enclosing(view, in: old.tree) {
        parts.noteChange(of: number)
        space = screenCount + number
        root = parts[number].pointee.view
      }
      area.add(view, in: old.tree, of: space, root: root)
      area.add(view, in: new.tree, of: space, root: root)
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

  /// The target of a point of a screen in the layout with all changes, or -1; nil where nothing
  /// has changed.
  ///
  /// - Parameter lookup: The number of this lookup; not 0.
  @inline(__always)
  func find(_ point: Point, on screen: Int, in layout: Layout, lookup: UInt64) -> Int32? {
    guard area.contains(point, of: screen) else { return nil }
    let walk = walk(in: layout, lookup)
    var index = firstRoots[screen]
    while roots[index] >= 0 {
      let found = walk.find(roots[index], point)
      if found >= 0 { return found }
      index += 1
    }
    return -1
  }

  /// The same for a point of a part, in the coordinates of its view, which it is in.
  func find(_ point: Point, inPart number: Int, of view: Int32, in layout: Layout, lookup: UInt64)
    -> Int32?
  {
    guard area.contains(point, of: screenCount + number) else { return nil }
    return walk(in: layout, lookup).findInside(view, point)
  }

  @inline(__always)
  private func walk(in layout: Layout, _ lookup: UInt64) -> NodeWalk {
    NodeWalk(
      layout: layout, nodes: nodes.base, grids: grids, notes: LookupNotes(notes, lookup: lookup))
  }

  /// The bytes that they occupy.
  var byteCount: Int { grids.byteCount + nodes.byteCount + notes.byteCount }
}
