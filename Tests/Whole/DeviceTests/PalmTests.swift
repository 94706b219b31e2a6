import CLibevdev
import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchInput
import TouchModel
import VirtualDevices

extension DeviceTests {
  @Suite("The seat: palms")
  struct PalmTests {
    private func rule(_ palm: SignalSettings.Palm) -> DeviceRule {
      var rule = DeviceRule(match: DeviceRule.Match(), screen: ScreenIndex(0))
      rule.signal.palm = palm
      return rule
    }

    /// A panel that says how large contacts are.
    private func sheet(_ name: String, resolution: Int32, ofSizes own: Int32 = 0) -> DeviceSheet {
      var sheet = DeviceSheet.multitouch(name: name)
      for axis in [ABS_X, ABS_Y, ABS_MT_POSITION_X, ABS_MT_POSITION_Y] {
        sheet.axes[UInt16(axis)] = .init(0, 4095, resolution: resolution)
      }
      for axis in [ABS_MT_TOUCH_MAJOR, ABS_MT_TOUCH_MINOR] {
        sheet.axes[UInt16(axis)] = .init(0, 4095, resolution: own)
      }
      return sheet
    }

    private func land(
      _ touch: VirtualTouchscreen, _ slot: Int32, _ major: Int32, _ minor: Int32
    ) throws {
      try touch.send([
        .absolute(ABS_MT_SLOT, slot), .absolute(ABS_MT_TRACKING_ID, 100 + slot),
        .absolute(ABS_MT_POSITION_X, 1000), .absolute(ABS_MT_POSITION_Y, 1000),
        .absolute(ABS_MT_TOUCH_MAJOR, major), .absolute(ABS_MT_TOUCH_MINOR, minor),
        .key(BTN_TOUCH, 1), .report,
      ])
    }

    private func lift(_ touch: VirtualTouchscreen, _ slot: Int32) throws {
      try touch.send([
        .absolute(ABS_MT_SLOT, slot), .absolute(ABS_MT_TRACKING_ID, -1), .key(BTN_TOUCH, 0),
        .report,
      ])
    }

    private func words(_ events: [DeviceEvent]) -> [String] {
      events.compactMap { event in
        switch event {
        case .down: "down"
        case .up: "up"
        case .cancel(_, _, let reason, _): "cancelled \(reason)"
        case .motion, .frame, .lost: nil
        }
      }
    }

    @Test("a touchscreen for one finger has palms too, if it has a slot (N12)")
    func oneSlot() throws {
      var sheet = sheet("touchroute one palm", resolution: 20)
      sheet.axes[UInt16(ABS_MT_SLOT)] = .init(0, 0)
      let touch = try VirtualTouchscreen(sheet)
      let fixture = try SeatFixture(.nodes([touch.node]), rules: [rule(.init(size: 25))])
      try land(touch, 0, 500, 400)
      #expect(words(fixture.take()) == [])
      try lift(touch, 0)
      try land(touch, 0, 180, 160)
      #expect(words(fixture.take()) == ["down"])
    }

    @Test("of reports that are read at once only the last one's sizes count (N12)")
    func late() throws {
      let touch = try VirtualTouchscreen(sheet("touchroute late palms", resolution: 20))
      let fixture = try SeatFixture(.nodes([touch.node]), rules: [rule(.init(size: 25))])
      try land(touch, 0, 180, 160)
      try lift(touch, 0)
      try land(touch, 0, 500, 400)
      #expect(words(fixture.take()) == ["down", "up"])
      try lift(touch, 0)
      try land(touch, 0, 180, 160)
      #expect(words(fixture.take()) == ["down"])
    }

    @Test(
      "palms are told by the kernel's sizes, by their own unit or else that of the place (N12)",
      arguments: [(20, 0), (7, 20)] as [(Int32, Int32)])
    func sizes(place: Int32, own: Int32) throws {
      let touch = try VirtualTouchscreen(
        sheet("touchroute palms", resolution: place, ofSizes: own))
      let fixture = try SeatFixture(
        .nodes([touch.node]), rules: [rule(.init(size: 25, aspect: 2.5))])
      // 25 mm are 500 units.
      try land(touch, 0, 500, 400)
      #expect(words(fixture.take()) == [])
      try land(touch, 1, 180, 160)
      #expect(words(fixture.take()) == ["down"])
      try touch.send([
        .absolute(ABS_MT_SLOT, 1), .absolute(ABS_MT_TOUCH_MAJOR, 250),
        .absolute(ABS_MT_TOUCH_MINOR, 100), .absolute(ABS_MT_POSITION_X, 1010), .report,
      ])
      #expect(words(fixture.take()) == ["cancelled palm"])
      try lift(touch, 1)
      try lift(touch, 0)
      try land(touch, 0, 180, 160)
      try lift(touch, 0)
      // Both at once: the kernel has the size of the latest contact.
      #expect(words(fixture.take()) == ["down", "up"])
    }

