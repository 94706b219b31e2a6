import TestSupport
import Testing
import TouchModel

@testable import Signals

@Suite("Drift of taps (N10)")
struct DriftTests {
  /// A person who taps on a screen's buttons.
  private struct Person {
    var random: SeededGenerator
    /// How far beside the middle each button's label makes people tap, by its number.
    let labels: [Point]
    var watch = DriftWatch()

    init(seed: UInt64) {
      random = SeededGenerator(seed: seed)
      var labels: [Point] = []
      for _ in 0..<12 {
        labels.append(
          Point(
            x: Double.random(in: -14...14, using: &random),
            y: Double.random(in: -6...6, using: &random)))
      }
      self.labels = labels
    }

    /// Some 4 points of tremor, and a hand that lands a point below what it aims at.
    mutating func tap(shiftedBy shift: Point) {
      let button = Int(random.next() % UInt64(labels.count))
      func tremor() -> Double {
        (0..<6).reduce(0) { sum, _ in sum + Double.random(in: -1...1, using: &random) } * 2.8
      }
      let offset = Point(
        x: labels[button].x + tremor() + shift.x, y: labels[button].y + tremor() + 1 + shift.y)
      guard max(offset.x.magnitude, offset.y.magnitude) <= 40 else { return }
      watch.take(
        TapOffset(target: Int32(button), offset: offset),
        lasting: UInt64.random(in: 40_000...260_000, using: &random))
    }
  }

  @Test("a shift of 25 points is named within 150 taps, and over within as many (N10)")
  func shifted() {
    for _ in 0..<20 {
      let seed = Seeds.fresh()
      var person = Person(seed: seed)
      for _ in 0..<200 { person.tap(shiftedBy: .zero) }
      #expect(person.watch.drift(ofAtLeast: 15) == nil, "seed \(seed)")
      for _ in 0..<150 { person.tap(shiftedBy: Point(x: -18, y: 18)) }
      let drift = person.watch.drift(ofAtLeast: 15)
      let isSeen = drift.map { $0.x < -5 && $0.y > 5 }
      #expect(isSeen == true, "seed \(seed)")
      #expect(person.watch.drift(ofAtLeast: 0) == nil)
      for _ in 0..<150 { person.tap(shiftedBy: .zero) }
      #expect(person.watch.drift(ofAtLeast: 15) == nil, "seed \(seed)")
    }
  }

  @Test("in 30 days of 5,000 taps no good panel is said to have drifted (N10)")
  func good() {
    let seed = Seeds.fresh()
    var alarms = 0
    for day in 0..<30 as Range<UInt64> {
      var person = Person(seed: seed &+ day)
      for _ in 0..<5_000 {
        person.tap(shiftedBy: .zero)
        if person.watch.drift(ofAtLeast: 15) != nil { alarms += 1 }
      }
    }
    #expect(alarms == 0, "seed \(seed)")
  }

  @Test("one button that people tap beside its middle is no drift, nor are long touches (N10)")
  func oneButton() {
    var watch = DriftWatch()
    for number in 0..<200 {
      watch.take(
        TapOffset(target: Int32(number % 2), offset: Point(x: 30, y: 0)), lasting: 100_000)
    }
    #expect(watch.drift(ofAtLeast: 15) == nil)
    for number in 0..<200 {
      watch.take(
        TapOffset(target: Int32(number % 8), offset: Point(x: 30, y: 0)), lasting: 250_001)
    }
    #expect(watch.drift(ofAtLeast: 15) == nil)
    for number in 0..<120 {
      watch.take(
        TapOffset(target: Int32(number % 4), offset: Point(x: 30, y: 0)), lasting: 250_000)
    }
    #expect(watch.drift(ofAtLeast: 30) == Point(x: 30, y: 0))
  }
}
