import TouchModel

/// The grids over the subviews of wide views, made when one is first asked for.
final class SubviewGrids {
  /// For each view the number of its grid, or 0.
  private let numbers: LookupMemory<Int32>
  private var grids: [SubviewGrid] = []

  /// Grids for a layout of so many views.
  init(viewCount: Int) { numbers = LookupMemory(zeros: viewCount) }

  deinit { numbers.deallocate() }

  /// The grid over the subviews of a view.
  func grid(of view: ViewIndex, in tree: ViewTree) -> SubviewGrid {
    let number = numbers[Int(view.rawValue)]
    if number > 0 { return grids[Int(number) - 1] }
    let grid = SubviewGrid(of: view, in: tree)
    grids.append(grid)
    numbers.base[Int(view.rawValue)] = Int32(grids.count)
    return grid
  }

  /// Puts a view where it is in another tree, which has the same views.
  func move(_ view: ViewIndex, from old: ViewTree, to new: ViewTree) {
    guard let superview = old[view].parent else { return }
    let number = numbers[Int(superview.rawValue)]
    if number > 0 { grids[Int(number) - 1].move(view, from: old, to: new) }
  }

  /// The bytes that they occupy.
  var byteCount: Int { numbers.byteCount + grids.reduce(0) { $0 + $1.byteCount } }
}
