/// Fills the cells of a ``HitGrid``: into each, from front to back, the regions that meet it,
/// without those that lie behind one that covers them there.
struct GridFiller {
  /// A cell's whole list, where it is longer than the cell holds.
  struct List {
    var cell: Int
    var words: [UInt64]
  }

  /// The cells. While they are filled, the last word of each holds its state: in the low byte how
  /// many words it has, in the next bit whether it is closed, in the high half the place in
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
  mutating func fill(_ regions: [UInt32], _ rects: [Edges], _ specials: [HitSpecial]) -> Bool {
    for payload in regions where openCount > 0 {
      if payload < HitWord.firstSpecial {
        add(payload, rects[Int(payload)], covers: true, rects, specials)
      } else {
        let special = specials[Int(payload - HitWord.firstSpecial)]
        add(payload, special.rect, covers: special.isCertain, rects, specials)
      }
      if allowance < 0 { return false }
    }
    return true
  }

  private mutating func add(
    _ payload: UInt32, _ rect: Edges, covers: Bool, _ rects: [Edges], _ specials: [HitSpecial]
  ) {
    let left = grid.stepsX(rect.x0)
    let right = grid.stepsX(rect.x1)
    let top = grid.stepsY(rect.y0)
    let bottom = grid.stepsY(rect.y1)
    let bits = HitGrid.stepBits
    for row in top >> bits...bottom >> bits {
      var rowCodes: UInt32 = 0
      if row == top >> bits { rowCodes |= UInt32(top & 63 + 1) << 8 }
      if row == bottom >> bits { rowCodes |= UInt32(64 - bottom & 63) << 24 }
      var column = nextOpen(left >> bits, row)
      while column <= right >> bits {
        var codes = rowCodes
        if column == left >> bits { codes |= UInt32(left & 63 + 1) }
        if column == right >> bits { codes |= UInt32(64 - right & 63) << 16 }
        let word = UInt64(payload) << 32 | UInt64(codes)
        append(word, rect, covers: covers, column, row, rects, specials)
        column = nextOpen(column + 1, row)
      }
    }
  }

  private mutating func append(
    _ word: UInt64, _ rect: Edges, covers: Bool, _ column: Int, _ row: Int, _ rects: [Edges],
    _ specials: [HitSpecial]
  ) {
    let cell = row * grid.columns + column
    let first = cell * HitLine.wordCount
    let count = Int(words[first + GridFiller.kept] & 0xFF)
    let codes = UInt32(truncatingIfNeeded: word)
    for place in first..<first + count {
      // In front, and no edge of it within the cell is on the inner side.
      let front = UInt32(truncatingIfNeeded: words[place])
      if ((codes | HitLine.tops) &- front) & HitLine.tops == HitLine.tops,
        isCovered(rect, by: words[place], rects, specials)
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
  private func isCovered(
    _ rect: Edges, by word: UInt64, _ rects: [Edges], _ specials: [HitSpecial]
  ) -> Bool {
    let payload = UInt32(truncatingIfNeeded: word >> 32)
    let front: Edges
    if payload < HitWord.firstSpecial {
      front = rects[Int(payload)]
    } else {
      let special = specials[Int(payload - HitWord.firstSpecial)]
      guard special.isCertain else { return false }
      front = special.rect
    }
    return (word & 0xFF == 0 || front.x0 <= rect.x0)
      && (word & 0xFF00 == 0 || front.y0 <= rect.y0)
      && (word & 0xFF_0000 == 0 || front.x1 >= rect.x1)
      && (word & 0xFF00_0000 == 0 || front.y1 >= rect.y1)
  }

  private mutating func appendOverflow(_ word: UInt64, _ state: Int) {
    let place = Int32(overflow.count)
    overflow.append(word)
    let last = Int(words[state] >> 32) - 1
    if last < 0 {
      overflowNext.append(place)
    } else {
      overflowNext.append(overflowNext[last])
      overflowNext[last] = place
    }
    words[state] = words[state] & 0xFFFF_FFFF | UInt64(place + 1) << 32
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
    var place = first + column
    var next = Int(open[place])
    while next != place {
      open[place] = open[next]
      place = next
      next = Int(open[place])
    }
    return place - first
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
      var place = last
      repeat {
        place = Int(overflowNext[place])
        list.append(overflow[place])
      } while place != last
      if list.count == HitLine.wordCount, state & GridFiller.closed != 0 {
        words[first + GridFiller.kept] = list[GridFiller.kept]
      } else {
        lists.append(List(cell: cell, words: list))
      }
    }
    return lists
  }
}
