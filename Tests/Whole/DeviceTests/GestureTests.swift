import CLibevdev
import DaemonSupport
import TestSupport
import Testing
import TouchClient
import TouchModel
import VirtualDevices

extension DeviceTests {
  @Suite("Gestures: from fingers to programs")
  struct GestureTests {
    /// A list of one program within pages of another, beside them a third one, and a shell to which
    /// one goes from the left edge of the screen.
    private static let house = """
      [screen.panel]
      size = [800, 480]
      [[window]]
      name = "home"
      frame = [0, 0, 600, 480]
      [[view]]
      path = "home/list"
      frame = [0, 0, 600, 480]
      [[window]]
      name = "aside"
      frame = [600, 0, 200, 480]
      [[window]]
      name = "shell"
      frame = [0, 0, 1, 1]
      level = -1
      [[gesture]]
      view = "home"
      name = "pages"
      kind = "pan"
      direction = "horizontal"
      [[gesture]]
      screen = "panel"
      name = "back"
      kind = "edge_pan"
      edge = "left"
      to = "shell"
      priority = true

      """

    /// Drags a finger along, a frame for each place, of which the program hears before the next.
    private func drag(
      _ touch: VirtualTouchscreen, slot: Int32 = 0, y: Int32 = 200, _ places: Int32...,
      lifting: Bool = true, telling program: TouchProgram
    ) throws {
      for (index, x) in places.enumerated() {
        if index == 0 { touch.down(slot, x: x, y: y) } else { touch.move(slot, x: x, y: y) }
        try touch.sync()
        try program.settle()
      }
      guard lifting else { return }
      touch.up(slot)
      try touch.sync()
    }

