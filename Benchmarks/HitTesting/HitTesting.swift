import CAllocationCount
import Layout
import Measuring
import TouchModel

/// Measures the compiled hit-tester against three ways in which such code is usually written.
///
/// Every round times each contender once over points of its own choice of number, one after the
/// other, so that whatever else the machine does meets all of them; the figures are medians.
@main struct HitTesting {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    let cases: [(String, () -> LayoutDescription)] = [
      ("small 12", Layouts.small),
      ("nested 1,000", { Layouts.nested([4, 2, 3, 2], [2, 2, 2, 2]) }),
      ("wide 1,000", { Layouts.wide(1000) }),
      ("wide 10,000", { Layouts.wide(10_000) }),
      ("wide 100,000", { Layouts.wide(100_000) }),
      ("wide 1,000,000", { Layouts.wide(1_000_000) }),
      ("nested 100x100x100", { Layouts.nested([10, 10, 10], [10, 10, 10]) }),
      ("chain 1,000 x 8", { Layouts.chain(depth: 1000, siblings: 8) }),
    ]
    print(Report.header)
    for (name, description) in cases {
      guard arguments.isEmpty || arguments.contains(name) else { continue }
      do throws(LayoutError) {
        print(try Report(name, description()))
      } catch {
        print("\(name): \(error)")
      }
    }
    func part(_ name: String, _ measure: () throws -> Void) {
      guard arguments.isEmpty || arguments.contains(name) else { return }
      do { try measure() } catch { print("\(name): \(error)") }
    }
    part("lists", Lists.time)
    part("cold", ColdLookups.time)
    part("bytes", Footprints.count)
  }
}

/// One line of the table.
struct Report: CustomStringConvertible {
  static let header = row([
    "layout", "views", "compiled", "recursion", "R-tree", "classes", "rec/comp", "R/comp",
    "cls/comp", "build ms", "B/view", "mallocs",
  ])

  private var cells: [String]

  init(_ name: String, _ description: LayoutDescription) throws(LayoutError) {
    var limits = LayoutLimits.default
    limits.views = 2_000_000
    let layout = try Layout(description, limits: limits)
    var builds: [Double] = []
    let tester = HitTester(layout)
    for _ in 0..<(layout.viewCount > 50_000 ? 5 : 50) {
      let start = processorTime()
      _ = HitTester(layout)
      builds.append((processorTime() - start) / 1e6)
    }
    let recursion = PlainRecursion(layout)
    let classes = makeClassTree(layout)
    let boost = ClippedTree(layout)
    var random = SeededGenerator(state: 7)
    let points = (0..<200_000).map { _ in
      Point(
        x: Double.random(in: 0..<Layouts.size.width, using: &random),
        y: Double.random(in: 0..<Layouts.size.height, using: &random))
    }
    let screen = ScreenIndex(0)
    var contenders = [
      Contender { tester.hitTest($0, on: screen)?.rawValue ?? -1 },
      Contender { recursion.hitTest($0) },
      Contender { boost.hitTest($0) },
      Contender { classes.hitTest($0)?.index ?? -1 },
    ]
    Report.compare(contenders, points)
    let before = allocation_count()
    for point in points { contenders[0].sink &+= Int(contenders[0].find(point)) }
    let allocations = allocation_count() - before
    for _ in 0..<21 {
      for index in contenders.indices { contenders[index].round(points) }
    }
    let times = contenders.map { median($0.times) }
    cells = [name, "\(layout.viewCount)"]
    cells += times.map { fixed($0, $0 < 1000 ? 1 : 0) }
    cells += times.dropFirst().map { fixed($0 / times[0], 1) }
    cells.append(fixed(median(builds), 3))
    cells.append(fixed(Double(tester.compiledByteCount) / Double(layout.viewCount), 0))
    cells.append("\(allocations)")
  }

  /// The contenders agree, but for points so near to an edge that their roundings differ.
  private static func compare(_ contenders: [Contender], _ points: [Point]) {
    let clock = ContinuousClock()
    for contender in contenders.dropFirst() {
      let start = clock.now
      var differences = 0
      var count = 0
      for point in points.prefix(10_000) where clock.now - start < .milliseconds(200) {
        if contender.find(point) != contenders[0].find(point) { differences += 1 }
        count += 1
      }
      if differences > 0 { print("\(differences) of \(count) answers differ") }
    }
  }

  var description: String { Report.row(cells) }

  private static func row(_ cells: [String]) -> String {
    cells.enumerated().map { index, cell in
      let width = index == 0 ? 20 : 10
      let padding = String(repeating: " ", count: max(0, width - cell.count))
      return index == 0 ? cell + padding : padding + cell
    }.joined()
  }
}

/// One way of finding the view under a point.
struct Contender {
  let find: (Point) -> Int32
  /// Nanoseconds a lookup, of each round.
  var times: [Double] = []
  /// Keeps the answers from being thrown away.
  var sink = 0
  /// So many points that a round takes about 20 ms.
  private var count = 0

  init(_ find: @escaping (Point) -> Int32) { self.find = find }

  mutating func round(_ points: [Point]) {
    if count == 0 {
      let trial = time(points.prefix(8)) * 8
      count = min(points.count, max(8, Int(20e6 / max(trial / 8, 1))))
    }
    times.append(time(points.prefix(count)))
  }

  private mutating func time(_ points: ArraySlice<Point>) -> Double {
    var sum = 0
    let start = processorTime()
    for point in points { sum &+= Int(find(point)) }
    let end = processorTime()
    sink &+= sum
    return (end - start) / Double(points.count)
  }
}
