import Glibc
import Layout
import Measuring
import TouchModel

/// Lookups as a finger finds them: between two of them the caches are swept, so that each has to
/// fetch what it looks at.
enum ColdLookups {
  /// As much memory is read between two lookups.
  private static let sweptBytes = 96 << 20
  /// Lookups of each contender, of which the median is told.
  private static let rounds = 101

  static func time() throws(LayoutError) {
    print(
      """

      cold: between two lookups \(sweptBytes >> 20) MB of other memory are read; us a lookup, and
      how many times one plain load takes, which is measured in the same way

      """)
    let layouts: [(String, LayoutDescription)] = [
      ("small 12", Layouts.small()),
      ("panel of 1,000", Layouts.nested([4, 2, 3, 2], [2, 2, 2, 2])),
      ("wide 10,000", Layouts.wide(10_000)), ("wide 1,000,000", Layouts.wide(1_000_000)),
      ("chain 1,000 x 8", Layouts.chain(depth: 1000, siblings: 8)),
      ("nested 100x100x100", Layouts.nested([10, 10, 10], [10, 10, 10])),
    ]
    print(row(["layout", "compiled", "recursion", "one load", "comp/load", "rec/comp"]))
    let sweeper = Sweeper(bytes: sweptBytes)
    for (name, description) in layouts {
      let times = try time(description, sweeper)
      print(
        row(
          [name] + times.map { fixed($0 / 1000, 2) }
            + [fixed(times[0] / times[2], 1), fixed(times[1] / times[0], 1)]))
      fflush(nil)
    }
  }

  /// Nanoseconds of a lookup, of one by the recursion, and of a load.
  private static func time(
    _ description: LayoutDescription, _ sweeper: Sweeper
  ) throws(LayoutError) -> [Double] {
    var limits = LayoutLimits.default
    limits.views = 2_000_000
    let layout = try Layout(description, limits: limits)
    let tester = HitTester(layout)
    let recursion = PlainRecursion(layout)
    let screen = ScreenIndex(0)
    var random = SeededGenerator(state: 7)
    var times: [[Double]] = [[], [], []]
    for _ in 0..<rounds {
      let point = Point(
        x: Double.random(in: 0..<Layouts.size.width, using: &random),
        y: Double.random(in: 0..<Layouts.size.height, using: &random))
      times[0].append(sweeper.timed { Int(tester.hitTest(point, on: screen)?.rawValue ?? -1) })
      times[1].append(sweeper.timed { Int(recursion.hitTest(point)) })
      let place = Int.random(in: 0..<sweeper.count, using: &random)
      times[2].append(sweeper.timed { sweeper.load(place) })
    }
    return times.map(median)
  }

  private static func row(_ cells: [String]) -> String {
    cells.enumerated().map { index, cell in
      let padding = String(repeating: " ", count: max(1, (index == 0 ? 20 : 11) - cell.count))
      return index == 0 ? cell + padding : padding + cell
    }.joined()
  }
}

/// Memory that is large enough to drive everything else out of the caches.
private final class Sweeper {
  /// Words of the memory of which one is loaded, which is another one.
  let count: Int
  private let swept: UnsafeMutableBufferPointer<Int>
  private let loaded: UnsafeMutableBufferPointer<Int>
  /// Keeps what was read from being thrown away.
  private var sink = 0

  private static let line = 64 / MemoryLayout<Int>.stride

  init(bytes: Int) {
    let words = bytes / MemoryLayout<Int>.stride
    swept = .allocate(capacity: words)
    swept.initialize(repeating: 1)
    count = words / 4
    loaded = .allocate(capacity: count)
    loaded.initialize(repeating: 2)
  }

  deinit {
    swept.deallocate()
    loaded.deallocate()
  }

  func load(_ place: Int) -> Int { loaded[place] }

  /// Nanoseconds of a piece of work that finds the caches full of other things.
  func timed(_ work: () -> Int) -> Double {
    for place in stride(from: 0, to: swept.count, by: Self.line) { sink &+= swept[place] }
    // The clock is not what is measured.
    _ = Self.nanoseconds()
    let start = Self.nanoseconds()
    let answer = work()
    let end = Self.nanoseconds()
    sink &+= answer
    return Double(end - start)
  }

  private static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
