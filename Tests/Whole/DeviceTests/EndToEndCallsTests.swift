import DaemonSupport
import TestSupport
import Testing
import VirtualDevices

extension DeviceTests {
  /// What the loop asks of the kernel for its devices, seen by strace. The rest is in CommandTests.
  @Suite("End to end: system calls of the loop")
  struct EndToEndCallsTests {
    @Test("the same of its devices (F1, S9)")
    func devices() throws {
      let directory = try TemporaryDirectory()
      let file = directory.file("trace")
      let touch = try panel()
      let daemon = try DaemonProcess(
        twoWindows, in: directory, arguments: ["--seat", "seat0"],
        prelude: LoopTrace.prelude(into: file))
      try daemon.wait(for: "touchscreens: 1")
      let left = try TouchProgram(daemon, "left")
      touch.down(x: 200, y: 300)
      try touch.sync()
      try left.wait(for: "the touch to begin") { !$0.frames.isEmpty }
      touch.unplug()
      try left.wait(ended: 1)
      try daemon.wait(for: "touchscreens: 0")
      let again = try panel()
      try daemon.wait(for: "touchscreens: 1")
      try again.tap(x: 210, y: 310)
      try left.wait(ended: 2)
      #expect(try daemon.stop() == 0)
      let trace = try LoopTrace(file)
      let faults = try trace.faults()
      #expect(faults == [])
      for name in ["read", "ioctl", "open", "recvmsg"] {
        #expect(trace.counts[name, default: 0] > 0, "no \(name) among \(trace.counts)")
      }
    }

    @Test("so where a node may not be opened, whose owner is named (F1, S9)")
    func refused() throws {
      let directory = try TemporaryDirectory()
      let file = directory.file("trace")
      let daemon = try DaemonProcess(
        twoWindows, in: directory, arguments: ["--seat", "seat0"],
        prelude: LoopTrace.prelude(into: file), user: 65_534)
      try daemon.wait(for: "READY=1")
      let touch = try panel()
      try daemon.waitForLog("may not be opened by user nobody")
      #expect(try daemon.stop() == 0)
      let faults = try LoopTrace(file).faults()
      #expect(faults == [])
      withExtendedLifetime(touch) {}
    }
  }
}
