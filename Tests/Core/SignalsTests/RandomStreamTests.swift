import TestSupport
import Testing
import TouchModel

@testable import Signals

@Suite("Random streams through the filters (N1)")
struct RandomStreamTests {
  @Test("every contact that begins ends once, and times never go back, whatever the filters (N1)")
  func lives() {
    for _ in 0..<400 {
      let seed = Seeds.fresh()
      var random = SeededGenerator(seed: seed)
      var bench = SignalBench { $0 = .random(using: &random) }
      var stream = RandomStream(random)
      for _ in 0..<300 { stream.step(&bench) }
      stream.finish(&bench)
      #expect(bench.mistake == nil, "seed \(seed)")
      #expect(bench.stage.nextDeadline == nil, "seed \(seed)")
    }
  }

  @Test("without filters nothing changes: the same events in the same order (N1)")
  func off() {
    let seed = Seeds.fresh()
    var stream = RandomStream(SeededGenerator(seed: seed))
    var bench = SignalBench { _ in }
    for _ in 0..<2_000 { stream.step(&bench) }
    #expect(bench.stage.isOff)
    #expect(Array(bench.events) == stream.events, "seed \(seed)")
    #expect(stream.events.count > 1_000)
  }

  @Test("filters that have nothing to mend leave every report as it is, but for the slots (N1)")
  func nothingToMend() {
    let seed = Seeds.fresh()
    var stream = RandomStream(SeededGenerator(seed: seed), isTidy: true)
    var filtered = SignalBench {
      $0.maximumSpeed = 1e9
      $0.deadZones = [Rect(x: 2_000, y: 0, width: 10, height: 10)]
      $0.stuck = .init(milliseconds: 3_600_000)
      $0.ghosts = [.farApart]
    }
    for _ in 0..<2_000 { stream.step(&filtered) }
    let raw = ReusableArray(stream.events)
    let text = SignalBench.text(of: filtered.events, sorted: true)
    #expect(text == SignalBench.text(of: raw, sorted: true), "seed \(seed)")
    #expect(text.contains("+"))
  }
}

extension SignalSettings {
  fileprivate static func random(using random: inout SeededGenerator) -> SignalSettings {
    var settings = SignalSettings()
    if random.oneIn(2) { settings.bridge = .init(milliseconds: UInt64(random.below(60))) }
    if random.oneIn(2) { settings.minimumContactMilliseconds = UInt64(random.below(60)) }
    if random.oneIn(2) { settings.maximumSpeed = Double(500 + random.below(20_000)) }
    if random.oneIn(2) { settings.deadZones = [Rect(x: 100, y: 100, width: 200, height: 90)] }
    if random.oneIn(2) { settings.edge = Double(random.below(60)) }
    if random.oneIn(2) { settings.ghosts = Ghosts(rawValue: UInt8(random.below(8))) }
    if random.oneIn(2) { settings.stuck = .init(milliseconds: UInt64(100 + random.below(2_000))) }
    settings.smoothing = random.pick([
      nil, .median(depth: 5), .iir(weight: 0.6), .dejitter(distance: 100),
      .oneEuro(minimumCutoff: 1, beta: 0.1),
    ])
    if settings.isOff { settings.edge = 1 }
    return settings
  }
}

/// Events of a device that does anything, stray events and a clock that goes back included.
struct RandomStream {
  private var random: SeededGenerator
  /// Whether it does only what a good panel does, with contacts that move on.
  private let isTidy: Bool
  private var live: [Int32] = []
  /// Where it drew a contact of a slot last.
  private var places: [Int32: Point] = [:]
  private var milliseconds = 10_000
  /// All that it did.
  private(set) var events: [DeviceEvent] = []

  init(_ random: SeededGenerator, isTidy: Bool = false) {
    self.random = random
    self.isTidy = isTidy
  }

  private var time: Timestamp { Timestamp(microseconds: UInt64(milliseconds) * 1000) }

  /// A report, or a moment at which time is told.
  mutating func step(_ bench: inout SignalBench) {
    milliseconds += 1 + random.below(random.oneIn(20) ? 900 : 12)
    if !isTidy, random.oneIn(40) { milliseconds = max(0, milliseconds - 30) }
    if !isTidy, random.oneIn(10) { bench.tell(time) }
    var touched: Set<Int32> = []
    for _ in 0...random.below(4) {
      let slot = Int32(random.below(5))
      if isTidy, !touched.insert(slot).inserted { continue }
      add(slot, to: &bench)
    }
    if !isTidy, random.oneIn(200) {
      take(.lost(SignalBench.device, reason: .deviceRemoved, time: time), &bench)
      live = []
      bench.configureAgain()
    } else {
      take(.frame(SignalBench.device, time: time), &bench)
    }
  }

  private mutating func add(_ slot: Int32, to bench: inout SignalBench) {
    let device = SignalBench.device
    var place = Point(x: Double(random.below(800)), y: Double(random.below(480)))
    // Filters say nothing of a contact that is where it was.
    if isTidy, place == places[slot] { place.x += 1 }
    places[slot] = place
    let isLive = live.contains(slot)
    switch random.below(8) {
    case 0...1 where isLive || !isTidy && random.oneIn(30):
      live.removeAll { $0 == slot }
      take(.up(device, slot: slot, time: time), &bench)
    case 2 where isLive && random.oneIn(4):
      live.removeAll { $0 == slot }
      take(.cancel(device, slot: slot, reason: .palm, time: time), &bench)
    case 3...4 where !isLive || !isTidy && random.oneIn(30):
      if !isLive { live.append(slot) }
      take(
        .down(device, slot: slot, screen: ScreenIndex(0), location: place, time: time), &bench)
    case _ where isLive || !isTidy && random.oneIn(30):
      take(.motion(device, slot: slot, location: place, time: time), &bench)
    default: break
    }
  }

  private mutating func take(_ event: DeviceEvent, _ bench: inout SignalBench) {
    events.append(event)
    bench.take(event)
  }

  /// Lifts every finger, and waits for long.
  mutating func finish(_ bench: inout SignalBench) {
    milliseconds += 5
    for slot in live { take(.up(SignalBench.device, slot: slot, time: time), &bench) }
    take(.frame(SignalBench.device, time: time), &bench)
    milliseconds += 7_200_000
    bench.tell(time)
  }
}
