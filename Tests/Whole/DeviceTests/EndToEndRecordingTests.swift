import DaemonSupport
import Glibc
import Testing
import TouchClient
import VirtualDevices

extension DeviceTests {
  @Suite("End to end: recordings of real touchscreens")
  struct EndToEndRecordingTests {
    @Test("every recording reaches its program as a stream that keeps the rules (T5)")
    func replay() throws {
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 0)
      let program = try TouchProgram(daemon, "app:dashboard")
      var ended = 0
      for recording in Recording.touchscreens {
        let touch = try VirtualTouchscreen(recording.sheet)
        try daemon.wait(for: "touchscreens: 1")
        var time: UInt64 = 0
        for frame in recording.recording.frames {
          // Faster than it happened, but no faster than the kernel's buffer is read: that alone.
          // What the daemon would miss, libinput would make good, and the rules hold all the same.
          usleep(UInt32(min((frame.time - time) / 8, 2_000)))
          time = frame.time
          try touch.send(frame.events)
        }
        touch.unplug()
        try daemon.wait(for: "touchscreens: 0")
        try program.settle()
        #expect(program.liveTouches == 0, "\(recording.name)")
        #expect(program.violations == [], "\(recording.name)")
        #expect(program.endedTouches > ended, "\(recording.name) has fingers")
        ended = program.endedTouches
      }
      let status = try TouchProgram(control: daemon).daemonStatus()
      #expect(status[.began] == status[.ended] + status[.cancelled])
      #expect(status[.strayEvents] == 0)
      try daemon.finish()
    }
  }
}