    @Test("what the shell's edge takes no program keeps, and what pages take no list (G2, G5, G9)")
    func twoProgramsAndAnEdge() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(Self.house, touchscreens: 1)
      let list = try TouchProgram(daemon, "home/list")
      let home = try TouchProgram(daemon, "home", options: .gestures)
      let shell = try TouchProgram(daemon, "shell", options: .gestures)
      try drag(touch, 8, 14, 30, 90, telling: list)
      try shell.wait(for: "the edge's end") { $0.gestures.last?.state == .ended }
      try list.settle()
      #expect(
        list.touches == [
          "began 1 home/list 8 200", "moved 1 home/list 14 200",
          "cancelled 1 home/list 30 200 gesture",
        ])
      #expect(
        shell.gestureWords == [
          "screen:panel#back began 1", "screen:panel#back changed 1", "screen:panel#back ended 1",
        ])
      #expect(shell.gestures.map { $0.translation.x.rounded() } == [22, 82, 82])
      #expect(shell.gestures.map { $0.location.x.rounded() } == [30, 90, 90])

      try drag(touch, 400, 395, 380, 300, telling: list)
      try home.wait(for: "the page's end") { $0.gestures.last?.state == .ended }
      try list.settle()
      #expect(
        list.touches.dropFirst(3) == [
          "began 2 home/list 400 200", "moved 2 home/list 395 200",
          "cancelled 2 home/list 380 200 gesture",
        ])
      #expect(
        home.gestureWords
          == ["home#pages began 1", "home#pages changed 1", "home#pages ended 1"])
      #expect(home.gestures.map { $0.translation.x.rounded() } == [-20, -100, -100])

      try drag(touch, 400, lifting: false, telling: list)
      for y in [230, 300] as [Int32] {
        touch.move(x: 400, y: y)
        try touch.sync()
        try list.settle()
      }
      touch.up()
      try touch.sync()
      try list.wait(ended: 3)
      #expect(
        list.touches.dropFirst(6) == [
          "began 3 home/list 400 200", "moved 3 home/list 400 230", "moved 3 home/list 400 300",
          "ended 3 home/list 400 300",
        ])
      for program in [home, shell] { try program.settle() }
      #expect(home.gestures.count == 3 && shell.gestures.count == 3)
      #expect(home.touches == [] && shell.touches == [])
      #expect(list.violations == [])
      try daemon.finish()
    }

    @Test("a finger that turns out to be a palm ends the gesture that it is of, as one (G12, T7)")
    func palm() throws {
      var sheet = DeviceSheet.multitouch(name: "touchroute palms", width: 800, height: 480)
      sheet.axes[UInt16(ABS_MT_TOOL_TYPE)] = DeviceSheet.Axis(0, 2)
      let touch = try VirtualTouchscreen(sheet)
      let daemon = try DaemonProcess.start(Self.house, touchscreens: 1)
      let list = try TouchProgram(daemon, "home/list")
      let home = try TouchProgram(daemon, "home", options: .gestures)
      touch.down(0, x: 300, y: 100)
      touch.down(1, x: 300, y: 300)
      try touch.sync()
      touch.move(0, x: 330, y: 100)
      touch.move(1, x: 330, y: 300)
      try touch.sync()
      try home.wait(for: "the page") { $0.gestures.count == 1 }
      try touch.send([
        .absolute(ABS_MT_SLOT, 1), .absolute(ABS_MT_TOOL_TYPE, MT_TOOL_PALM), .report,
      ])
      try home.wait(for: "the palm") { $0.gestures.count == 2 }
      touch.move(0, x: 400, y: 100)
      try touch.sync()
      touch.up(1)
      touch.up(0)
      try touch.sync()
      try touch.send([
        .absolute(ABS_MT_SLOT, 1), .absolute(ABS_MT_TOOL_TYPE, MT_TOOL_FINGER), .report,
      ])
      try drag(touch, 300, 320, telling: list)
      try home.wait(for: "the next page's end") { $0.gestures.last?.state == .ended }
      #expect(
        home.gestureWords == [
          "home#pages began 2", "home#pages cancelled 1 palm", "home#pages began 1",
          "home#pages ended 1",
        ])
      #expect(home.gestures.map { $0.translation.x.rounded() } == [30, 30, 20, 20])
      try list.settle()
      #expect(
        list.touches.filter { $0.hasPrefix("cancelled") } == [
          "cancelled 1 home/list 330 100 gesture", "cancelled 2 home/list 330 300 gesture",
          "cancelled 3 home/list 320 200 gesture",
        ])
      #expect(list.violations == [])
      try daemon.finish()
    }

    @Test("unplugged in the middle of a gesture: it is cancelled, and the next goes on anew (G12)")
    func unplugged() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(Self.house, touchscreens: 1)
      let list = try TouchProgram(daemon, "home/list")
      let home = try TouchProgram(daemon, "home", options: .gestures)
      try drag(touch, 300, 340, lifting: false, telling: list)
      try drag(touch, slot: 1, y: 400, 500, lifting: false, telling: list)
      try home.wait(for: "the page") { $0.gestures.count == 1 }
      touch.unplug()
      try home.wait(for: "its end") { $0.gestures.count == 2 }
      try daemon.wait(for: "touchscreens: 0")
      let again = try panel()
      try daemon.wait(for: "touchscreens: 1")
      try drag(again, 200, 230, telling: list)
      try home.wait(for: "the next page's end") { $0.gestures.last?.state == .ended }
      #expect(
        home.gestureWords == [
          "home#pages began 1", "home#pages cancelled 0 deviceRemoved", "home#pages began 1",
          "home#pages ended 1",
        ])
      #expect(home.gestures.map { $0.translation.x.rounded() } == [40, 40, 30, 30])
      try list.settle()
      #expect(
        list.touches == [
          "began 1 home/list 300 200", "cancelled 1 home/list 340 200 gesture",
          "began 2 home/list 200 200", "cancelled 2 home/list 230 200 gesture",
        ], "the gesture's second finger was never the list's")
      #expect(list.violations == [])
      try daemon.finish()
    }

    @Test("a stopped program whose gesture is due: nobody waits, and it hears all of it (G4, G12)")
    func stopped() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(
        Self.house + "[touch]\nunresponsive_after_ms = 3600000\n", touchscreens: 1)
      let list = try TouchProgram(daemon, "home/list")
      let aside = try TouchProgram(daemon, "aside")
      let home = try ListenProcess(daemon, "home", options: ["--gestures"])
      try home.pause()
      try drag(touch, 300, 340, lifting: false, telling: list)
      try list.wait(ended: 1)
      #expect(
        list.touches
          == ["began 1 home/list 300 200", "cancelled 1 home/list 340 200 gesture"])
      try touch.tap(1, x: 700, y: 100)
      try aside.wait(ended: 1)
      for x in [350, 360, 380] as [Int32] {
        touch.move(x: x, y: 200)
        try touch.sync()
      }
      touch.up()
      try touch.sync()
      try aside.settle()
      home.resume()
      let began = try home.wait(for: "\"event\":\"gesture\"")
      #expect(began.contains("\"state\":\"began\"") && began.contains("\"translation\":[40,0]"))
      let ended = try home.wait(for: "\"state\":\"ended\"")
      #expect(ended.contains("\"translation\":[80,0]"), "\(ended)")
      #expect(list.violations + aside.violations == [])
      try daemon.finish()
    }

    @Test("one that reads nothing for too long loses its gesture, and is not there for more (G13)")
    func unresponsive() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(
        Self.house + "[touch]\nunresponsive_after_ms = 1000\n", touchscreens: 1)
      let list = try TouchProgram(daemon, "home/list")
      let home = try ListenProcess(daemon, "home", options: ["--gestures"])
      try home.pause()
      try drag(touch, 300, 340, lifting: false, telling: list)
      try list.wait(ended: 1)
      let control = try TouchProgram(control: daemon)
      try waitUntil("home is unresponsive") { try control.daemonStatus()[.unresponsive] == 1 }
      touch.move(x: 380, y: 200)
      try touch.sync()
      touch.up()
      try touch.sync()
      try drag(touch, 300, 340, 380, telling: list)
      try list.wait(ended: 2)
      #expect(
        list.touches.dropFirst(2) == [
          "began 2 home/list 300 200", "moved 2 home/list 340 200", "moved 2 home/list 380 200",
          "ended 2 home/list 380 200",
        ], "no gesture takes it: nobody would hear of one")
      home.resume()
      _ = try home.wait(for: "\"state\":\"began\"")
      let cancelled = try home.wait(for: "\"event\":\"gesture\"")
      #expect(
        cancelled.contains("\"state\":\"cancelled\"") && cancelled.contains("unresponsive"),
        "\(cancelled)")
      #expect(list.violations == [])
      try daemon.finish()
    }
  }
}
