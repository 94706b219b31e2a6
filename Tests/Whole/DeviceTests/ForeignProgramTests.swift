import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import VirtualDevices

extension DeviceTests {
  /// Programs of Debian's packages, as they are, each of which has a window.
  @Suite("Programs that know nothing of touchroute")
  struct ForeignProgramTests {
    @Test("evtest and libinput debug-events read a window's fingers, and warn of nothing (T9, T12)")
    func readers() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(windowsSideBySide, touchscreens: 1)
      let left = try OutputProcess(daemon, "left")
      let right = try OutputProcess(daemon, "right")
      let evtest = try ForeignProgram("/usr/bin/evtest", [left.node()])
      try evtest.wait(for: "Testing ...")
      let libinput = try ForeignProgram(
        "/usr/bin/libinput", ["debug-events", "--device", right.node()])
      try libinput.wait(for: "DEVICE_ADDED")
      touch.down(0, x: 100, y: 120)
      touch.down(1, x: 600, y: 240)
      try touch.sync()
      touch.down(2, x: 700, y: 120)
      touch.move(0, x: 110, y: 120)
      try touch.sync()
      for slot in 0..<3 { touch.up(Int32(slot)) }
      try touch.sync()
      for words in [
        "(ABS_MT_POSITION_X), value 100", "(BTN_TOUCH), value 1", "(ABS_MT_POSITION_X), value 110",
        "(ABS_MT_TRACKING_ID), value -1", "(BTN_TOUCH), value 0",
      ] { try evtest.wait(for: words) }
      for words in ["0 (0) 50.00/50.00", "1 (1) 75.00/25.00", "TOUCH_UP", "TOUCH_UP"] {
        try libinput.wait(for: words)
      }
      for program in [evtest, libinput] {
        let text = program.lines.joined(separator: "\n").lowercased()
        #expect(!["warn", "bug", "error"].contains(where: text.contains), "\(text)")
      }
      #expect(!evtest.lines.contains { $0.contains("value 600") })
      try daemon.finish()
    }

    @Test("libinput cancels a palm, and each later touch of its slot begins and ends (R9)")
    func palm() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(windowsSideBySide, touchscreens: 1)
      let output = try OutputProcess(daemon, "--cancel", "palm", "left")
      let libinput = try ForeignProgram(
        "/usr/bin/libinput", ["debug-events", "--device", output.node()])
      try libinput.wait(for: "DEVICE_ADDED")
      let control = try TouchProgram(control: daemon)
      for _ in 1...3 {
        touch.down(x: 100, y: 120)
        try touch.sync()
        try libinput.wait(for: "TOUCH_DOWN")
        _ = try control.connection.cancel(nil)
        try libinput.wait(for: "TOUCH_CANCEL")
        touch.up()
        try touch.sync()
        try touch.tap(x: 100, y: 120)
        try libinput.wait(for: "TOUCH_DOWN")
        try libinput.wait(for: "TOUCH_UP")
      }
      try daemon.finish()
    }

    @Test("SDL 2 reads its window's fingers, is killed, and reads on when it is back (T12)")
    func sdl() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(windowsSideBySide, touchscreens: 1)
      let left = try OutputProcess(daemon, "left")
      let node = try left.node()
      let right = try OutputProcess(daemon, "right")
      let hidden = [try right.node(), touch.node]
      func start() throws -> ForeignProgram {
        let program = try ForeignProgram(
          "/usr/libexec/installed-tests/SDL2/testgesture", ["--info", "event_motion"],
          hiding: hidden,
          environment: ["SDL_VIDEODRIVER": "evdev"])
        try program.wait(for: "shown")
        try expectSoon { Self.holds(program.program.identifier, node) }
        return program
      }
      let first = try start()
      try touch.tap(x: 700, y: 100)
      try touch.tap(x: 100, y: 120)
      #expect(try first.wait(for: "Finger: down").contains("x=0.25"))
      try first.wait(for: "Finger: up")
      touch.down(0, x: 100, y: 120)
      touch.down(1, x: 300, y: 120)
      try touch.sync()
      touch.down(2, x: 500, y: 120)
      touch.move(1, x: 300, y: 360)
      try touch.sync()
      #expect(try first.wait(for: "Finger: down").contains("x=0.25"))
      #expect(try first.wait(for: "Finger: down").contains("x=0.75"))
      #expect(try first.wait(for: "Finger: motion").contains("y=0.75"))
      first.kill()
      for slot in 0..<3 { touch.up(Int32(slot)) }
      try touch.sync()
      let second = try start()
      try touch.tap(x: 100, y: 120)
      try second.wait(for: "Finger: down")
      try second.wait(for: "Finger: up")
      #expect(second.lines.filter { $0.contains("Finger: down") }.count == 1)
      #expect(left.program.isRunning && left.nodes.count == 1)
      try daemon.finish()
    }

    /// Whether a process has opened a node.
    private static func holds(_ pid: Int32, _ node: String) -> Bool {
      let folder = "/proc/\(pid)/fd"
      let open = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return open.contains {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == node
      }
    }
  }
}
