import CLibevdev
import Foundation
import Glibc
import TestSupport
import Testing
import TouchInput
import TouchModel
import VirtualDevices

extension DeviceTests {
  @Suite("The probe: what list-devices says")
  struct ProbeTests {
    private static let catalogue: [(sheet: DeviceSheet, isTouch: Bool)] = {
      let url = Bundle.module.url(forResource: "Recordings/devices", withExtension: "json")
      return url.flatMap { try? DeviceSheet.catalogue(Data(contentsOf: $0)) } ?? []
    }()

    private func sheet(_ prefix: String) throws -> DeviceSheet {
      let found = Self.catalogue.first {
        String(decoding: $0.sheet.name, as: UTF8.self).hasPrefix(prefix)
      }
      return try #require(found?.sheet)
    }

    private func report(
      _ device: VirtualTouchscreen, _ matcher: DeviceMatcher? = nil
    ) throws -> DeviceReport {
      try #require(
        try DeviceProbe.reports(matcher: matcher).first { $0.description.node == device.node })
    }

    @Test("it takes for touchscreens what libinput took for touchscreens, of many devices")
    func catalogue() throws {
      #expect(Self.catalogue.count > 100)
      // All that are none, and every fourth of the rest: a device takes a while to come and go.
      let sample = Self.catalogue.enumerated().filter { !$1.isTouch || $0 % 4 == 0 }.map(\.element)
      for start in stride(from: 0, to: sample.count, by: 20) {
        let chunk = sample[start...].prefix(20)
        let devices = try chunk.map { (try VirtualTouchscreen($0.sheet), $0.isTouch) }
        let reports = try DeviceProbe.reports(matcher: nil)
        for (device, isTouch) in devices {
          let report = try #require(reports.first { $0.description.node == device.node })
          #expect(report.isTouchscreen == isTouch, "\(report.description.name): \(report.verdict)")
        }
      }
    }

