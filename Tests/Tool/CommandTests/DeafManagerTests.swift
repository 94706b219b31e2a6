import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel

/// The built daemon, whose service manager does not read.
@Suite("Daemon and a service manager that does not read")
struct DeafManagerTests {
  /// A touch of the window home, which its program gets.
  private func touch(_ control: DaemonClient, for program: DaemonClient) throws {
    for change in [InjectedContact.Change.began(Point(x: 400, y: 400)), .ended] {
      _ = try control.connection.inject([InjectedContact(slot: 0, change)])
      _ = try control.next(\.completion)
      _ = try program.next(\.frame)
    }
  }

  @Test("it delays no touch, no reload and no end, and hears all later (F1, S11)")
  func deaf() throws {
    let directory = try TemporaryDirectory()
    let go = directory.file("go")
    let daemon = try DaemonProcess(
      panel, in: directory, arguments: DaemonProcess.withoutDevices,
      prelude: "while [ ! -e '\(go)' ]; do sleep 0.01; done\nexport WATCHDOG_USEC=40000")
    try daemon.notifications.fill()
    try directory.write("go", "")
    try waitUntil("it listens; its log: \(daemon.log)") {
      (try? DaemonClient(daemon.controlSocket)) != nil
    }
    let program = try DaemonClient(daemon.socket, name: "program")
    _ = try program.connection.attach(to: "home")
    _ = try program.next(\.geometry)
    let control = try DaemonClient(daemon.controlSocket, name: "tool")
    for _ in 0..<20 {
      _ = try control.connection.reload()
      _ = try control.next(\.completion)
      try touch(control, for: program)
    }
    // It sleeps, but for the watchdog.
    let rests = (0..<100).contains { _ in
      let before = daemon.ticks
      usleep(100_000)
      return daemon.ticks == before
    }
    #expect(rests, "it is busy with nothing")
    try daemon.wait(for: "READY=1")
    try daemon.wait(for: "RELOADING=1")
    try daemon.wait(for: "READY=1")
    try daemon.wait(for: "WATCHDOG=1")
    try daemon.notifications.fill()
    #expect(try daemon.stop() == 0)
  }
}
