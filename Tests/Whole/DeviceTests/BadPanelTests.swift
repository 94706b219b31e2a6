import CLibevdev
import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import VirtualDevices

extension DeviceTests {
  @Suite("End to end: bad panels")
  struct BadPanelTests {
    private static let layout =
      twoWindows + """
        [[device]]
        match = { name = "touchroute bad panel" }
        dead_zones = [[0, 0, 100, 100]]
        warn_silent_ms = 1000
        warn_losses_per_hour = 2

        """

    private func tool(_ arguments: String...) throws -> RunningProgram {
      try RunningProgram(Repository.program("touchroute"), arguments)
    }

    private func status(_ daemon: DaemonProcess) throws -> String {
      try tool("status", "--socket", daemon.controlSocket).finish().output
    }

    @Test("monitor --why names the filter that dropped a contact, and status counts it (N1, N6)")
    func dropped() throws {
      let touch = try panel("touchroute bad panel")
      let daemon = try DaemonProcess.start(Self.layout, touchscreens: 1)
      let monitor = try tool("monitor", "--why", "--socket", daemon.controlSocket)
      try waitUntil("the monitor observes") {
        try status(daemon).contains("observer") || !monitor.isRunning
      }
      try touch.tap(x: 50, y: 50)
      try touch.tap(x: 500, y: 100)
      try waitUntil("the second tap is told of") {
        monitor.lines.contains { $0.contains("touch 1 began at (500, 100)") }
      }
      #expect(
        monitor.lines.first?.hasSuffix(
          "touchroute bad panel  a contact at (50, 50) was dropped: dead_zones") == true)
      #expect(try status(daemon).contains("    filters: 1 in dead zones\n"))
      monitor.kill()
      try daemon.finish()
    }

    @Test("a panel that is silent while a finger is down, or comes and goes, is named once (N10)")
    func ill() throws {
      var touch: VirtualTouchscreen? = try panel("touchroute bad panel")
      let daemon = try DaemonProcess.start(Self.layout, touchscreens: 1)
      touch?.down(0, x: 300, y: 300)
      try touch?.sync()
      try daemon.waitForLog("has reported nothing for 1 s, though a finger was down")
      #expect(try status(daemon).contains("    it has reported nothing for 1 s, though"))
      touch?.up(0)
      try touch?.sync()
      try daemon.waitForLog("reports again, or its finger is gone")
      #expect(try !status(daemon).contains("    it "))
      for _ in 0..<2 {
        touch = nil
        try daemon.wait(for: "touchscreens: 0")
        touch = try panel("touchroute bad panel")
        try daemon.wait(for: "touchscreens: 1")
      }
      try daemon.waitForLog("was unplugged, or has failed, 2 times within an hour")
      #expect(try status(daemon).contains("    it was unplugged, or has failed, 2 times"))
      let log = daemon.log
      #expect(log.components(separatedBy: "though a finger was down").count == 2, "\(log)")
      try daemon.finish()
    }

    @Test("a panel that reports the time alone is not silent, and what rests on it is held (N10)")
    func quiet() throws {
      var sheet = DeviceSheet.multitouch(name: "touchroute bad panel", width: 800, height: 480)
      sheet.codes[UInt16(EV_MSC)] = [UInt16(MSC_TIMESTAMP)]
      let touch = try VirtualTouchscreen(sheet)
      let layout = Self.layout.replacing("silent_ms = 1000", with: "silent_ms = 4000")
      let daemon = try DaemonProcess.start(layout + "warn_held_ms = 6000\n", touchscreens: 1)
      touch.down(0, x: 300, y: 300)
      try touch.sync()
      var time: Int32 = 0
      while !daemon.log.contains("has been down for 6 s"), time < 600_000 {
        time += 100
        try touch.send([
          InputEvent(type: UInt16(EV_MSC), code: UInt16(MSC_TIMESTAMP), value: time), .report,
        ])
        usleep(10_000)
      }
      let log = daemon.log
      #expect(log.contains("has been down for 6 s") && !log.contains("reported nothing"), "\(log)")
      try daemon.finish()
    }

    @Test("doctor examines a panel that is there, while a person uses it (N1)")
    func doctor() throws {
      let touch = try panel("touchroute examined panel")
      let doctor = try tool(
        "doctor", touch.node, "--size", "800x480", "--seconds", "10", "--framebuffer", "none")
      try waitUntil("it asks for touches") {
        doctor.lines.contains { $0.hasPrefix("Now touch it for 10 s") } || !doctor.isRunning
      }
      for x in 1...5 { try touch.tap(x: Int32(x) * 100, y: 100) }
      let result = doctor.finish()
      #expect(result.errors == "")
      // Taps that are lifted at once: no finger does that.
      #expect(result.status == 2 && result.output.contains("  ghosts        bad "))
      #expect(
        result.output.hasPrefix("Keep your hands off touchroute examined panel for 10 s.\n"))
      #expect(result.output.contains("touchroute examined panel (1234:5678): 5 contacts in "))
      #expect(
        result.output.contains("  untouched     good     it reported nothing while nobody"))
    }

    @Test(
      "doctor shows crosses on the framebuffer console, and goes on as each is touched",
      .enabled(if: ScreenPicture.folder != nil, "there is no screen; see scripts/guest --pictures"))
    func crosses() throws {
      #expect(
        try RunningProgram.run("modprobe", "cirrusfb", "mode_option=800x600-16@60").status == 0)
      let former = try ScreenPicture("doctor-before")
      let touch = try panel("touchroute examined panel")
      let doctor = try tool(
        "doctor", touch.node, "--size", "800x480", "--seconds", "10", "--framebuffer", "/dev/fb0")
      for index in 1...9 {
        let words = "\(index) of 9: touch the white cross, at ("
        try waitUntil("it shows cross \(index)") {
          doctor.lines.contains { $0.hasPrefix(words) } || !doctor.isRunning
        }
        let line = try #require(doctor.lines.first { $0.hasPrefix(words) })
        let place = try #require(line.firstMatch(of: #/at \((\d+), (\d+)\)/#))
        let (x, y) = (try #require(Int32(place.1)), try #require(Int32(place.2)))
        if index == 3 {
          #expect((x, y) == (400, 240))
          let picture = try ScreenPicture("doctor")
          #expect(picture.parts(400, 300).allSatisfy { $0 > 240 })
          for (x, y) in [(96, 72), (704, 72)] { #expect(picture.colour(x, y) == "green") }
        }
        try touch.tap(x: x, y: y)
      }
      try waitUntil("it asks for more") {
        doctor.lines.contains { $0.hasPrefix("Now touch it for 10 s: rest a finger") }
      }
      doctor.signal(SIGINT)
      #expect(doctor.finish().status == -SIGINT)
      let after = try ScreenPicture("doctor-after")
      for (x, y) in [(400, 300), (370, 300), (704, 72), (96, 528)] {
        #expect(after.parts(x, y) == former.parts(x, y))
      }
    }
  }
}
