import TouchModel

/// Finds those subviews of a wide view that may have a say at a point: grids over the view's own
/// coordinates, each with cells twice as long and wide as the one before, in which a subview lies
/// in at most four cells of the first that is coarse enough. So a subview that moves costs the same
/// however many there are, and what the superview scrolls by or where it lies is of no account.
final class SubviewGrid {
  private struct Entry: BitwiseCopyable {
    var subview: Int32
    /// The next one of its cell towards the back, or -1; of an unused one the next unused.
    var next: Int32
  }

  /// One grid.
  private struct Level: BitwiseCopyable {
    /// Its first cell.
    var first: Int
    var columns: Int
    /// How many entries its cells have.
    var count = 0
  }

  private let originX: Double
  private let originY: Double
  /// Cells of the finest grid for each point.
  private let scaleX: Double
  private let scaleY: Double
  private let columns: Int
  private let rows: Int
  /// From fine to coarse; the last has one cell.
  private let levels: LookupMemory<Level>
  /// A bit for each level that has entries.
  private var usedLevels: UInt64 = 0
  /// The frontmost entry of each cell, or -1.
  private let cells: LookupMemory<Int32>
  private var entries: LookupMemory<Entry>
  /// How many entries were ever used.
  private var entryCount = 0
  /// The first unused entry, or -1.
  private var unused: Int32 = -1

  /// The grids over all subviews of a view.
  init(of view: ViewIndex, in tree: ViewTree) {
    var boxes: [(subview: Int32, box: Edges)] = []
    var subview = tree[view].lastChild
    while subview >= 0 {
      boxes.append((subview, Self.box(of: ViewIndex(subview), in: tree)))
      subview = tree.views[Int(subview)].previousSibling
    }
    let finite = boxes.map(\.box).filter { $0.isFinite && !$0.isEmpty }
    let extent = finite.dropFirst().reduce(finite.first ?? Edges(x0: 0, y0: 0, x1: 0, y1: 0)) {
      $0.union($1)
    }
    (columns, rows) = Self.divisions(of: extent, for: finite)
    originX = extent.x0
    originY = extent.y0
    scaleX = Self.scale(columns, extent.x1 - extent.x0)
    scaleY = Self.scale(rows, extent.y1 - extent.y0)
    var levels: [Level] = []
    var cellCount = 0
    var (width, height) = (columns, rows)
    while true {
      levels.append(Level(first: cellCount, columns: width))
      cellCount += width * height
      if width * height == 1 { break }
      (width, height) = ((width + 1) / 2, (height + 1) / 2)
    }
    self.levels = LookupMemory(levels)
    cells = LookupMemory(count: cellCount)
    cells.base.initialize(repeating: -1, count: cellCount)
    entries = LookupMemory(count: boxes.count * 2)
    // From the back, so that each comes first in its cells.
    for (subview, box) in boxes.reversed() { insert(subview, box) }
  }

  deinit {
    levels.deallocate()
    cells.deallocate()
    entries.deallocate()
  }

  private static func scale(_ cells: Int, _ length: Double) -> Double {
    let scale = Double(cells) / length
    return length > 0 && scale.isFinite ? scale : 0
  }

  /// Columns and rows of about as many cells as there are subviews, in their mean proportions.
  private static func divisions(of extent: Edges, for boxes: [Edges]) -> (Int, Int) {
    let width = boxes.reduce(0) { $0 + ($1.x1 - $1.x0) }
    let height = boxes.reduce(0) { $0 + ($1.y1 - $1.y0) }
    let count = Double(boxes.count)
    let across = count * (extent.x1 - extent.x0) / width
    let down = count * (extent.y1 - extent.y0) / height
    let columns = (count * across / down).squareRoot()
    guard columns.isFinite else { return (1, 1) }
    let whole = min(max(columns.rounded(), 1), count)
    return (Int(whole), max(1, Int((count / whole).rounded())))
  }

  /// Edges, in the superview's coordinates, around all points at which a subview has a say: there
  /// it may find something or be inside.
  private static func box(of subview: ViewIndex, in tree: ViewTree) -> Edges {
    let view = tree[subview]
    var edges = tree.plainEdges(of: subview)
    if view.extrasIndex >= 0 {
      guard tree.extras(of: view).confines else { return .unbounded }
      edges = tree.touchRegion(of: subview).edges
    }
    let step = tree.step(of: view)
    guard step.isTranslation else {
      return edges.isEmpty
        ? edges : tree.reach(of: edges, in: subview.rawValue, root: view.rawParent)
    }
    return Edges(
      x0: Threshold.beforeAdding(step.offset.x, reaches: edges.x0),
      y0: Threshold.beforeAdding(step.offset.y, reaches: edges.y0),
      x1: Threshold.beforeAdding(step.offset.x, reaches: edges.x1),
      y1: Threshold.beforeAdding(step.offset.y, reaches: edges.y1))
  }

