import DaemonSupport
import Foundation
import TestSupport
import Testing
import VirtualDevices

extension DeviceTests {
  @Suite("End to end: recovery")
  struct RecoveryTests {
    private static let layout =
      twoWindows + """
        [[device]]
        warn_silent_ms = 1000

        """

    private func node(of name: String) throws -> String? {
      let result = try RunningProgram(
        Repository.program("touchroute"), ["list-devices", "--json"]
      ).finish()
      let listed = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
      let devices = (listed as? [String: Any])?["devices"] as? [[String: Any]] ?? []
      return devices.first { $0["name"] as? String == name }?["node"] as? String
    }

    @Test("a touchscreen that falls silent is unbound and bound, another one is left alone (N11)")
    func recovered() throws {
      try run("modprobe", "uhid")
      try #require(VirtualHIDScreen.isAvailable)
      let ill = try VirtualHIDScreen(
        .finger, name: "touchroute ill panel", vendor: 0xeef, product: 1)
      let other = try VirtualHIDScreen(
        .finger, name: "touchroute other panel", vendor: 0xeef, product: 2)
      let daemon = try DaemonProcess.start(Self.layout, touchscreens: 2)
      let recover = try RunningProgram(
        Repository.program("touchroute"),
        ["recover", "0EEF:0001", "--per-hour", "1", "--socket", daemon.controlSocket])
      func says(_ text: String) -> Bool { recover.errors.contains(text) }

      try other.report(touches: true, x: 100, y: 100)
      try daemon.waitForLog(
        "\"touchroute other panel\" (\(other.node)) has reported nothing for 1 s")
      try ill.report(touches: true, x: 1000, y: 1000)
      try waitUntil("it is recovered") {
        says("from its driver hid-generic, and bound it again") || !recover.isRunning
      }
      #expect(says("\"touchroute ill panel\" (\(ill.node)) is ill (silent): restarting it"))
      #expect(!says("other panel"))
      try daemon.wait(for: "touchscreens: 2")
      #expect(try node(of: "touchroute other panel") == other.node)

      // It works again, under another number.
      let monitor = try RunningProgram(
        Repository.program("touchroute"), ["monitor", "--socket", daemon.controlSocket])
      try waitUntil("it observes, and the touchscreen is back") {
        let status = try RunningProgram(
          Repository.program("touchroute"), ["status", "--socket", daemon.controlSocket]
        ).finish().output
        return status.contains("touchroute ill panel") && status.contains("observer")
      }
      var isDown = false
      try waitUntil("its finger is seen") {
        isDown.toggle()
        try ill.report(touches: isDown, x: 500, y: 1000)
        return monitor.lines.contains { $0.contains("touchroute ill panel") }
      }
      monitor.kill()
      try ill.report(touches: true, x: 600, y: 1000)

      // Once an hour: the next time it is only said.
      try waitUntil("the limit is said") { says("was recovered as often as --per-hour allows") }
      recover.signal(SIGTERM)
      #expect(recover.finish().status != 0)
      #expect(recover.errors.components(separatedBy: "restarting it").count == 2)
      try daemon.finish()
    }
  }
}
