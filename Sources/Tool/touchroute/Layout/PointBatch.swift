import Glibc
import Layout
import LayoutDrawing
import TouchModel
import TouchScripts

/// Many points of one screen, from a file.
struct PointBatch {
  let points: [Point]
  let screen: ScreenIndex

  /// Reads a point a line; lines without anything are left out.
  init(file: String, screen: ScreenIndex) throws(ScriptError) {
    self.screen = screen
    let lines = try TextLines(file: file)
    var points: [Point] = []
    while let line = try lines.next() {
      let words = line.split(whereSeparator: \.isWhitespace)
      if words.isEmpty { continue }
      let coordinates = words.compactMap { Double($0) }.filter(\.isFinite)
      guard words.count == 2, coordinates.count == 2 else {
        throw lines.failure("a line must be two numbers, X Y")
      }
      points.append(Point(x: coordinates[0], y: coordinates[1]))
    }
    self.points = points
  }

  /// Prints a target's path for each point; timed, the figures go to standard error.
  func run(
    _ layout: Layout, isTimed: Bool, output: Output
  ) throws(Failure) {
    let (tester, build) = Self.measured { HitTester(layout) }
    let bounds = layout.bounds(of: screen)
    let tested = points.map { bounds.contains($0) ? $0 : nil }
    for point in tested {
      let target = point.flatMap { tester.hitTest($0, on: screen) }
      try output.line(target.map(layout.path(of:)) ?? "-")
    }
    guard isTimed else { return }
    try output.flush()
    let lookups = tested.compactMap(\.self)
    if lookups.isEmpty { throw Failure("no point is on the screen, so there is nothing to time") }
    let figures = "ns/lookup: \(median(of: lookups, tester))\nbuild: \(build / 1_000_000) ms\n"
    _ = Array(figures.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Nanoseconds of one lookup: the median over rounds of all points, of which there are at least
  /// five, and as many as fit into a second.
  private func median(of points: [Point], _ tester: HitTester) -> String {
    var rounds: [UInt64] = []
    var total: UInt64 = 0
    // What is found is summed up, so that nothing can be left out.
    var found: Int64 = 0
    while rounds.count < 5 || total < 1_000_000_000 && rounds.count < 1001 {
      let (sum, duration) = Self.measured {
        points.reduce(into: Int64(0)) { sum, point in
          sum += Int64(tester.hitTest(point, on: screen)?.rawValue ?? -1)
        }
      }
      found &+= sum
      rounds.append(duration)
      total += duration
    }
    precondition(found == found / Int64(rounds.count) * Int64(rounds.count), "answers differ")
    let middle = rounds.sorted()[rounds.count / 2]
    return Text.number(Double(middle) / Double(points.count))
  }

  /// What a piece of work gives, and the nanoseconds that it takes.
  private static func measured<Result>(_ work: () -> Result) -> (Result, UInt64) {
    let start = nanoseconds()
    let result = work()
    return (result, nanoseconds() - start)
  }

  private static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
