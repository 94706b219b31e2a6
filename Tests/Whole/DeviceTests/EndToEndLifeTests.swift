import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel
import VirtualDevices

extension DeviceTests {
  @Suite("End to end: programs that die, a daemon that stops, devices that are not for it")
  struct EndToEndLifeTests {
    @Test(
      "a program is killed with a finger down: that touch is dead, the next one falls back (R7)")
    func killed() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let window = try TouchProgram(daemon, "left")
      let button = try ListenProcess(daemon, "left/button")
      touch.down(0, x: 100, y: 100)
      try touch.sync()
      let line = try button.wait(for: "\"phase\":\"began\"")
      #expect(line.contains("\"target\":\"left/button\""))
      let pid = button.processIdentifier
      button.kill()
      try waitUntilGone(pid, daemon)
      touch.move(0, x: 110, y: 110)
      touch.down(1, x: 60, y: 60)
      try touch.sync()
      touch.up(0)
      touch.up(1)
      try touch.sync()
      try window.wait(ended: 1)
      try window.settle()
      #expect(
        window.touches == ["began 1 left/button 60 60", "ended 1 left/button 60 60"],
        "nobody inherits the dead program's touch")
      #expect(window.violations == [])
      let status = try TouchProgram(control: daemon).daemonStatus()
      #expect(status[.orphaned] == 1)
      #expect(status.liveTouches == 0)
      try daemon.finish()
    }

    @Test("SIGTERM with a finger down: cancelled, closing, and no socket is left (R9)")
    func stops() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let left = try TouchProgram(daemon, "left")
      touch.down(x: 200, y: 300)
      try touch.sync()
      try left.wait(for: "the touch") { $0.liveTouches == 1 }
      try daemon.finish()
      try left.wait(for: "the end") { $0.isOver }
      #expect(left.touches == ["began 1 left 200 300", "cancelled 1 left 200 300 stopping"])
      #expect(left.violations == [])
      let reasons = left.events.compactMap { event -> ClosingNotice.Reason? in
        if case .closing(let notice) = event { notice.reason } else { nil }
      }
      #expect(reasons == [.stopping])
    }

    @Test("a program that leaves and comes back finds the daemon as it was (R6)")
    func reattaches() throws {
      let touch = try panel()
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let window = try TouchProgram(daemon, "left")
      touch.down(0, x: 100, y: 100)
      try touch.sync()
      try window.wait(for: "the touch") { $0.liveTouches == 1 }
      let button = try TouchProgram(daemon, "left/button")
      touch.move(0, x: 120, y: 120)
      try touch.sync()
      touch.up(0)
      try touch.sync()
      try window.wait(ended: 1)
      try button.settle()
      #expect(button.touches == [], "it came in the middle of the touch")
      try touch.tap(x: 100, y: 100)
      try button.wait(ended: 1)
      try window.settle()
      #expect(window.touches.count == 3)
      #expect(button.violations + window.violations == [])
      try daemon.finish()
    }

    @Test("a touchscreen that the daemon's user may not open: it says who may, and lives on")
    func forbidden() throws {
      let touch = try panel()
      #expect(chmod(touch.node, 0o660) == 0)
      #expect(chown(touch.node, 0, 5) == 0)
      let daemon = try DaemonProcess(
        twoWindows, arguments: ["--seat", "seat0"], user: 65534)
      try daemon.wait(for: "touchscreens: 0")
      #expect(daemon.log.contains("\(touch.node) may not be opened by user "), "\(daemon.log)")
      #expect(daemon.log.contains("join group tty"), "\(daemon.log)")
      let left = try TouchProgram(daemon, "left")
      try left.settle()
      try daemon.finish()
    }

    @Test("a named device that may not be opened, or is none, is the end of the start, in words")
    func refused() throws {
      let touch = try panel()
      #expect(chmod(touch.node, 0o600) == 0)
      let forbidden = try DaemonProcess(
        twoWindows, arguments: ["--device", touch.node], user: 65534)
      #expect(try forbidden.waitForExit() == 1)
      #expect(forbidden.log.contains("only its owner, user root, may read it"))
      let missing = try DaemonProcess(twoWindows, arguments: ["--device", "/dev/input/event99"])
      #expect(try missing.waitForExit() == 1)
      #expect(missing.log.contains("/dev/input/event99"))
      #expect(!FileManager.default.fileExists(atPath: missing.socket))
    }

    /// Waits until the daemon has no client of that process.
    private func waitUntilGone(_ pid: Int32, _ daemon: DaemonProcess) throws {
      let control = try TouchProgram(control: daemon)
      for _ in 0..<3000 {
        let isThere = try control.status().contains { item in
          if case .client(let client) = item { client.pid == pid } else { false }
        }
        if !isThere { return }
        usleep(10_000)
      }
      throw Missing("the daemon still has a client of process \(pid)")
    }
  }
}
