/// A space's regions by the bands of rows of its grid that they meet, in each from front to back.
struct Bands {
  /// A region, as it is filled in.
  struct Region {
    var payload: UInt32
    var rect: Edges
  }

  /// How many bands there are.
  private(set) var count = 0
  private let rowCount: Int
  private let rowsPerBand: Int
  private var all: [Region] = []
  /// For each band, and one past them, where its regions begin.
  private var starts: [Int] = []

  /// Cells of a band, about: as many as a processor's own cache holds.
  private static let cellCount = 4096
  /// Where regions meet more bands than these in the mean, they cost more than they save.
  private static let bandsPerRegion = 3
  /// So do they where fewer than one of these regions lies in another band than the one before it.
  private static let regionsPerStep = 8

  /// Nil where a grid is filled as well without bands.
  init?(_ payloads: [UInt32], of table: HitRegions, in grid: HitGrid) {
    rowCount = grid.rows
    rowsPerBand = max(1, Self.cellCount / grid.columns)
    divide(payloads, of: table, in: grid)
    guard count > 1 else { return nil }
    all = Array(repeating: Region(payload: 0, rect: .unbounded), count: starts[count])
    var next = starts
    for payload in payloads {
      let region = Region(payload: payload, rect: table.rect(of: payload))
      for band in bands(of: region.rect, in: grid) {
        all[next[band]] = region
        next[band] += 1
      }
    }
  }

  /// Makes as many bands as are worth it, and finds out where the regions of each begin.
  private mutating func divide(_ payloads: [UInt32], of table: HitRegions, in grid: HitGrid) {
    let most = (rowCount + rowsPerBand - 1) / rowsPerBand
    guard most > 1 else { return }
    var counts = Array(repeating: 0, count: most + 1)
    var sum = 0
    var steps = 0
    var before = 0
    for payload in payloads {
      let bands = bands(of: table.rect(of: payload), in: grid)
      sum += bands.count
      steps += bands.lowerBound == before ? 0 : 1
      before = bands.lowerBound
      if sum > Self.bandsPerRegion * payloads.count + most { return }
      for band in bands { counts[band + 1] += 1 }
    }
    guard steps * Self.regionsPerStep >= payloads.count else { return }
    for band in 0..<most { counts[band + 1] += counts[band] }
    starts = counts
    count = most
  }

  private func bands(of rect: Edges, in grid: HitGrid) -> ClosedRange<Int> {
    let top = grid.stepsY(rect.y0) >> HitGrid.stepBits
    let bottom = grid.stepsY(rect.y1) >> HitGrid.stepBits
    return top / rowsPerBand...bottom / rowsPerBand
  }

  /// The rows of a band.
  func rows(of band: Int) -> Range<Int> {
    band * rowsPerBand..<min(rowCount, (band + 1) * rowsPerBand)
  }

  /// The regions that meet a band.
  func regions(of band: Int) -> ArraySlice<Region> { all[starts[band]..<starts[band + 1]] }
}
