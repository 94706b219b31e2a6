import TestSupport
import Testing
import TouchModel

@testable import Gestures

@Suite("How fast gestures go")
struct VelocityTests {
  /// The velocity of samples, at the newest.
  private func velocity(_ samples: [(time: UInt64, place: Point)]) -> Point {
    var tracker = VelocityTracker()
    for (time, place) in samples {
      tracker.add(place.x, place.y, at: Timestamp(microseconds: time))
    }
    return tracker.velocity(at: Timestamp(microseconds: samples.last?.time ?? 0))
  }

  /// The velocity of samples along x.
  private func velocity(_ samples: [(UInt64, Double)]) -> Double {
    velocity(samples.map { (time: $0.0, place: Point(x: $0.1, y: 0)) }).x
  }

  @Test("G16: a finger that stops has no velocity the other way")
  func stop() {
    #expect(velocity([(0, 0), (16_000, 40), (32_000, 40), (48_000, 40)]) == 0)
    #expect(velocity([(0, 0), (8_000, 40), (16_000, 40)]) == 0)
    // As Android's test of three points has it.
    #expect(velocity([(0, 273), (12_585, 293), (14_730, 293)]) == 0)
    #expect(velocity([(0, 293), (6_132, 293), (11_283, 293)]) == 0)
  }

  @Test("G16: a pan whose second finger lands as the first stops tells no velocity backwards")
  func stopAndLanding() throws {
    let bench = GestureBench([Named("pan", .pan())])
    _ = bench.play(
      "began 0 100 100;frame;wait 16;moved 0 140 100;frame;wait 16;moved 0 140.1 100;frame;"
        + "wait 16;began 1 300 100;frame;wait 9;ended 0;ended 1;frame")
    let ended = try #require(bench.events.last)
    #expect(ended.change == .ended)
    #expect(ended.values.velocity.x >= 0)
  }

  @Test("G16: an even velocity is told as it is, one that changes as its last samples have it")
  func steadyChange() {
    #expect((velocity([(0, 0), (10_000, 5), (20_000, 10)]) - 500).magnitude < 1e-9)
    // x = 1000 t - 5000 t²: at 0.08 s that is 200 points/s, between the last two samples 240.
    let slowing = (0...10).map { index in
      let seconds = Double(index) * 0.008
      return (UInt64(index) * 8000, 1000 * seconds - 5000 * seconds * seconds)
    }
    #expect((velocity(slowing) - 240).magnitude < 1e-6)
  }

  @Test("G16: no velocity has a sign or size that no two of its samples have")
  func withinItsSamples() {
    for seed in Seeds.fresh(2000) {
      var generator = SeededGenerator(seed: seed)
      var samples = [(UInt64(0), Double.random(in: 0...500, using: &generator))]
      for _ in 0..<generator.below(12) {
        let (time, place) = samples[samples.count - 1]
        let step = generator.pick([0, 0, 1, -1, 8, 40, -40, 120])
        samples.append((time + 1 + UInt64(generator.below(20_000)), place + Double(step)))
      }
      let newest = samples[samples.count - 1].0
      let recent = samples.filter { $0.0 + 100_000 >= newest }
      let slopes = recent.indices.flatMap { later in
        (0..<later).map { earlier in
          let seconds = Double(recent[later].0 - recent[earlier].0) / 1e6
          return (recent[later].1 - recent[earlier].1) / seconds
        }
      }
      let velocity = velocity(samples)
      #expect(velocity >= (slopes.min() ?? 0) - 1e-6, "seed \(seed): \(samples)")
      #expect(velocity <= (slopes.max() ?? 0) + 1e-6, "seed \(seed): \(samples)")
    }
  }

  @Test(
    "G16: recorded flings go as fast as Android says, within 20 %", arguments: RecordedFling.all)
  func flings(_ fling: RecordedFling) {
    let velocity = velocity(fling.samples)
    func isNear(_ value: Double, _ range: ClosedRange<Double>) -> Bool {
      let slack = 0.2 * max(range.lowerBound.magnitude, range.upperBound.magnitude)
      return value > range.lowerBound - slack && value < range.upperBound + slack
    }
    #expect(isNear(velocity.y, fling.y), "\(velocity)")
    if let x = fling.x { #expect(isNear(velocity.x, x), "\(velocity)") }
  }
}
