import DaemonSupport
import Testing
import TouchClient
import TouchModel
import VirtualDevices

extension DeviceTests {
  @Suite("End to end: devices that come and go, panels that are turned")
  struct EndToEndHotplugTests {
    @Test("unplugged with fingers down: each program hears cancelled, and why (T7, R9)")
    func unplugged() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let left = try TouchProgram(daemon, "left")
      let right = try TouchProgram(daemon, "right")
      touch.down(0, x: 200, y: 300)
      touch.down(1, x: 600, y: 300)
      touch.down(2, x: 700, y: 300)
      try touch.sync()
      try left.wait(for: "its touch to begin") { !$0.frames.isEmpty }
      try right.wait(for: "its touches to begin") { !$0.frames.isEmpty }
      touch.unplug()
      try left.wait(ended: 1)
      try right.wait(ended: 2)
      #expect(
        left.touches == ["began 1 left 200 300", "cancelled 1 left 200 300 deviceRemoved"])
      #expect(
        right.touches.sorted() == [
          "began 1 right 600 300", "began 2 right 700 300",
          "cancelled 1 right 600 300 deviceRemoved", "cancelled 2 right 700 300 deviceRemoved",
        ])
      #expect(left.violations + right.violations == [])
      try daemon.finish()
    }

    @Test(
      "a named device that is unplugged with a finger down cancels it, and works when it is back")
    func namedDevice() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(
        twoWindows, touchscreens: 1, arguments: ["--device", touch.node])
      let left = try TouchProgram(daemon, "left")
      touch.down(0, x: 200, y: 300)
      try touch.sync()
      try left.wait(for: "the touch to begin") { !$0.frames.isEmpty }
      touch.unplug()
      try left.wait(ended: 1)
      try daemon.wait(for: "touchscreens: 0")
      let again = try panel()
      try #require(again.node == touch.node)
      try daemon.wait(for: "touchscreens: 1")
      try again.tap(x: 210, y: 310)
      try left.wait(ended: 2)
      #expect(
        left.touches == [
          "began 1 left 200 300", "cancelled 1 left 200 300 deviceRemoved",
          "began 2 left 210 310", "ended 2 left 210 310",
        ])
      #expect(left.violations == [])
      try daemon.finish()
    }

    @Test(
      "the daemon starts without a touchscreen, takes the first, and a second for its own screen")
    func second() throws {
      let configuration =
        twoWindows + """
          [screen.side]
          size = [400, 240]
          [[window]]
          name = "aside"
          screen = "side"
          [[device]]
          match = { name = "touchroute side" }
          screen = "side"

          """
      let daemon = try DaemonProcess.start(configuration, touchscreens: 0)
      let left = try TouchProgram(daemon, "left")
      let aside = try TouchProgram(daemon, "aside")
      let first = try panel()
      try daemon.wait(for: "touchscreens: 1")
      first.down(x: 200, y: 300)
      try first.sync()
      let second = try panel("touchroute side")
      try daemon.wait(for: "touchscreens: 2")
      second.down(x: 200, y: 300)
      try second.sync()
      second.up()
      try second.sync()
      try aside.wait(ended: 1)
      first.move(x: 210, y: 300)
      try first.sync()
      first.up()
      try first.sync()
      try left.wait(ended: 1)
      #expect(aside.touches == ["began 1 aside 100 150", "ended 1 aside 100 150"])
      #expect(
        left.touches
          == ["began 1 left 200 300", "moved 1 left 210 300", "ended 1 left 210 300"])
      let devices = [left, aside].map { Set($0.frames.map(\.device.rawValue)) }
      #expect(devices == [[1], [2]])
      #expect(left.violations + aside.violations == [])
      try daemon.finish()
    }

    @Test("a panel with its top at the right: touches are where its viewer sees them")
    func quarterTurn() throws {
      let configuration = """
        [screen.panel]
        size = [480, 800]
        rotation = 90
        [[window]]
        name = "top"
        frame = [0, 0, "100%", "50%"]
        [[window]]
        name = "bottom"
        frame = [0, "50%", "100%", "50%"]

        """
      let touch = try panel()
      let daemon = try DaemonProcess.start(configuration, touchscreens: 1)
      let top = try TouchProgram(daemon, "top")
      let bottom = try TouchProgram(daemon, "bottom")
      try touch.tap(x: 100, y: 80)
      try top.wait(ended: 1)
      try touch.tap(x: 700, y: 80)
      try bottom.wait(ended: 1)
      try touch.tap(x: 0, y: 0)
      try top.wait(ended: 2)
      #expect(
        top.touches == [
          "began 1 top 400 100", "ended 1 top 400 100", "began 2 top 480 0", "ended 2 top 480 0",
        ])
      #expect(bottom.touches == ["began 1 bottom 400 700", "ended 1 bottom 400 700"])
      #expect(bottom.frames.first?.touches.first?.location == Point(x: 400, y: 300))
      #expect(top.violations + bottom.violations == [])
      try daemon.finish()
    }

    @Test("a panel turned by a reload with a finger down: the touch ends as it began (T11)")
    func reloaded() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let left = try TouchProgram(daemon, "left")
      let right = try TouchProgram(daemon, "right")
      let control = try TouchProgram(control: daemon)
      touch.down(x: 200, y: 300)
      try touch.sync()
      try left.wait(for: "the touch") { $0.liveTouches == 1 }
      try daemon.write(
        twoWindows.replacing("size = [800, 480]", with: "size = [800, 480]\nrotation = 180"))
      try control.reload()
      touch.move(x: 210, y: 300)
      try touch.sync()
      touch.up()
      try touch.sync()
      try left.wait(ended: 1)
      #expect(
        left.touches
          == ["began 1 left 200 300", "moved 1 left 210 300", "ended 1 left 210 300"])
      try touch.tap(x: 200, y: 300)
      try right.wait(ended: 1)
      #expect(right.touches == ["began 1 right 600 180", "ended 1 right 600 180"])
      #expect(left.violations + right.violations == [])
      try daemon.finish()
    }
  }
}
