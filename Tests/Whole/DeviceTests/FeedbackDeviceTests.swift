import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import VirtualDevices

extension DeviceTests {
  @Suite("touchroute output feedback on kernel devices")
  struct FeedbackDeviceTests {
    private let files: TemporaryDirectory
    private let daemon: DaemonProcess
    private let touch: VirtualTouchscreen

    init() throws {
      touch = try panel()
      daemon = try DaemonProcess.start(
        twoWindows.replacing(
          "path = \"left/button\"", with: "path = \"left/button\"\nfeedback = \"click\""),
        touchscreens: 1)
      files = try TemporaryDirectory()
    }

    private func output(_ arguments: String...) throws -> RunningProgram {
      try RunningProgram(
        Repository.program("touchroute"),
        ["output", "feedback", "--socket", daemon.socket, "--most", "100"] + arguments)
    }

    /// Taps the button until a haptic has done something: from then on it is all there. The holder
    /// of the window reads meanwhile: touches would pass over one that does not (F3).
    private func tap(
      _ holder: TouchProgram, _ haptic: VirtualHaptic, until what: String,
      _ program: RunningProgram, _ isDone: () -> Bool
    ) throws {
      for round in 0..<3000 {
        haptic.serve()
        if isDone() { return }
        if round % 20 == 0 {
          try touch.tap(x: 100, y: 100)
          try holder.settle()
        }
        usleep(10_000)
      }
      throw Missing("\(what): \(haptic.heard), \(program.errors)")
    }

    @Test("a rumble, a wave and a tone are played as asked for, where a program holds it (D10)")
    func plays() throws {
      let haptic = try VirtualHaptic()
      let left = try TouchProgram(daemon, "left")
      let program = try output(
        "--rumble", "click=\(haptic.node),40,50", "--periodic", "click=\(haptic.node),20,100",
        "--beep", "*=\(haptic.node)", "--beep", "click=\(haptic.node),10,880")
      try tap(left, haptic, until: "all of it is played", program) {
        haptic.heard.contains("tone 0")
          && haptic.heard.contains { $0.hasPrefix("play 0") }
          && haptic.heard.contains { $0.hasPrefix("play 1") }
      }
      #expect(haptic.heard.prefix(2) == ["rumble 40 ms 32767", "wave 20 ms 32767"])
      #expect(haptic.heard.contains("tone 880") && !haptic.heard.contains("tone 2000"))
      #expect(program.errors == "")
    }

    @Test("a device that goes away is said once, and played again once it is back")
    func unplugged() throws {
      var haptic = try VirtualHaptic()
      let link = files.file("vibrator")
      #expect(symlink(haptic.node, link) == 0)
      let left = try TouchProgram(daemon, "left")
      let program = try output("--rumble", "click=\(link)")
      try tap(left, haptic, until: "it is played", program) { haptic.heard.contains("play 0 1") }
      haptic.unplug()
      try tap(left, haptic, until: "it is said", program) { program.errors.contains("is gone") }
      haptic = try VirtualHaptic()
      #expect(unlink(link) == 0 && symlink(haptic.node, link) == 0)
      try tap(left, haptic, until: "it is back", program) { haptic.heard.contains("play 0 1") }
      let lines = program.errors.split(separator: "\n")
      #expect(lines.count == 2 && lines.last == "touchroute: \(link) is back", "\(lines)")
    }

    @Test("a touchscreen has no force feedback, and that is said")
    func lacks() throws {
      let result = try output("--rumble", "click=\(touch.node)").finish()
      #expect(result.status == 1)
      #expect(
        result.errors.contains("can't give feedback: it has no force feedback"), "\(result.errors)")
    }
  }
}
