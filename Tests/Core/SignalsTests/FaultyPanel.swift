import TestSupport
import TouchModel

/// A recording as a bad panel would have reported it: with ghosts of a report or two, and contacts
/// that bounce.
struct FaultyPanel {
  private struct Step {
    var time: UInt64
    var order: Int
    var event: DeviceEvent
  }

  private var steps: [Step] = []
  /// Where the real contacts landed.
  private(set) var landings: [Point] = []
  private(set) var ghostCount = 0
  private(set) var bounceCount = 0
  private var lastSlot: Int32 = 100

  init(_ recording: Recording, _ random: inout SeededGenerator) {
    var open: [Int32: [Recording.Sample]] = [:]
    for sample in recording.samples {
      if sample.isDown {
        open[sample.slot, default: []].append(sample)
      } else if let contact = open.removeValue(forKey: sample.slot) {
        add(contact, end: sample.time.microseconds, &random)
      }
    }
    let end = steps.map(\.time).max() ?? 0
    for _ in 0..<(landings.count * 3) { addGhost(before: end + 100_000, &random) }
  }

  private mutating func append(_ time: UInt64, _ make: (Timestamp) -> DeviceEvent) {
    steps.append(
      Step(time: time, order: steps.count, event: make(Timestamp(microseconds: time))))
  }

  private mutating func down(_ slot: Int32, _ point: Point, _ time: UInt64) {
    append(time) {
      .down(SignalBench.device, slot: slot, screen: ScreenIndex(0), location: point, time: $0)
    }
  }

  private mutating func up(_ slot: Int32, _ time: UInt64) {
    append(time) { .up(SignalBench.device, slot: slot, time: $0) }
  }

  /// A real contact, with a bounce in every second one.
  private mutating func add(
    _ contact: [Recording.Sample], end: UInt64, _ random: inout SeededGenerator
  ) {
    guard let first = contact.first, end > first.time.microseconds + 60_000 else { return }
    lastSlot += 1
    landings.append(first.point)
    down(lastSlot, first.point, first.time.microseconds)
    let gap = UInt64(3_000 + random.below(18_000))
    let length = end - first.time.microseconds
    let bounce = first.time.microseconds + 20_000 + UInt64(random.below(Int(length - 50_000)))
    let bounces = random.oneIn(2)
    if bounces {
      bounceCount += 1
      let place = contact.last { $0.time.microseconds < bounce }?.point ?? first.point
      let slid = Point(
        x: place.x + .random(in: -4...4, using: &random),
        y: place.y + .random(in: -4...4, using: &random))
      up(lastSlot, bounce)
      down(lastSlot, slid, bounce + gap)
    }
    for sample in contact.dropFirst() {
      if bounces, (bounce...(bounce + gap)).contains(sample.time.microseconds) { continue }
      append(sample.time.microseconds) { [lastSlot] in
        .motion(SignalBench.device, slot: lastSlot, location: sample.point, time: $0)
      }
    }
    up(lastSlot, max(end, bounces ? bounce + gap + 1_000 : 0))
  }

  private mutating func addGhost(before end: UInt64, _ random: inout SeededGenerator) {
    lastSlot += 1
    ghostCount += 1
    let start = UInt64(random.below(Int(end)))
    down(
      lastSlot,
      Point(x: .random(in: 0..<800, using: &random), y: .random(in: 0..<480, using: &random)),
      start)
    up(lastSlot, start + UInt64(1_000 + random.below(11_000)))
  }

  /// Plays all of it.
  func play(_ bench: inout SignalBench) {
    var open: UInt64?
    for step in steps.sorted(by: { ($0.time, $0.order) < ($1.time, $1.order) }) {
      if let report = open, report != step.time { mark(report, &bench) }
      bench.take(step.event)
      open = step.time
    }
    if let open { mark(open, &bench) }
    bench.tell(Timestamp(microseconds: (open ?? 0) + 1_000_000))
  }

  private func mark(_ time: UInt64, _ bench: inout SignalBench) {
    bench.take(.frame(SignalBench.device, time: Timestamp(microseconds: time)))
  }
}
