import Signals
import TestSupport
import Testing
import TouchModel

@Suite("Reports of several touchscreens (G15)")
struct ReportOrderTests {
  private func time(_ microseconds: Int) -> Timestamp {
    Timestamp(microseconds: UInt64(microseconds))
  }

  @Test("reports are sorted by their times, whole, those of one touchscreen in their order (G15)")
  func order() {
    let seed = Seeds.fresh()
    var random = SeededGenerator(seed: seed)
    var order = ReportOrder()
    for _ in 0..<300 {
      // By device, as libinput gives them; each report's events and its mark.
      var reports: [(time: Int, events: [DeviceEvent])] = []
      for device in 1...(1 + random.below(4)) {
        let id = DeviceID(UInt32(device))
        var now = random.below(20)
        for number in 0..<random.below(8) {
          now += random.below(6)
          var events: [DeviceEvent] = (0..<random.below(3)).map {
            .motion(id, slot: Int32($0), location: Point(x: Double(number), y: 0), time: time(now))
          }
          events.append(
            random.oneIn(8)
              ? .lost(id, reason: .deviceRemoved, time: time(now)) : .frame(id, time: time(now)))
          reports.append((now, events))
        }
      }
      let before: [DeviceEvent] = [.frame(DeviceID(9), time: time(1000))]
      var events = ReusableArray(before + reports.flatMap(\.events))
      order.sort(&events, from: 1)
      let sorted = reports.enumerated().sorted {
        ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
      }
      #expect(
        Array(events) == before + sorted.flatMap(\.element.events), "seed \(seed): \(reports)")
    }
  }

  @Test("what a filter was to do comes before a later report of another touchscreen (G15, N3)")
  func due() {
    var stage = SignalStage()
    var events: ReusableArray<DeviceEvent> = []
    let (one, other) = (DeviceID(1), DeviceID(2))
    var settings = SignalSettings()
    settings.minimumContactMilliseconds = 20
    stage.configure(one, settings, region: .zero, into: &events)
    stage.take(
      [
        .down(one, slot: 0, screen: ScreenIndex(0), location: Point(x: 5, y: 5), time: time(0)),
        .frame(one, time: time(0)), .frame(other, time: time(20_000)),
        .frame(other, time: time(30_000)),
      ], into: &events)
    let words = events.map { event in
      if case .down = event { return "down \(event.time.microseconds)" }
      return "\(event.device.rawValue) \(event.time.microseconds)"
    }
    #expect(words == ["1 0", "2 20000", "down 20000", "1 20000", "2 30000"])
  }

  @Test("what the filters of several touchscreens were to do comes in the order of time (G15, N3)")
  func dueOfSeveral() {
    var stage = SignalStage()
    var events: ReusableArray<DeviceEvent> = []
    for (number, milliseconds) in [(1, 10), (2, 20)] as [(UInt32, UInt64)] {
      var settings = SignalSettings()
      settings.minimumContactMilliseconds = milliseconds
      stage.configure(DeviceID(number), settings, region: .zero, into: &events)
    }
    let place = Point(x: 5, y: 5)
    func land(_ device: DeviceID, _ slot: Int32, at microseconds: Int) -> [DeviceEvent] {
      let time = time(microseconds)
      return [
        .down(device, slot: slot, screen: ScreenIndex(0), location: place, time: time),
        .frame(device, time: time),
      ]
    }
    let (one, other) = (DeviceID(1), DeviceID(2))
    stage.take(
      ReusableArray(land(one, 0, at: 0) + land(other, 0, at: 1) + land(one, 1, at: 15_000)),
      into: &events)
    stage.advance(to: time(40_000), into: &events)
    let downs = events.filter { if case .down = $0 { true } else { false } }
    #expect(downs.map(\.time) == [10_000, 20_001, 25_000].map(time))
    #expect(downs.map(\.device) == [one, other, one])
  }
}
