import CLibevdev
import Testing
import TouchInput
import TouchModel
import VirtualDevices

extension DeviceTests {
  @Suite("The seat: what fingers do")
  struct SeatTests {
    /// 800 x 480 units, so that units are points of the fixture's screen.
    @Test("a tap is down, frame, up, frame, at its place on the screen, with the kernel's times")
    func tap() throws {
      let touch = try panel("touchroute tap")
      let fixture = try SeatFixture(.nodes([touch.node]))
      try touch.tap(x: 200, y: 240)
      let events = fixture.take()
      #expect(events.map(\.summary) == ["1 down 0 200.0 240.0", "1 frame", "1 up 0", "1 frame"])
      guard case .down(_, _, let screen, _, let time) = events.first,
        case .frame(_, let frameTime) = events.dropFirst().first
      else { return }
      #expect(screen == ScreenIndex(0))
      #expect(time == frameTime)
      #expect(time.microseconds > 0)
    }

    @Test(
      "what one kernel frame holds is one frame: downs, moves and lifts of several fingers (T2)")
    func bundles() throws {
      let touch = try panel("touchroute bundles")
      let fixture = try SeatFixture(.nodes([touch.node]))
      for slot in 0..<3 { touch.down(Int32(slot), x: 100 * Int32(slot + 1), y: 50) }
      try touch.sync()
      touch.move(1, x: 210, y: 60)
      touch.up(0)
      touch.down(4, x: 700, y: 400)
      try touch.sync()
      for slot in [1, 2, 4] { touch.up(Int32(slot)) }
      try touch.sync()
      let frames = fixture.take().split { if case .frame = $0 { true } else { false } }
        .map { Set($0.map(\.summary)) }
      #expect(
        frames == [
          ["1 down 0 100.0 50.0", "1 down 1 200.0 50.0", "1 down 2 300.0 50.0"],
          ["1 up 0", "1 move 1 210.0 60.0", "1 down 4 700.0 400.0"],
          ["1 up 1", "1 up 2", "1 up 4"],
        ])
    }

    /// A panel with jitter, of which libinput drops what stays within 10 points.
    private func noisyPanel() throws -> VirtualTouchscreen {
      var sheet = DeviceSheet.multitouch(name: "touchroute noisy", width: 800, height: 480)
      for axis: UInt16 in [0x00, 0x01, 0x35, 0x36] { sheet.axes[axis]?.fuzz = 20 }
      return try VirtualTouchscreen(sheet)
    }

    @Test("a lift is a frame at once, also where the report ends with a finger's jitter (T2)")
    func liftBesideJitter() throws {
      let touch = try noisyPanel()
      let fixture = try SeatFixture(.nodes([touch.node]))
      touch.down(0, x: 100, y: 100)
      touch.down(1, x: 400, y: 100)
      try touch.sync()
      _ = fixture.take()
      touch.up(0)
      touch.move(1, x: 401, y: 100)
      try touch.sync()
      #expect(fixture.take().map(\.summary) == ["1 up 0", "1 frame"])
    }

