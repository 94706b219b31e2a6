import DaemonSupport
import Testing
import TouchClient
import TouchModel
import VirtualDevices

/// The two windows, and a view `button` in the left one.
let twoWindows =
  windowsSideBySide + """
    [[view]]
    path = "left/button"
    frame = [50, 50, 100, 100]

    """

extension DeviceTests {
  @Suite("End to end: from a finger to the program")
  struct EndToEndTests {
    @Test("a tap on each of two windows reaches its program and no other (T12)")
    func taps() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let left = try TouchProgram(daemon, "left")
      let right = try TouchProgram(daemon, "right")
      try touch.tap(x: 200, y: 300)
      try left.wait(ended: 1)
      try touch.tap(x: 500, y: 100)
      try right.wait(ended: 1)
      for program in [left, right] { try program.settle() }
      #expect(left.touches == ["began 1 left 200 300", "ended 1 left 200 300"])
      #expect(right.touches == ["began 1 right 500 100", "ended 1 right 500 100"])
      let began = try #require(right.frames.first?.touches.first)
      #expect(began.location == Point(x: 100, y: 100), "in the window's own coordinates (T9)")
      #expect(left.violations + right.violations == [])
      try daemon.finish()
    }

    @Test("a drag that leaves the window stays with it (H1)")
    func drag() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let left = try TouchProgram(daemon, "left")
      let right = try TouchProgram(daemon, "right")
      touch.down(x: 300, y: 300)
      try touch.sync()
      for x in [500, 700] {
        touch.move(x: Int32(x), y: 300)
        try touch.sync()
      }
      touch.up()
      try touch.sync()
      try left.wait(ended: 1)
      try right.settle()
      #expect(
        left.touches == [
          "began 1 left 300 300", "moved 1 left 500 300", "moved 1 left 700 300",
          "ended 1 left 700 300",
        ])
      #expect(right.touches == [])
      #expect(left.violations == [])
      try daemon.finish()
    }

    @Test("two fingers on two windows go to two programs, each its own only (T12)")
    func twoFingers() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let left = try TouchProgram(daemon, "left")
      let right = try TouchProgram(daemon, "right")
      touch.down(0, x: 200, y: 300)
      touch.down(1, x: 600, y: 300)
      try touch.sync()
      touch.move(0, x: 210, y: 300)
      touch.move(1, x: 610, y: 300)
      try touch.sync()
      touch.up(1)
      try touch.sync()
      try right.wait(ended: 1)
      try left.settle()
      #expect(left.liveTouches == 1, "the other finger's lift is none of its business")
      touch.up(0)
      try touch.sync()
      try left.wait(ended: 1)
      try right.settle()
      #expect(
        left.touches
          == ["began 1 left 200 300", "moved 1 left 210 300", "ended 1 left 210 300"])
      #expect(
        right.touches
          == ["began 1 right 600 300", "moved 1 right 610 300", "ended 1 right 610 300"])
      #expect(left.violations + right.violations == [])
      try daemon.finish()
    }

    @Test("a view without a client falls back to its window's, and that to the application's (R4)")
    func fallback() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let application = try TouchProgram(daemon, "app:dashboard")
      do {
        let window = try TouchProgram(daemon, "left")
        do {
          let button = try TouchProgram(daemon, "left/button")
          try touch.tap(x: 100, y: 100)
          try button.wait(ended: 1)
          try window.settle()
          #expect(window.touches == [])
          let serial = try #require(try button.connection.detach(button.attachments[0]))
          try button.wait(for: "the detachment") {
            $0.events.contains { $0.serial == serial }
          }
        }
        try touch.tap(x: 100, y: 100)
        try window.wait(ended: 1)
        #expect(window.touches == ["began 1 left/button 100 100", "ended 1 left/button 100 100"])
        try application.settle()
        #expect(application.touches == [])
        let serial = try #require(try window.connection.detach(window.attachments[0]))
        try window.wait(for: "the detachment") { $0.events.contains { $0.serial == serial } }
      }
      try touch.tap(x: 110, y: 110)
      try application.wait(ended: 1)
      #expect(
        application.touches == ["began 1 left/button 110 110", "ended 1 left/button 110 110"])
      #expect(application.violations == [])
      try daemon.finish()
    }

    @Test("a touch that nobody handles is counted, and reaches nobody (R4, H7)")
    func unhandled() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let right = try TouchProgram(daemon, "right")
      try touch.tap(x: 200, y: 300)
      try touch.tap(x: 600, y: 300)
      try right.wait(ended: 1)
      #expect(right.touches == ["began 1 right 600 300", "ended 1 right 600 300"])
      let status = try TouchProgram(control: daemon).daemonStatus()
      #expect(status[.discardedUnhandled] == 1)
      #expect(status[.began] == 2)
      try daemon.finish()
    }
  }
}