  // MARK: - Changes

  /// Puts a subview where it is in another tree.
  func move(_ subview: ViewIndex, from old: ViewTree, to new: ViewTree) {
    let before = Self.box(of: subview, in: old)
    let after = Self.box(of: subview, in: new)
    if before == after { return }
    remove(subview.rawValue, before)
    insert(subview.rawValue, after)
  }

  private func insert(_ subview: Int32, _ box: Edges) {
    forEachCell(of: box) { cell in
      let entry = take()
      // In front of the first that lies behind it.
      var before: Int32 = -1
      var next = cells[cell]
      while next >= 0, entries[Int(next)].subview > subview {
        before = next
        next = entries[Int(next)].next
      }
      entries.base[Int(entry)] = Entry(subview: subview, next: next)
      if before < 0 { cells.base[cell] = entry } else { entries.base[Int(before)].next = entry }
      return 1
    }
  }

  private func remove(_ subview: Int32, _ box: Edges) {
    forEachCell(of: box) { cell in
      var before: Int32 = -1
      var entry = cells[cell]
      while entries[Int(entry)].subview != subview {
        before = entry
        entry = entries[Int(entry)].next
      }
      let next = entries[Int(entry)].next
      if before < 0 { cells.base[cell] = next } else { entries.base[Int(before)].next = next }
      entries.base[Int(entry)].next = unused
      unused = entry
      return -1
    }
  }

  /// An entry that is not in use.
  private func take() -> Int32 {
    guard unused < 0 else {
      defer { unused = entries[Int(unused)].next }
      return unused
    }
    if entryCount == entries.count {
      let more = LookupMemory<Entry>(count: max(16, entryCount * 2))
      more.base.initialize(from: entries.base, count: entryCount)
      entries.deallocate()
      entries = more
    }
    entryCount += 1
    return Int32(entryCount - 1)
  }

  /// Changes the cells of a box; `change` says how many more entries one has.
  private func forEachCell(of box: Edges, _ change: (Int) -> Int) {
    if box.isEmpty { return }
    var (left, right) = (column(box.x0), column(box.x1))
    var (top, bottom) = (row(box.y0), row(box.y1))
    var level = 0
    while level < levels.count - 1, right - left > 1 || bottom - top > 1 {
      (left, right, top, bottom) = (left / 2, right / 2, top / 2, bottom / 2)
      level += 1
    }
    for row in top...bottom {
      for column in left...right {
        let cell = levels[level].first + row * levels[level].columns + column
        let more = change(cell)
        levels.base[level].count += more
      }
    }
    let bit = UInt64(1) << UInt64(level)
    if levels[level].count > 0 { usedLevels |= bit } else { usedLevels &= ~bit }
  }

  // The order of two numbers is never changed, whatever is rounded: a point that is between two
  // edges is so in cells too.
  private func column(_ x: Double) -> Int { Self.cell((x - originX) * scaleX, columns) }
  private func row(_ y: Double) -> Int { Self.cell((y - originY) * scaleY, rows) }

  private static func cell(_ number: Double, _ count: Int) -> Int {
    // A NaN, of an unbounded edge in a grid without extent, comes out as 0.
    number > 0 ? (number < Double(count - 1) ? Int(number) : count - 1) : 0
  }

  // MARK: - Lookups

  /// The first answer that a subview gives at a point, from the front; `ask` may be called for
  /// subviews that lie behind the one that answers.
  @inline(__always)
  func frontmost<Answer>(at point: Point, _ ask: (Int32) -> Answer?) -> Answer? {
    let column = column(point.x)
    let row = row(point.y)
    var best: Answer?
    var bestSubview: Int32 = -1
    var left = usedLevels
    while left != 0 {
      let number = left.trailingZeroBitCount
      left &= left &- 1
      let level = levels[number]
      var entry = cells[level.first &+ (row &>> number) &* level.columns &+ (column &>> number)]
      while entry >= 0, entries[Int(entry)].subview > bestSubview {
        let subview = entries[Int(entry)].subview
        if let answer = ask(subview) {
          best = answer
          bestSubview = subview
        }
        entry = entries[Int(entry)].next
      }
    }
    return best
  }

  /// The bytes that it occupies.
  var byteCount: Int { levels.byteCount + cells.byteCount + entries.byteCount }
}
