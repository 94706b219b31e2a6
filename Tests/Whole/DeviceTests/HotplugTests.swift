import Glibc
import TestSupport
import Testing
import TouchInput
import TouchModel
import VirtualDevices

extension DeviceTests {
  @Suite("The seat: devices that come and go")
  struct HotplugTests {
    private func sheet(_ name: String) -> DeviceSheet {
      .multitouch(name: name, width: 800, height: 480)
    }

    @Test("unplugged with fingers down: a cancel for each, the frame, the loss (T7)")
    func unplugged() throws {
      let touch = try VirtualTouchscreen(sheet("touchroute unplugged"))
      let fixture = try SeatFixture(.seat("seat0"))
      touch.down(0, x: 100, y: 100)
      touch.down(3, x: 200, y: 100)
      try touch.sync()
      _ = fixture.take()
      touch.unplug()
      try fixture.wait(for: "the device's removal") { $0.seat.devices.isEmpty }
      #expect(
        fixture.take().map(\.summary) == [
          "1 cancel 0 deviceRemoved", "1 cancel 3 deviceRemoved", "1 frame",
          "1 lost deviceRemoved",
        ])
    }

    @Test("a named node is given up when it is unplugged, with its touches, and taken up again")
    func namedNode() throws {
      let touch = try VirtualTouchscreen(sheet("touchroute named"))
      let node = touch.node
      let fixture = try SeatFixture(.nodes([node]))
      touch.down(0, x: 100, y: 100)
      try touch.sync()
      _ = fixture.take()
      touch.unplug()
      try fixture.wait(for: "the node's removal") { $0.seat.devices.isEmpty }
      #expect(
        fixture.take().map(\.summary)
          == ["1 cancel 0 deviceRemoved", "1 frame", "1 lost deviceRemoved"])
      let again = try VirtualTouchscreen(sheet("touchroute named"))
      try #require(again.node == node, "the kernel gives the least free number")
      try fixture.wait(for: "the node's return") { !$0.seat.devices.isEmpty }
      try again.tap(x: 300, y: 200)
      #expect(fixture.take().first?.summary == "2 down 0 300.0 200.0")
    }

    @Test("a link that somebody has made to a node is taken up again as the node is (N1)")
    func ownLink() throws {
      let directory = try TemporaryDirectory()
      let touch = try VirtualTouchscreen(sheet("touchroute linked"))
      let (node, link) = (touch.node, directory.file("panel"))
      try #require(symlink(node, link) == 0)
      let fixture = try SeatFixture(.nodes([link]))
      touch.unplug()
      try fixture.wait(for: "the node's removal") { $0.seat.devices.isEmpty }
      let again = try VirtualTouchscreen(sheet("touchroute linked"))
      try #require(again.node == node, "the kernel gives the least free number")
      try fixture.wait(for: "the node's return") { !$0.seat.devices.isEmpty }
    }

    @Test("what several touchscreens report is in the order of its times, read however late (G15)")
    func late() throws {
      let first = try VirtualTouchscreen(sheet("touchroute first"))
      let second = try VirtualTouchscreen(sheet("touchroute second"))
      let fixture = try SeatFixture(.nodes([first.node, second.node]))
      second.down(0, x: 100, y: 100)
      try second.sync()
      first.down(0, x: 200, y: 100)
      try first.sync()
      second.move(0, x: 110, y: 100)
      try second.sync()
      first.up(0)
      try first.sync()
      second.up(0)
      try second.sync()
      let events = fixture.take()
      #expect(
        events.map(\.summary).filter { !$0.hasSuffix("frame") } == [
          "2 down 0 100.0 100.0", "1 down 0 200.0 100.0", "2 move 0 110.0 100.0", "1 up 0",
          "2 up 0",
        ])
      #expect(events.map(\.time) == events.map(\.time).sorted())
    }

    @Test("a touchscreen that a reload ignores is no loss, and one that is unplugged is (N10)")
    func losses() throws {
      let touch = try VirtualTouchscreen(sheet("touchroute lost"))
      var rule = DeviceRule(match: .init(), screen: ScreenIndex(0))
      rule.health.lossesPerHour = 1
      let fixture = try SeatFixture(.seat("seat0"), rules: [rule])
      var findings: [SignalFinding] = []
      fixture.seat.observeHealth { findings.append($0.finding) }
      var ignored = rule
      ignored.ignore = true
      for _ in 1...3 {
        fixture.updateRules([ignored])
        fixture.updateRules([rule])
        _ = fixture.take()
      }
      #expect(fixture.seat.devices.count == 1)
      #expect(findings == [])
      touch.unplug()
      try fixture.wait(for: "the device's removal") { $0.seat.devices.isEmpty }
      let again = try VirtualTouchscreen(sheet("touchroute lost"))
      try fixture.wait(for: "the device's return") { !$0.seat.devices.isEmpty }
      #expect(findings == [.unsteady])
      withExtendedLifetime(again) {}
    }

    @Test("a seat without a touchscreen takes the first that comes, and a second beside it")
    func twoDevices() throws {
      let rules = [
        DeviceRule(match: .init(name: "touchroute second"), screen: ScreenIndex(1))
      ]
      let fixture = try SeatFixture(
        .seat("seat0"), rules: rules,
        screens: [
          SeatFixture.screen, Screen(name: "side", size: Size(width: 400, height: 240)),
        ])
      #expect(fixture.seat.devices.isEmpty)
      let first = try VirtualTouchscreen(sheet("touchroute first"))
      try fixture.wait(for: "the first device") { $0.seat.devices.count == 1 }
      let second = try VirtualTouchscreen(sheet("touchroute second"))
      try fixture.wait(for: "the second device") { $0.seat.devices.count == 2 }
      first.down(x: 200, y: 100)
      try first.sync()
      second.down(x: 200, y: 100)
      try second.sync()
      let downs = fixture.take().compactMap { event -> String? in
        guard case .down(_, _, let screen, _, _) = event else { return nil }
        return "\(event.summary) on \(screen.rawValue)"
      }
      #expect(Set(downs) == ["1 down 0 200.0 100.0 on 0", "2 down 0 100.0 50.0 on 1"])
      first.unplug()
      try fixture.wait(for: "the first one's removal") { $0.seat.devices.count == 1 }
      #expect(
        fixture.take().map(\.summary)
          == ["1 cancel 0 deviceRemoved", "1 frame", "1 lost deviceRemoved"],
        "the other device's finger is untouched")
    }

    @Test(
      "udev's rules run anew over a device that is in use: it stays one device, with its touches")
    func announcedAgain() throws {
      let touch = try VirtualTouchscreen(sheet("touchroute announced"))
      let fixture = try SeatFixture(.seat("seat0"))
      touch.down(x: 100, y: 100)
      try touch.sync()
      for action in ["change", "add"] {
        try run("udevadm", "trigger", "--settle", "--action=\(action)", touch.node)
        touch.move(x: action == "add" ? 120 : 110, y: 100)
        try touch.sync()
        try fixture.wait(for: "the move") { $0.events.last?.summary == "1 frame" }
        _ = fixture.take()
      }
      #expect(fixture.seat.devices.count == 1)
      touch.up()
      try touch.sync()
      try touch.tap(x: 200, y: 100)
      #expect(
        fixture.take().map(\.summary)
          == ["1 up 0", "1 frame", "1 down 0 200.0 100.0", "1 frame", "1 up 0", "1 frame"])
      touch.unplug()
      try fixture.wait(for: "the removal") { $0.seat.devices.isEmpty }
      #expect(fixture.take().map(\.summary) == ["1 lost deviceRemoved"])
    }

    @Test("a device whose rule says grab has no other reader; others keep theirs")
    func grabs() throws {
      let grabbed = try VirtualTouchscreen(sheet("touchroute grabbed"))
      let shared = try VirtualTouchscreen(sheet("touchroute shared"))
      let rules = [
        DeviceRule(match: .init(name: "touchroute grabbed"), screen: ScreenIndex(0), grab: true)
      ]
      let fixture = try SeatFixture(.seat("seat0"), rules: rules)
      #expect(fixture.seat.devices.count == 2)
      let readers = [grabbed, shared].map { open($0.node, O_RDONLY | O_NONBLOCK) }
      defer { readers.forEach { close($0) } }
      try grabbed.tap(x: 10, y: 10)
      try shared.tap(x: 10, y: 10)
      #expect(readers.map(Self.hasInput) == [false, true])
      #expect(fixture.take().count == 8)
      fixture.updateRules([])
      try grabbed.tap(x: 10, y: 10)
      #expect(Self.hasInput(readers[0]), "let go of by the new rules")
    }

    @Test("a device that is ignored gives nothing and has no reader, until other rules say so")
    func ignored() throws {
      let touch = try VirtualTouchscreen(sheet("touchroute ignored"))
      let rules = [
        DeviceRule(match: .init(name: "touchroute ig*"), screen: ScreenIndex(0), ignore: true)
      ]
      let fixture = try SeatFixture(.seat("seat0"), rules: rules)
      try touch.tap(x: 100, y: 100)
      #expect(fixture.take().isEmpty)
      #expect(!isOpen(touch.node))
      #expect(fixture.seat.deviceCount == TouchDeviceCount(used: 0, ignored: 1))
      fixture.updateRules([])
      #expect(fixture.seat.deviceCount == TouchDeviceCount(used: 1, ignored: 0))
      #expect(isOpen(touch.node))
      #expect(fixture.take().map(\.summary) == ["1 lost deviceRemoved"])
      // Where the last finger was: the kernel does not repeat what has not changed.
      try touch.tap(x: 100, y: 100)
      #expect(fixture.take().first?.summary == "2 down 0 100.0 100.0")
    }

    @Test("what is no touchscreen is never opened")
    func mouse() throws {
      let mouse = try VirtualTouchscreen(.mouse(name: "touchroute mouse"))
      let fixture = try SeatFixture(.seat("seat0"))
      #expect(fixture.seat.devices.isEmpty)
      #expect(!isOpen(mouse.node))
      let error = #expect(throws: TouchInputError.self) { try SeatFixture(.nodes([mouse.node])) }
      #expect(error?.description.contains("is no touchscreen") == true)
    }

    /// Whether this process has the node open.
    private func isOpen(_ node: String) -> Bool {
      var target = [CChar](repeating: 0, count: 256)
      return (0..<256).contains { descriptor in
        let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
        guard count > 0 else { return false }
        return String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
          == node
      }
    }

    private static func hasInput(_ descriptor: Int32) -> Bool {
      var bytes = [UInt8](repeating: 0, count: 4096)
      return read(descriptor, &bytes, bytes.count) > 0
    }
  }
}
