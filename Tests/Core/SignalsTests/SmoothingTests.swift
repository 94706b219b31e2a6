import TestSupport
import Testing
import TouchModel

@testable import Signals

@Suite("Smoothing (N4)")
struct SmoothingTests {
  // MARK: tslib

  /// tslib's iir works in whole units and rounds up from a half: so does this.
  private func tslibIIR(_ recording: Recording) -> [[Double]] {
    var filters: [Int32: IIRFilter] = [:]
    return recording.samples.map { sample in
      guard sample.isDown else {
        filters[sample.slot] = nil
        return [Double(sample.slot), sample.point.x, sample.point.y, 0]
      }
      var filter = filters[sample.slot] ?? IIRFilter(weight: 0.8, from: sample.point)
      if filters[sample.slot] != nil { _ = filter.filter(sample.point) }
      filter.point.x = (filter.point.x + 0.5 - 1e-9).rounded(.down)
      filter.point.y = (filter.point.y + 0.5 - 1e-9).rounded(.down)
      filters[sample.slot] = filter
      return [Double(sample.slot), filter.point.x, filter.point.y, 255]
    }
  }

  @Test(
    "iir makes of recordings what tslib's iir of N=8 D=10 makes of them, once it is rounded (N4)",
    arguments: [
      ("Atmel maXTouch Touchscreen.1-finger-drag-up-down", "tslib-iir-1-finger"),
      ("Atmel maXTouch Touchscreen.4-finger-drag-down", "tslib-iir-4-fingers"),
    ])
  func iir(_ recording: String, _ table: String) throws {
    let expected = try Table.read(table)
    #expect(expected.count > 100)
    #expect(try tslibIIR(Recording(recording)) == expected)
  }

  @Test("median is tslib's of depth 7 from the seventh sample on; before, tslib has zeros (N4)")
  func median() throws {
    let expected = try Table.read("tslib-median-1-finger")
    let samples = try Recording("Atmel maXTouch Touchscreen.1-finger-drag-up-down").samples
    var filter = MedianFilter(depth: 7, from: samples[0].point)
    var points: [[Double]] = []
    for sample in samples.dropLast() {
      let point = filter.filter(sample.point)
      points.append([Double(sample.slot), point.x, point.y, 255])
    }
    // tslib drops the first three, which its zeros win.
    let differing = points.indices.dropFirst(3).filter { points[$0] != expected[$0 - 3] }
    #expect(points.count == 149 && expected.count == 147)
    #expect(differing.allSatisfy { $0 < 6 }, "\(differing)")
    #expect(points[0] == [0, 361, 379, 255])
  }

  @Test("tslib's debounce keeps one of nine fast taps; bridge and min_contact_ms keep all (N2, N3)")
  func fastTaps() throws {
    #expect(try Table.read("tslib-debounce-fast-taps").count == 2)
    var bench = SignalBench {
      $0.bridge = .init(milliseconds: 25)
      $0.minimumContactMilliseconds = 15
    }
    for report in try Recording("Atmel maXTouch Touchscreen.1-finger-fast-taps").reports {
      bench.take(report)
    }
    bench.play("9000 time")
    let counts = bench.beganAndEnded
    #expect(counts.began == 9 && counts.ended == 9)
  }

  @Test("dejitter weighs as tslib does: 10 and 6, 8, 5 and 3, then 6, 4, 3 and 3 sixteenths (N4)")
  func dejitter() {
    var filter = DejitterFilter(distance: 100, from: .zero)
    let made = [16.0, 0, 0, 0, 0, 0].map { filter.filter(Point(x: $0, y: -$0)) }
    #expect(made.map(\.x) == [10, 5, 3, 3, 0, 0])
    #expect(made.map(\.y) == [-10, -5, -3, -3, 0, 0])
    #expect(filter.filter(Point(x: 101, y: 0)) == Point(x: 101, y: 0))
    #expect(filter.filter(Point(x: 117, y: 0)) == Point(x: 111, y: 0))
  }

  // MARK: One Euro

  @Test("one_euro makes the numbers of its authors' reference (N4)")
  func oneEuro() throws {
    let rows = try Table.read("one-euro")
    #expect(rows.count == 1200)
    var axis = OneEuroFilter.Axis(rows[0][1])
    var worst = 0.0
    for (before, row) in zip(rows, rows.dropFirst()) {
      let made = axis.filter(row[1], seconds: row[0] - before[0], minimumCutoff: 1, beta: 0.1)
      worst = max(worst, (made - row[2]).magnitude)
    }
    #expect(worst < 5e-5, "\(worst)")
  }

  // MARK: Bounds

  @Test("no smoothing moves a point by more than its bound, nor where a contact begins (N4)")
  func bound() {
    let seed = Seeds.fresh()
    var random = SeededGenerator(seed: seed)
    for smoothing in [
      SignalSettings.Smoothing.median(depth: 9), .iir(weight: 0.95), .dejitter(distance: 10_000),
      .oneEuro(minimumCutoff: 0.1, beta: 0),
    ] {
      let start = Point(x: 300, y: 300)
      var smoother = Smoother(smoothing, from: start, at: Timestamp(microseconds: 0))
      #expect(smoother.filter(start, at: Timestamp(microseconds: 0)).distance(to: start) < 1e-9)
      for step in 1...500 {
        let point = Point(
          x: .random(in: 0..<800, using: &random), y: .random(in: 0..<480, using: &random))
        let made = smoother.filter(point, at: Timestamp(microseconds: UInt64(step) * 8_000))
        #expect(made.distance(to: point) <= Smoother.bound + 1e-9, "seed \(seed)")
      }
    }
  }

  @Test("one_euro by default cuts jitter by 3, and lags 2 points at 1,000 points a second (N4)")
  func defaults() {
    let seed = Seeds.fresh()
    var random = SeededGenerator(seed: seed)
    let smoothing = SignalSettings.Smoothing.oneEuro(
      minimumCutoff: SignalDefaults.oneEuroMinimumCutoff, beta: SignalDefaults.oneEuroBeta)
    func jitter() -> Double {
      (0..<12).reduce(-6) { sum, _ in sum + .random(in: 0..<1, using: &random) }
    }
    var rest = Smoother(smoothing, from: Point(x: 100, y: 100), at: Timestamp(microseconds: 0))
    var (raw, made) = (0.0, 0.0)
    for step in 1...4_000 {
      let point = Point(x: 100 + jitter(), y: 100 + jitter())
      let smooth = rest.filter(point, at: Timestamp(microseconds: UInt64(step) * 10_000))
      guard step > 100 else { continue }
      raw += (point.x - 100) * (point.x - 100)
      made += (smooth.x - 100) * (smooth.x - 100)
    }
    #expect((raw / made).squareRoot() >= 3, "\((raw / made).squareRoot()), seed \(seed)")
    var moving = Smoother(smoothing, from: .zero, at: Timestamp(microseconds: 0))
    var lag = 0.0
    for step in 1...200 {
      let point = Point(x: Double(step) * 10, y: 0)
      lag = point.x - moving.filter(point, at: Timestamp(microseconds: UInt64(step) * 10_000)).x
    }
    #expect(lag > 0 && lag <= 2, "\(lag)")
  }
}