    @Test("a tap beside a resting finger's jitter is two frames, each with its own time (T1, T2)")
    func tapBesideJitter() throws {
      let touch = try noisyPanel()
      let fixture = try SeatFixture(.nodes([touch.node]))
      touch.down(1, x: 400, y: 100)
      try touch.sync()
      _ = fixture.take()
      touch.down(0, x: 100, y: 100)
      touch.move(1, x: 401, y: 100)
      try touch.sync()
      touch.up(0)
      touch.move(1, x: 402, y: 100)
      try touch.sync()
      touch.move(1, x: 600, y: 100)
      try touch.sync()
      let events = fixture.take()
      #expect(
        events.map(\.summary).map { $0.hasPrefix("1 move") ? "1 move" : $0 }
          == ["1 down 0 100.0 100.0", "1 frame", "1 up 0", "1 frame", "1 move", "1 frame"])
      let times = events.map(\.time)
      for frame in [1, 3, 5] where frame < times.count {
        #expect(times[frame - 1] == times[frame])
        #expect(frame == 1 || times[frame - 2] < times[frame])
      }
    }

    @Test("a single-touch screen has the slot -1 throughout")
    func singleTouch() throws {
      let touch = try VirtualTouchscreen(
        .singleTouch(name: "touchroute single", width: 800, height: 480))
      let fixture = try SeatFixture(.nodes([touch.node]))
      touch.down(x: 10, y: 20)
      try touch.sync()
      touch.move(x: 30, y: 40)
      try touch.sync()
      touch.up()
      try touch.sync()
      #expect(
        fixture.take().map(\.summary) == [
          "1 down -1 10.0 20.0", "1 frame", "1 move -1 30.0 40.0", "1 frame", "1 up -1", "1 frame",
        ])
    }

    @Test("a finger that is down when the device is opened is invisible until it is lifted (T7)")
    func downBefore() throws {
      let touch = try panel("touchroute early")
      touch.down(x: 100, y: 100)
      try touch.sync()
      let fixture = try SeatFixture(.nodes([touch.node]))
      touch.move(x: 120, y: 120)
      try touch.sync()
      touch.up()
      try touch.sync()
      let before = fixture.take().filter { if case .frame = $0 { false } else { true } }
      #expect(before.isEmpty)
      try touch.tap(x: 300, y: 200)
      #expect(
        fixture.take().map(\.summary)
          == ["1 down 0 300.0 200.0", "1 frame", "1 up 0", "1 frame"])
    }

    @Test(
      "a panel mounted with its top at the right: the last unit and the first are on the screen")
    func quarterTurn() throws {
      let touch = try panel("touchroute quarter")
      let screen = Screen(
        name: "panel", size: Size(width: 480, height: 800), rotation: .quarter)
      let fixture = try SeatFixture(.nodes([touch.node]), screens: [screen])
      touch.down(0, x: 200, y: 120)
      touch.down(1, x: 0, y: 0)
      touch.down(2, x: 799, y: 479)
      try touch.sync()
      let places = fixture.take().compactMap { event -> Point? in
        if case .down(_, _, _, let location, _) = event { location } else { nil }
      }
      #expect(
        places == [Point(x: 360, y: 200), Point(x: 480 - 1.0 / 128, y: 0), Point(x: 1, y: 799)])
    }

    @Test("every corner of a panel is inside, however its axes are turned and begin (T8)")
    func turnedCorners() throws {
      for (number, axes) in [(319, 131, 3538, 1968), (17, -33, 800, 480)].enumerated() {
        let (x, y, width, height) = axes
        var sheet = DeviceSheet.multitouch(name: "touchroute corners \(number)")
        for axis in [ABS_X, ABS_MT_POSITION_X] {
          sheet.axes[UInt16(axis)] = .init(Int32(x), Int32(x + width - 1))
        }
        for axis in [ABS_Y, ABS_MT_POSITION_Y] {
          sheet.axes[UInt16(axis)] = .init(Int32(y), Int32(y + height - 1))
        }
        let touch = try VirtualTouchscreen(sheet)
        for matrix: [Float] in [
          [0, 1, 0, 1, 0, 0], [0, -1, 1, 1, 0, 0], [0, 1, 0, -1, 0, 1], [-1, 0, 1, 0, -1, 1],
        ] {
          var rule = DeviceRule(match: .init(), screen: ScreenIndex(0))
          rule.calibration = matrix
          let fixture = try SeatFixture(.nodes([touch.node]), rules: [rule])
          for place in [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)] {
            try touch.tap(x: Int32(x + place.0), y: Int32(y + place.1))
            let event = try #require(fixture.take().first)
            guard case .down(_, _, _, let location, _) = event else {
              Issue.record("\(event.summary)")
              continue
            }
            #expect(
              Rect(x: 0, y: 0, width: 800, height: 480).contains(location),
              "\(matrix) \(place): \(location)")
          }
        }
      }
    }

    @Test("a calibration of a rule is libinput's; without one udev's is in force again")
    func calibration() throws {
      let touch = try panel("touchroute calibrated")
      let mirrored = DeviceRule(
        match: .init(), screen: ScreenIndex(0), calibration: [-1, 0, 1, 0, 1, 0])
      let fixture = try SeatFixture(.nodes([touch.node]), rules: [mirrored])
      try touch.tap(x: 200, y: 240)
      #expect(fixture.take().first?.summary == "1 down 0 600.0 240.0")
      try touch.tap(x: 0, y: 240)
      #expect(
        SeatTests.place(fixture.take().first) == Point(x: 800 - 1.0 / 128, y: 240),
        "the panel's edge is on the screen")
      fixture.updateRules([])
      try touch.tap(x: 200, y: 240)
      #expect(fixture.take().first?.summary == "1 down 0 200.0 240.0")
    }

    @Test("a region maps the whole panel to a part of the screen")
    func region() throws {
      let touch = try panel("touchroute region")
      let right = DeviceRule(
        match: .init(name: "touchroute reg*"), screen: ScreenIndex(0),
        region: Rect(x: 400, y: 0, width: 400, height: 480))
      let fixture = try SeatFixture(.nodes([touch.node]), rules: [right])
      try touch.tap(x: 200, y: 240)
      #expect(fixture.take().first?.summary == "1 down 0 500.0 240.0")
    }

    @Test("other rules take effect once no finger is down, for all of a touch or none (T11)")
    func rulesWait() throws {
      let touch = try panel("touchroute rules")
      let fixture = try SeatFixture(.nodes([touch.node]))
      touch.down(x: 200, y: 240)
      try touch.sync()
      _ = fixture.take()
      let upsideDown = Screen(
        name: "panel", size: Size(width: 800, height: 480), rotation: .half)
      fixture.updateRules([], screens: [upsideDown])
      #expect(fixture.seat.devices.map(\.isChangePending) == [true])
      touch.move(x: 210, y: 240)
      touch.down(1, x: 400, y: 100)
      try touch.sync()
      touch.up()
      try touch.sync()
      #expect(
        Set(fixture.take().map(\.summary))
          == ["1 move 0 210.0 240.0", "1 down 1 400.0 100.0", "1 up 0", "1 frame"])
      #expect(fixture.seat.devices.map(\.liveTouches) == [1])
      touch.up(1)
      try touch.sync()
      _ = fixture.take()
      #expect(fixture.seat.devices.map(\.isChangePending) == [false])
      try touch.tap(x: 200, y: 240)
      #expect(fixture.take().first?.summary == "1 down 0 600.0 240.0")
    }

    static func place(_ event: DeviceEvent?) -> Point? {
      if case .down(_, _, _, let location, _) = event { location } else { nil }
    }
  }
}
