// Brings libm to the link line, for square roots and roundings.
import Glibc
import TouchModel

/// The grids of a compiled layout in the making, and the words of their cells' lists.
struct HitGrids {
  private(set) var grids: [HitGrid] = []
  private(set) var words: [UInt64] = []
  /// What grids within cells may yet take.
  private var spareWords = 0

  /// A longer list than this is worth a grid of its own.
  private static let listLimit = 16
  /// Cells for each region.
  private static let cellsPerRegion = 1.0
  /// Words that a grid's lists may take for each of its regions, and again the grids within its
  /// cells.
  private static let wordsPerRegion = 12

  /// Makes a grid of a space's regions, given from front to back; its index.
  mutating func append(_ regions: [UInt32], of table: HitRegions) -> Int {
    spareWords += HitGrids.wordsPerRegion * regions.count + 1024
    let extent = table.extent(of: regions)
    var (columns, rows) = Self.divisions(of: extent, for: regions, of: table)
    while true {
      let grid = HitGrid(
        extent, columns: columns, rows: rows, base: words.count / HitLine.wordCount)
      let isWhole = grid.columns * grid.rows == 1
      let allowance = isWhole ? .max : HitGrids.wordsPerRegion * regions.count
      var filler = GridFiller(grid, allowance: allowance)
      if filler.fill(regions, of: table) {
        return append(grid, &filler, filler.finish(), of: table, canDivide: !isWhole)
      }
      (columns, rows) = (max(1, columns / 2), max(1, rows / 2))
    }
  }

  /// Makes a grid of the regions in a cell; nil where it would not divide them well, or where there
  /// are too many such grids already.
  private mutating func append(
    _ regions: [UInt32], of table: HitRegions, ofCell cell: Int, in outer: HitGrid
  ) -> Int? {
    let extent = table.extent(of: regions).intersection(outer.area(ofCell: cell))
    let (columns, rows) = Self.divisions(of: extent, for: regions, of: table)
    let cost = columns * rows * HitLine.wordCount + regions.count
    guard spareWords >= cost else { return nil }
    let grid = HitGrid(extent, columns: columns, rows: rows, base: words.count / HitLine.wordCount)
    var filler = GridFiller(grid, allowance: HitGrids.wordsPerRegion * regions.count)
    guard filler.fill(regions, of: table) else { return nil }
    let lists = filler.finish()
    guard lists.allSatisfy({ $0.words.count * 2 <= regions.count }) else { return nil }
    spareWords -= cost
    return append(grid, &filler, lists, of: table, canDivide: true)
  }

  private mutating func append(
    _ grid: HitGrid, _ filler: inout GridFiller, _ lists: [GridFiller.List],
    of table: HitRegions, canDivide: Bool
  ) -> Int {
    words.append(contentsOf: filler.words)
    filler.words = []
    let index = grids.count
    grids.append(grid)
    for list in lists {
      let cell = (grid.base + list.cell) * HitLine.wordCount
      if canDivide, list.words.count > HitGrids.listLimit,
        let inner = append(
          list.words.map { UInt32(truncatingIfNeeded: $0 >> 32) }, of: table, ofCell: list.cell,
          in: grid)
      {
        words[cell] = UInt64(HitWord.firstGrid + UInt32(inner)) << 32
      } else {
        appendRun(list, of: cell)
      }
    }
    return index
  }

  /// Puts what is too long for a cell in a run of words.
  private mutating func appendRun(_ list: GridFiller.List, of cell: Int) {
    let run = words.count / HitLine.wordCount
    let kept = HitLine.wordCount - 1
    words[cell + kept] = UInt64(HitWord.firstRun + UInt32(run)) << 32
    words.append(contentsOf: list.words.dropFirst(kept))
    words.append(HitWord.end)
    while words.count % HitLine.wordCount != 0 { words.append(HitWord.end) }
  }

  /// Columns and rows such that cells have the proportions of the mean region.
  private static func divisions(
    of extent: Edges, for regions: [UInt32], of table: HitRegions
  ) -> (Int, Int) {
    guard regions.count >= HitLine.wordCount else { return (1, 1) }
    var width = 0.0
    var height = 0.0
    for payload in regions {
      let rect = table.rect(of: payload).intersection(extent)
      width += max(0, rect.x1 - rect.x0)
      height += max(0, rect.y1 - rect.y0)
    }
    let count = Double(regions.count)
    let across = count * (extent.x1 - extent.x0) / width
    let down = count * (extent.y1 - extent.y0) / height
    let cells = count * HitGrids.cellsPerRegion
    let columns = (cells * across / down).squareRoot()
    // A region without extent in one axis, or in none: nothing to be told apart there.
    guard columns.isFinite else { return (extent.x0 < extent.x1 ? Int(cells) : 1, 1) }
    let whole = Int(min(max(columns.rounded(), 1), cells))
    return (whole, max(1, Int((cells / Double(whole)).rounded())))
  }
}

extension HitGrid {
  /// About where a cell lies; used to divide it, never to find anything.
  func area(ofCell cell: Int) -> Edges {
    let width = scaleX > 0 ? Double(1 << HitGrid.stepBits) / scaleX : 0
    let height = scaleY > 0 ? Double(1 << HitGrid.stepBits) / scaleY : 0
    let x = originX + Double(cell % columns) * width
    let y = originY + Double(cell / columns) * height
    return Edges(x0: x, y0: y, x1: x + width, y1: y + height)
  }
}
