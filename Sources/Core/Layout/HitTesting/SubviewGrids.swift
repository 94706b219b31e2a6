import TouchModel

/// The grids over the subviews of wide views, made when one is first asked for.
final class SubviewGrids {
  /// For each view its grid, if there is one.
  private let gridOfView: LookupMemory<Unmanaged<SubviewGrid>?>
  /// Owns them.
  private var grids: [SubviewGrid] = []

  /// Grids for a layout of so many views.
  init(viewCount: Int) { gridOfView = LookupMemory(zeros: viewCount) }

  deinit { gridOfView.deallocate() }

  /// Calls with the grid over the subviews of a view.
  @inline(__always)
  func withGrid<Answer>(
    of view: ViewIndex, in tree: ViewTree, _ body: (SubviewGrid) -> Answer
  ) -> Answer {
    let grid = gridOfView[Int(view.rawValue)] ?? makeGrid(of: view, in: tree)
    return grid._withUnsafeGuaranteedRef(body)
  }

  /// Makes the grids over the subviews of all wide views that have none yet.
  func makeAll(in tree: ViewTree) {
    for (index, view) in tree.views.enumerated()
    where view.flags.contains(.isWide) && gridOfView[index] == nil {
      _ = makeGrid(of: ViewIndex(Int32(index)), in: tree)
    }
  }

  private func makeGrid(of view: ViewIndex, in tree: ViewTree) -> Unmanaged<SubviewGrid> {
    let owned = SubviewGrid(of: view, in: tree)
    grids.append(owned)
    let grid = Unmanaged.passUnretained(owned)
    gridOfView.base[Int(view.rawValue)] = grid
    return grid
  }

  /// Puts a view where it is in another tree, which has the same views.
  func move(_ view: ViewIndex, from old: ViewTree, to new: ViewTree) {
    guard let superview = old[view].parent else { return }
    gridOfView[Int(superview.rawValue)]?._withUnsafeGuaranteedRef {
      $0.move(view, from: old, to: new)
    }
  }

  /// The bytes that they occupy.
  var byteCount: Int { gridOfView.byteCount + grids.reduce(0) { $0 + $1.byteCount } }
}
