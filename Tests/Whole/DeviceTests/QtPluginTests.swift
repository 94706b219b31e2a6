import CLibevdev
import DaemonSupport
import Foundation
import TestSupport
import Testing
import VirtualDevices

extension DeviceTests {
  /// Two programs with the plugin of clients/qt on two halves of a panel and of a framebuffer,
  /// which QEMU takes pictures of, 120 lines below the screen's first: Widgets on the left, Qt
  /// Quick on the right. scripts/lib/qt-programs.sh has built them.
  @Suite(
    "Qt 6 with the plugin, on one screen",
    .enabled(if: ScreenPicture.folder != nil, "there is no screen; see scripts/guest --pictures"))
  struct QtPluginTests {
    private static let built = Repository.program("qt-of-the-tests")

    /// What the programs have said.
    private final class Said {
      var left: [String] = []
      var right: [String] = []
    }

    private let said = Said()
    private let touch: VirtualTouchscreen
    private let daemon: DaemonProcess
    private let widgets: RunningProgram
    private let quick: RunningProgram

    /// Starts all of it, and waits until both programs are shown and attached.
    init() throws {
      try run("modprobe", "cirrusfb", "mode_option=800x600-16@60")
      // Of a palm libinput makes a cancel.
      var sheet = DeviceSheet.multitouch(name: "touchroute panel", width: 800, height: 480)
      sheet.axes[UInt16(ABS_MT_TOOL_TYPE)] = DeviceSheet.Axis(0, 2)
      touch = try VirtualTouchscreen(sheet)
      daemon = try DaemonProcess.start(windowsSideBySide, touchscreens: 1)
      widgets = try Self.start("widgets", "left", at: 0, daemon)
      quick = try Self.start("quick", "right", at: 400, daemon)
      try hear(["shown"], ["shown"])
      try waitUntilHeld()
    }

    private static func start(
      _ name: String, _ window: String, at offset: Int, _ daemon: DaemonProcess
    ) throws -> RunningProgram {
      let program = built.appending(path: name)
      guard FileManager.default.isExecutableFile(atPath: program.path) else {
        throw Missing("\(program.path): run bash scripts/lib/qt-programs.sh \(built.path)")
      }
      // Qt takes the offset off the size.
      let platform = "linuxfb:size=\(400 + offset)x600:offset=\(offset)x120"
      return try RunningProgram(
        program, ["-platform", platform, "-plugin", "touchroute:\(window)"],
        environment: [
          "TOUCHROUTE_SOCKET": daemon.socket, "QT_PLUGIN_PATH": built.path,
          "QT_QUICK_BACKEND": "software", "QT_QPA_FB_DISABLE_INPUT": "1",
        ], hasInput: true)
    }

    /// Until the programs have said that, after all before; 60 seconds are the bound of failure.
    private func hear(_ left: [String], _ right: [String]) throws {
      said.left += left
      said.right += right
      for (program, lines) in [(widgets, said.left), (quick, said.right)] {
        for _ in 0..<6000 {
          guard program.lines != lines && program.isRunning else { break }
          usleep(10_000)
        }
        try #require(program.lines == lines, "\(program.errors)")
      }
    }

    private func waitUntilHeld() throws {
      for window in ["left", "right"] { try expectSoon { try daemon.isHeld(window) } }
    }

    @Test(
      "taps, drags and two fingers come to Widgets and Quick; a cancel presses nothing (T7, R9)")
    func halves() throws {
      // A finger on each, at once.
      try press()
      try hear(["button pressed"], ["mouse down"])
      try expectSoon {
        let picture = try ScreenPicture("plugin-pressed")
        return [50, 450].allSatisfy { picture.colour($0, 130) == "red" }
      }
      try lift()
      try hear(["button released", "button clicked"], ["mouse up", "mouse clicked"])

      // A slider is dragged, and a knob by the first of two fingers. A place that is heard of late
      // may be passed over (F2), so each is waited for.
      touch.down(0, x: 156, y: 40)
      touch.down(1, x: 620, y: 30)
      touch.down(2, x: 780, y: 200)
      try touch.sync()
      try hear([], ["down 180,200 20,30"])
      touch.move(0, x: 200, y: 40)
      touch.move(1, x: 650, y: 60)
      try touch.sync()
      try hear([], ["move 180,200 50,60"])
      touch.move(0, x: 390, y: 40)
      touch.move(1, x: 700, y: 150)
      try touch.sync()
      try hear([], ["move 100,150 180,200"])
      for slot in 0...2 as ClosedRange<Int32> { touch.up(slot) }
      try touch.sync()
      try hear(["lying at 100"], ["up 2"])

      try press()
      try hear(["button pressed"], ["mouse down"])
      try beCancelled()
      try hear(["button released"], ["mouse cancelled", "mouse up"])
      try expectSoon {
        let picture = try ScreenPicture("plugin-cancelled")
        return [50, 450].allSatisfy { picture.colour($0, 130) == "green" }
          && picture.colour(700, 270) == "blue" && picture.colour(620, 150) == "grey"
      }
      try restart()
    }

    /// The daemon dies in the middle of a touch, and comes back.
    private func restart() throws {
      // Elsewhere: Qt 6.4 forgets the cancel of the second tap of two.
      try press(20)
      try hear(["button pressed"], ["mouse down"])
      daemon.kill()
      try hear(["button released"], ["mouse cancelled", "mouse up"])
      try lift()
      try daemon.start()
      try daemon.wait(for: "touchscreens: 1")
      try waitUntilHeld()
      try press()
      try lift()
      try hear(
        ["button pressed", "button released", "button clicked"],
        ["mouse down", "mouse up", "mouse clicked"])
      try daemon.finish()
    }

    private func press(_ inset: Int32 = 50) throws {
      touch.down(0, x: inset, y: inset)
      touch.down(1, x: 400 + inset, y: inset)
      try touch.sync()
    }

    private func lift() throws {
      touch.up(0)
      touch.up(1)
      try touch.sync()
    }

    private func beCancelled() throws {
      for tool in [MT_TOOL_PALM, MT_TOOL_FINGER] {
        try touch.send(
          [0, 1].flatMap { slot in
            [.absolute(ABS_MT_SLOT, slot), .absolute(ABS_MT_TOOL_TYPE, tool)]
          } + [.report])
        if tool == MT_TOOL_PALM { try lift() }
      }
    }
  }
}
