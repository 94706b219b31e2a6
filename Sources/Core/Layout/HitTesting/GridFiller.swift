/// Fills the cells of a ``HitGrid``: into each, from front to back, the regions that meet it,
/// without those that lie behind one that covers them there.
struct GridFiller {
  /// A cell's whole list, where it is longer than the cell holds.
  struct List {
    var cell: Int
    var words: [UInt64]
  }

  /// The cells. While they are filled, the last word of each holds its state: in the low byte how
  /// many words it has, in the next bit whether it is closed, in the high half the index in
  /// `overflow` of its last word there, plus 1.
  var words: [UInt64]

  private let grid: HitGrid
  /// Words that may yet be added before the grid is too fine for its regions.
  private var allowance: Int
  /// What the cells don't hold; of each cell in a ring, the last leads to the first.
  private var overflow: [UInt64] = []
  private var overflowNext: [Int32] = []
  /// For each cell of a row, and one past them: itself while it is open, else a cell further on.
  private var open: [Int32]
  private var openCount: Int

  private static let kept = HitLine.wordCount - 1
  private static let closed: UInt64 = 1 << 8

  init(_ grid: HitGrid, allowance: Int) {
    self.grid = grid
    self.allowance = allowance
    openCount = grid.columns * grid.rows
    words = Array(repeating: 0, count: openCount * HitLine.wordCount)
    open = Array(0..<Int32((grid.columns + 1) * grid.rows))
  }

  /// Whether the regions, given from front to back, fit the allowance.
  ///
  /// Cells know nothing of each other, so a large grid is filled band by band: the cells of one
  /// stay in the cache until it is full.
  mutating func fill(_ regions: [UInt32], of table: HitRegions) -> Bool {
    guard let bands = Bands(regions, of: table, in: grid) else {
      for payload in regions where openCount > 0 {
        let region = Bands.Region(payload: payload, rect: table.rect(of: payload))
        add(region, in: 0..<grid.rows, covers: table.isCertain(payload), table)
        if allowance < 0 { return false }
      }
      return true
    }
    for band in 0..<bands.count {
      let rows = bands.rows(of: band)
      for region in bands.regions(of: band) where openCount > 0 {
        add(region, in: rows, covers: table.isCertain(region.payload), table)
        if allowance < 0 { return false }
      }
    }
    return true
  }

  private mutating func add(
    _ region: Bands.Region, in rows: Range<Int>, covers: Bool, _ table: HitRegions
  ) {
    let rect = region.rect
    let left = grid.stepsX(rect.x0)
    let right = grid.stepsX(rect.x1)
    let top = grid.stepsY(rect.y0)
    let bottom = grid.stepsY(rect.y1)
    let bits = HitGrid.stepBits
    for row in max(top >> bits, rows.lowerBound)..<min(bottom >> bits + 1, rows.upperBound) {
      var rowCodes: UInt32 = 0
      if row == top >> bits { rowCodes |= UInt32(top & 63 + 1) << 8 }
      if row == bottom >> bits { rowCodes |= UInt32(64 - bottom & 63) << 24 }
      var column = nextOpen(left >> bits, row)
      while column <= right >> bits {
        var codes = rowCodes
        if column == left >> bits { codes |= UInt32(left & 63 + 1) }
        if column == right >> bits { codes |= UInt32(64 - right & 63) << 16 }
        let word = UInt64(region.payload) << 32 | UInt64(codes)
        append(word, rect, covers: covers, column, row, table)
        column = nextOpen(column + 1, row)
      }
    }
  }

  private mutating func append(
    _ word: UInt64, _ rect: Edges, covers: Bool, _ column: Int, _ row: Int, _ table: HitRegions
  ) {
    let cell = row * grid.columns + column
    let first = cell * HitLine.wordCount
    let count = Int(words[first + GridFiller.kept] & 0xFF)
    let codes = UInt32(truncatingIfNeeded: word)
    for index in first..<first + count {
      // In front, and no edge of it within the cell is on the inner side.
      let front = UInt32(truncatingIfNeeded: words[index])
      if ((codes | HitLine.tops) &- front) & HitLine.tops == HitLine.tops,
        isCovered(rect, by: words[index], table)
      {
        return
      }
    }
    allowance -= 1
    if count < GridFiller.kept {
      words[first + count] = word
      words[first + GridFiller.kept] += 1
    } else {
      appendOverflow(word, first + GridFiller.kept)
    }
    if covers, codes == 0 { close(column, row) }
  }

  /// Whether a region covers within the cell what another, whose edges it may share, has there.
  private func isCovered(_ rect: Edges, by word: UInt64, _ table: HitRegions) -> Bool {
    let payload = UInt32(truncatingIfNeeded: word >> 32)
    guard table.isCertain(payload) else { return false }
    let front = table.rect(of: payload)
    return (word & 0xFF == 0 || front.x0 <= rect.x0)
      && (word & 0xFF00 == 0 || front.y0 <= rect.y0)
      && (word & 0xFF_0000 == 0 || front.x1 >= rect.x1)
      && (word & 0xFF00_0000 == 0 || front.y1 >= rect.y1)
  }

  private mutating func appendOverflow(_ word: UInt64, _ state: Int) {
    let index = Int32(overflow.count)
    overflow.append(word)
    let last = Int(words[state] >> 32) - 1
    if last < 0 {
      overflowNext.append(index)
    } else {
      overflowNext.append(overflowNext[last])
      overflowNext[last] = index
    }
    words[state] = words[state] & 0xFFFF_FFFF | UInt64(index + 1) << 32
  }

  private mutating func close(_ column: Int, _ row: Int) {
    let cell = row * grid.columns + column
    words[cell * HitLine.wordCount + GridFiller.kept] |= GridFiller.closed
    open[row * (grid.columns + 1) + column] += 1
    openCount -= 1
  }

  /// The first open cell of the row from that column on, or the number of columns.
  private mutating func nextOpen(_ column: Int, _ row: Int) -> Int {
    let first = row * (grid.columns + 1)
    var index = first + column
    var next = Int(open[index])
    while next != index {
      open[index] = open[next]
      index = next
      next = Int(open[index])
    }
    return index - first
  }

  /// Ends every list, and gives back those that are longer than their cells.
  mutating func finish() -> [List] {
    var lists: [List] = []
    for cell in 0..<grid.columns * grid.rows {
      let first = cell * HitLine.wordCount
      let state = words[first + GridFiller.kept]
      words[first + GridFiller.kept] = HitWord.end
      let count = Int(state & 0xFF)
      guard state >> 32 != 0 else {
        words[first + count] = HitWord.end
        continue
      }
      var list = Array(words[first..<first + count])
      let last = Int(state >> 32) - 1
      var index = last
      repeat {
        index = Int(overflowNext[index])
        list.append(overflow[index])
      } while index != last
      if list.count == HitLine.wordCount, state & GridFiller.closed != 0 {
        words[first + GridFiller.kept] = list[GridFiller.kept]
      } else {
        lists.append(List(cell: cell, words: list))
      }
    }
    return lists
  }
}