    @Test("a panel without sizes, unit or slots is warned of, and used as before (N12)")
    func without() throws {
      let plain = try VirtualTouchscreen(.multitouch(name: "touchroute no sizes"))
      let unit = try VirtualTouchscreen(sheet("touchroute no unit", resolution: 0))
      let single = try VirtualTouchscreen(.singleTouch(name: "touchroute no slots"))
      let daemon = try DaemonProcess.start(
        twoWindows + "[[device]]\npalm_size = 25\n", touchscreens: 3)
      for (touch, reason) in [
        (plain, "does not report how large contacts are (ABS_MT_TOUCH_MAJOR)"),
        (unit, "reports how large contacts are in no unit (resolution 0)"),
        (single, "has no slots (ABS_MT_SLOT)"),
      ] {
        try daemon.waitForLog(
          "(\(touch.node)) \(reason): palm_size and palm_aspect have no effect")
        try touch.tap(x: 1000, y: 1000)
      }
      try daemon.finish()
    }

    /// One piece of hardware: a touchscreen and its pen.
    private static let phys = "usb-0000:00:14.0-7"

    private var glass: DeviceSheet {
      var sheet = sheet("touchroute glass", resolution: 20)
      sheet.phys = "\(Self.phys)/input0"
      return sheet
    }

    private var stylus: DeviceSheet {
      var sheet = DeviceSheet(
        name: "touchroute pen", ids: glass.ids, phys: "\(Self.phys)/input1")
      sheet.properties = [UInt32(INPUT_PROP_DIRECT)]
      sheet.codes[UInt16(EV_KEY)] = [
        UInt16(BTN_TOOL_PEN), UInt16(BTN_TOUCH), UInt16(BTN_STYLUS),
      ]
      for axis in [ABS_X, ABS_Y] { sheet.axes[UInt16(axis)] = .init(0, 4095, resolution: 20) }
      sheet.axes[UInt16(ABS_PRESSURE)] = .init(0, 1023)
      return sheet
    }

    private func bring(_ pen: VirtualTouchscreen, _ near: Int32) throws {
      try pen.send([
        .key(BTN_TOOL_PEN, near), .absolute(ABS_X, 500 + near), .absolute(ABS_Y, 500), .report,
      ])
    }

    @Test("a pen that is plugged in again holds off fingers again, the first one too (N12)")
    func penAgain() throws {
      let fixture = try SeatFixture(.seat("seat0"), rules: [rule(.init(pen: true))])
      for _ in 0..<2 {
        // udev looks at the pen first.
        let pen = try VirtualTouchscreen(stylus)
        let touch = try VirtualTouchscreen(glass)
        try fixture.wait(for: "a touchscreen") { $0.seat.deviceCount.used == 1 }
        try bring(pen, 1)
        _ = fixture.take()
        try touch.tap(x: 1000, y: 1000)
        #expect(words(fixture.take()) == [])
        touch.unplug()
        pen.unplug()
        try fixture.wait(for: "no touchscreen") { $0.seat.deviceCount.used == 0 }
        _ = fixture.take()
      }
    }

    @Test("while a pen is near, fingers are held off, and not after a reload without it (N12)")
    func pen() throws {
      let touch = try VirtualTouchscreen(glass)
      let pen = try VirtualTouchscreen(stylus)
      let fixture = try SeatFixture(.seat("seat0"), rules: [rule(.init(pen: true))])
      try touch.tap(x: 1000, y: 1000)
      #expect(words(fixture.take()) == ["down", "up"])
      try bring(pen, 1)
      _ = fixture.take()
      try touch.tap(x: 1000, y: 1000)
      #expect(words(fixture.take()) == [])
      try bring(pen, 0)
      // libinput waits a moment for the pen to come back.
      var isUsed = false
      try waitUntil("fingers are used again") {
        try touch.tap(x: 1000, y: 1000)
        isUsed = words(fixture.take()).contains("down")
        return isUsed
      }
      fixture.updateRules([rule(.init(size: 25))])
      _ = fixture.take()
      try bring(pen, 1)
      try touch.tap(x: 1000, y: 1000)
      #expect(words(fixture.take()).contains("down"))
      #expect(fixture.seat.deviceCount.used == 1)
    }
  }
}