    @Test("a touchscreen: its fingers, its size, the rule that matches and where it maps")
    func touchscreen() throws {
      var sheet = DeviceSheet.multitouch(name: "Panel 7  ", slots: 5, width: 801, height: 401)
      sheet.phys = "touchroute-test/input0"
      sheet.axes[0x35]?.resolution = 4
      sheet.axes[0x36]?.resolution = 4
      sheet.axes[0]?.resolution = 4
      sheet.axes[1]?.resolution = 4
      let device = try VirtualTouchscreen(sheet)
      let matcher = DeviceMatcher(
        rules: [DeviceRule(match: .init(phys: "touchroute-test/*"), screen: ScreenIndex(1))],
        screens: [SeatFixture.screen, Screen(name: "side", size: Size(width: 320, height: 240))])
      let report = try report(device, matcher)
      #expect(report.description.name == "Panel 7")
      #expect(
        report.sentences == [
          "touchscreen for 5 fingers, 200 x 100 mm",
          "maps to 320.0 x 240.0 points at (0.0, 0.0) of screen \"side\", by [[device]] number 1",
        ])
    }

    @Test("a name that is no UTF-8 is repaired")
    func brokenName() throws {
      var sheet = DeviceSheet.multitouch(name: "")
      sheet.name = Array("Panel ".utf8) + [0xb5, 0x20, 0x20]
      let device = try VirtualTouchscreen(sheet)
      #expect(try report(device).description.name == "Panel \u{fffd}")
    }

    @Test("a mouse is a mouse, and no rule is offered")
    func mouse() throws {
      let device = try VirtualTouchscreen(.mouse(name: "touchroute mouse"))
      let report = try report(device)
      #expect(report.verdict == .other("a mouse"))
      #expect(report.udevRule == nil)
    }

    @Test(
      "a touchscreen that is none to udev: why, and a rule that corrects it",
      arguments: [
        ("st1232-touchscreen", "no tag at all"), ("goodix-gt9xx", "no tag at all"),
        ("Wacom Serial Penabled 2FG Touchscreen", "ID_INPUT_TABLET"),
        ("Nextwindow Fermi Touchscreen", "BTN_LEFT instead of BTN_TOUCH"),
      ])
    func fixed(_ name: String, _ why: String) throws {
      let sheet = try sheet(name)
      var device = try VirtualTouchscreen(sheet)
      let before = try report(device)
      guard case .mistaken(let reason) = before.verdict else {
        Issue.record("\(before.verdict)")
        return
      }
      #expect(reason.contains(why))
      let rule = try UdevRuleFile(#require(before.udevRule))
      defer { rule.remove() }
      device.unplug()
      device = try VirtualTouchscreen(sheet)
      #expect(try report(device).verdict == .touchscreen)
      let fixture = try SeatFixture(.nodes([device.node]))
      #expect(fixture.seat.devices.count == 1)
    }

    @Test("a pen's node and a pen tablet's buttons are what they are, and no rule is offered")
    func pens() throws {
      let pen = try VirtualTouchscreen(sheet("Wacom ISDv4 90"))
      let report = try report(pen)
      #expect(report.verdict == .other("a pen"))
      #expect(report.udevRule == nil)
      var pad = DeviceSheet(name: "touchroute pad", ids: [3, 0x56a, 0x357, 1])
      // BTN_0, BTN_1 and BTN_STYLUS; a ring.
      pad.codes[UInt16(EV_KEY)] = [0x100, 0x101, 0x14b]
      pad.axes = [0: .init(0, 1), 1: .init(0, 1), 8: .init(0, 71)]
      let buttons = try self.report(VirtualTouchscreen(pad))
      #expect(buttons.verdict == .other("a tablet's buttons"))
      #expect(buttons.udevRule == nil)
    }

    @Test("the mouse's node beside a touchscreen's of one panel is a mouse's, and needs no rule")
    func sibling() throws {
      var touch = DeviceSheet.multitouch(name: "touchroute panel", ids: [3, 0x1234, 0x77, 1])
      touch.phys = "usb-touchroute-2/input0"
      var mouse = DeviceSheet(name: "touchroute panel Mouse", ids: [3, 0x1234, 0x77, 1])
      mouse.phys = "usb-touchroute-2/input1"
      mouse.codes[UInt16(EV_KEY)] = [UInt16(BTN_LEFT), UInt16(BTN_RIGHT)]
      mouse.axes = [0: .init(0, 4095), 1: .init(0, 4095)]
      let second = try VirtualTouchscreen(mouse)
      let alone = try report(second)
      guard case .mistaken = alone.verdict else {
        Issue.record("\(alone.verdict)")
        return
      }
      let first = try VirtualTouchscreen(touch)
      let beside = try report(second)
      #expect(
        beside.verdict
          == .other("a mouse's node of the touchscreen \"touchroute panel\" (\(first.node))"))
      #expect(beside.udevRule == nil)
    }

    @Test("one with the resolution of x alone is refused by libinput, until a rule adds y's")
    func oneResolution() throws {
      var sheet = DeviceSheet.multitouch(name: "touchroute half resolution")
      sheet.axes[0x35]?.resolution = 12
      var device = try VirtualTouchscreen(sheet)
      let before = try report(device)
      guard case .refused = before.verdict else {
        Issue.record("\(before.verdict)")
        return
      }
      let line = try #require(before.udevRule)
      #expect(line.hasSuffix("ENV{EVDEV_ABS_36}=\"::12\", RUN{builtin}+=\"keyboard\""))
      let rule = try UdevRuleFile(line)
      defer { rule.remove() }
      device.unplug()
      device = try VirtualTouchscreen(sheet)
      #expect(try report(device).verdict == .touchscreen)
    }

    @Test("a single-touch screen that reports the left button: the rule maps its key anew")
    func leftButton() throws {
      try run("modprobe", "uhid")
      try #require(VirtualHIDScreen.isAvailable)
      var rule: UdevRuleFile?
      defer { rule?.remove() }
      do {
        let device = try VirtualHIDScreen(name: "touchroute left button")
        let reports = try DeviceProbe.reports(matcher: nil)
        let report = try #require(reports.first { $0.description.name == device.name })
        let why =
          "it reports BTN_LEFT instead of BTN_TOUCH, and so has the tag of a mouse (ID_INPUT_MOUSE)"
        #expect(report.verdict == .mistaken(why))
        rule = try UdevRuleFile(#require(report.udevRule))
      }
      let device = try VirtualHIDScreen(name: "touchroute left button")
      let fixture = try SeatFixture(.nodes([device.node]))
      try device.report(touches: true, x: 1024, y: 2048)
      try device.report(touches: false, x: 1024, y: 2048)
      try fixture.wait(for: "the lift") { $0.events.count >= 4 }
      #expect(
        fixture.take().map(\.summary)
          == ["1 down -1 200.0 240.0", "1 frame", "1 up -1", "1 frame"])
    }

    @Test("a touchscreen that may not be opened: whom its node belongs to and which group to join")
    func unreachable() throws {
      let device = try VirtualTouchscreen(.multitouch(name: "touchroute closed"))
      #expect(chmod(device.node, 0o660) == 0)
      #expect(chown(device.node, 0, 5) == 0)
      // The file system's user is this thread's alone; nothing here leaves the thread.
      setfsuid(65534)
      setfsgid(65534)
      defer {
        setfsuid(0)
        setfsgid(0)
      }
      let report = try report(device)
      guard case .unreachable(let reason) = report.verdict else {
        Issue.record("\(report.verdict)")
        return
      }
      #expect(reason.hasPrefix("\(device.node) may not be opened by user "))
      #expect(reason.contains("join group tty"))
    }
  }
}

/// A file of rules for udevd, until it is removed.
struct UdevRuleFile {
  private let path = "/run/udev/rules.d/61-touchroute-test.rules"

  init(_ line: String) throws {
    try FileManager.default.createDirectory(
      atPath: "/run/udev/rules.d", withIntermediateDirectories: true)
    // Whole at once: udevd looks on its own now and then.
    let draft = "/run/udev/61-touchroute-test.draft"
    try (line + "\n").write(toFile: draft, atomically: false, encoding: .utf8)
    #expect(rename(draft, path) == 0)
    try reloadRules()
  }

  func remove() {
    unlink(path)
    try? reloadRules()
  }
}

/// Has udevd read its rules anew. It does where the folder has a later time than when it last did,
/// which the kernel takes from its last tick: in a guest whose ticks come late, two changes may
/// have one time.
func reloadRules() throws {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  #expect(utimensat(AT_FDCWD, "/run/udev/rules.d", [now, now], 0) == 0)
  try run("udevadm", "control", "--reload")
}

/// Runs a command of the system's to its end.
func run(_ command: String...) throws {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = command
  try process.run()
  process.waitUntilExit()
  #expect(process.terminationStatus == 0, "\(command)")
}
