import CLibevdev
import Testing
import TouchClient
import TouchModel
import VirtualDevices

extension ServiceTests {
  @Suite("Its devices")
  struct DeviceLifeTests {
    private func panel(_ name: String, phys: String? = nil) throws -> VirtualTouchscreen {
      var sheet = DeviceSheet.multitouch(name: name, width: 800, height: 480)
      sheet.phys = phys
      return try VirtualTouchscreen(sheet)
    }

    @Test("Twenty times plugged in and out with a finger down: each time began and cancelled (T7)")
    func plugging() throws {
      try Machine.start(panels)
      let program = try Program("left")
      let control = try Program(control: "/run/touchroute/control.sock")
      for _ in 0..<20 {
        let touch = try panel("plugged")
        try Machine.wait(for: "the touchscreen") { try control.touchscreenCount() == 1 }
        touch.down(x: 100, y: 100)
        try touch.sync()
        try program.wait(for: .began)
        touch.unplug()
        #expect(try program.wait(for: .cancelled).cancelReason == .deviceRemoved)
        try Machine.wait(for: "its end") { try control.touchscreenCount() == 0 }
      }
      try Machine.wait(forTouchscreens: 0)
      #expect(program.touches.count == 40)
      #expect(!program.wasLost)
    }

    @Test("A touchscreen that is there at the start, one that comes later, and two alike by phys")
    func twins() throws {
      let sides =
        panels + """
          [screen.side]
          size = [800, 480]
          [[window]]
          name = "aside"
          screen = "side"
          [[device]]
          match = { phys = "twin/second" }
          screen = "side"

          """
      let first = try panel("twin", phys: "twin/first")
      try Machine.start(sides)
      try Machine.wait(forTouchscreens: 1)
      let left = try Program("left")
      let aside = try Program("aside")
      let second = try panel("twin", phys: "twin/second")
      try Machine.wait(forTouchscreens: 2)
      try first.tap(x: 100, y: 100)
      try left.wait(for: .ended)
      try second.tap(x: 100, y: 100)
      try aside.wait(for: .ended)
      #expect(left.touches == ["began left", "ended left"])
      #expect(aside.touches == ["began aside", "ended aside"])
    }

    @Test("A device that floods delays nobody for good, and its stream keeps the rules (T5, F1)")
    func flood() throws {
      let noisy = try panel("noisy")
      let quiet = try panel("quiet")
      try Machine.start(panels)
      try Machine.wait(forTouchscreens: 2)
      let left = try Program("left")
      let right = try Program("right")
      // Faster than anybody reads: the kernel drops what it has no room for.
      for round in 0..<200 {
        noisy.down(x: 100, y: 100)
        for step in 0..<60 {
          noisy.move(x: Int32(100 + step), y: Int32(round))
          try noisy.sync()
        }
        noisy.up()
        try noisy.sync()
      }
      try quiet.tap(x: 600, y: 100)
      try right.wait(for: .ended)
      // The program has read nothing meanwhile; once it has, it gets touches again (F3).
      try Machine.wait(for: "a tap after the flood") {
        try noisy.tap(x: 50, y: 50)
        try left.ping()
        return left.touches.last == "ended left"
      }
      let phases = left.touches.map { $0.split(separator: " ")[0] }
      #expect(
        phases.count { $0 == "began" } == phases.count { $0 == "ended" || $0 == "cancelled" })
      let counters = try Machine.run("touchroute status --json")
      #expect(counters.contains("\"violations\":0"), "\(counters)")
    }

    @Test("A device that libinput refuses is named with the reason, and disturbs nothing")
    func refused() throws {
      try Machine.start(panels)
      let mark = try Machine.mark()
      var sheet = DeviceSheet.multitouch(name: "flat", width: 800, height: 480)
      sheet.axes[UInt16(ABS_X)] = DeviceSheet.Axis(0, 0)
      sheet.axes[UInt16(ABS_MT_POSITION_X)] = DeviceSheet.Axis(0, 0)
      let flat = try VirtualTouchscreen(sheet)
      let touch = try panel("sound")
      try Machine.wait(forTouchscreens: 1)
      try Machine.wait(forLog: "flat", since: mark)
      #expect(try Machine.run("touchroute list-devices").contains("flat"))
      let program = try Program("left")
      try touch.tap(x: 100, y: 100)
      try program.wait(for: .ended)
      flat.unplug()
    }
  }
}
