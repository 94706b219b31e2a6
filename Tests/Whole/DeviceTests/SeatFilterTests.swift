import Testing
import TouchInput
import TouchModel
import VirtualDevices

extension DeviceTests {
  @Suite("The seat: filters of a bad panel")
  struct SeatFilterTests {
    private func rule(_ change: (inout SignalSettings) -> Void) -> DeviceRule {
      var rule = DeviceRule(match: DeviceRule.Match(), screen: ScreenIndex(0))
      change(&rule.signal)
      return rule
    }

    private func summaries(_ events: some Sequence<DeviceEvent>) -> [String] {
      var slots: [Int32] = []
      return events.compactMap { event in
        switch event {
        case .down(_, let slot, _, let point, _):
          slots.append(slot)
          return "down \(slots.count) \(point.x.rounded())"
        case .motion(_, let slot, let point, _):
          return "move \((slots.firstIndex(of: slot) ?? -1) + 1) \(point.x.rounded())"
        case .up(_, let slot, _): return "up \((slots.firstIndex(of: slot) ?? -1) + 1)"
        case .cancel(_, _, let reason, _): return "cancel \(reason)"
        case .frame: return nil
        case .lost: return "lost"
        }
      }
    }

    @Test(
      "a finger that bounces goes on, and its lift comes once the loop is woken for it (N1, N2)")
    func bounce() throws {
      let touch = try panel("touchroute bounce")
      let fixture = try SeatFixture(
        .nodes([touch.node]), rules: [rule { $0.bridge = .init(milliseconds: 3_000) }])
      touch.down(0, x: 100, y: 100)
      try touch.sync()
      touch.up(0)
      try touch.sync()
      touch.down(0, x: 104, y: 100)
      try touch.sync()
      touch.up(0)
      try touch.sync()
      try fixture.wait(for: "the lift") { fixture in
        fixture.events.contains { if case .up = $0 { true } else { false } }
      }
      let events = fixture.take()
      #expect(summaries(events) == ["down 1 100.0", "move 1 104.0", "up 1"])
      guard case .up(_, _, let end)? = events.dropLast().last else { return }
      #expect(end.microseconds(since: events[0].time) >= 3_000_000)
    }

    @Test("filters begin and end with a reload, once no finger is down (N1, T11)")
    func reload() throws {
      let touch = try panel("touchroute reload filters")
      let fixture = try SeatFixture(.nodes([touch.node]))
      let zone = rule { $0.deadZones = [Rect(x: 0, y: 0, width: 200, height: 480)] }
      touch.down(0, x: 100, y: 100)
      try touch.sync()
      _ = fixture.take()
      fixture.updateRules([zone])
      touch.up(0)
      try touch.sync()
      #expect(summaries(fixture.take()) == ["up 0"])
      try touch.tap(x: 100, y: 100)
      try touch.tap(x: 300, y: 100)
      #expect(summaries(fixture.take()) == ["down 1 300.0", "up 1"])
      fixture.updateRules([])
      try touch.tap(x: 100, y: 100)
      #expect(summaries(fixture.take()) == ["down 1 100.0", "up 1"])
    }

    @Test("a panel that is unplugged while a filter holds its lift back ends it once (N1, T7)")
    func unplugged() throws {
      var touch: VirtualTouchscreen? = try panel("touchroute unplugged filter")
      let node = try #require(touch?.node)
      let fixture = try SeatFixture(
        .nodes([node]), rules: [rule { $0.bridge = .init(milliseconds: 200) }])
      try touch?.tap(x: 100, y: 100)
      #expect(summaries(fixture.take()) == ["down 1 100.0"])
      touch = nil
      try fixture.wait(for: "the panel's going") { fixture in
        fixture.events.contains { if case .lost = $0 { true } else { false } }
      }
      let gone = summaries(fixture.take())
      #expect(gone == ["lost"] || gone == ["up 0", "lost"])
    }
  }
}
