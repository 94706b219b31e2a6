import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel

/// The built daemon as a process, with idle watches that are not due. Rule D7.
@Suite("Daemon, idle watches")
struct DaemonIdleTests {
  /// The daemon's timers of the kernel.
  private func timers(_ daemon: DaemonProcess) throws -> Int {
    let folder = "/proc/\(daemon.pid)/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
      return target?.contains("timerfd") == true
    }
  }

  /// How often its threads have gone to sleep until now: each wake-up ends so.
  private func sleeps(_ daemon: DaemonProcess) throws -> Int {
    let folder = "/proc/\(daemon.pid)/task"
    return try FileManager.default.contentsOfDirectory(atPath: folder).reduce(0) { sum, task in
      let text = try String(contentsOfFile: "\(folder)/\(task)/status", encoding: .utf8)
      let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
      return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
    }
  }

  @Test("1,000 idle watches cost one timer, and no wake-up while none is due (D7)")
  func thousand() throws {
    let daemon = try DaemonProcess.started(twoWindows, arguments: DaemonProcess.withoutDevices)
    let client = try DaemonClient(daemon.controlSocket)
    let none = try timers(daemon)
    for index in 0..<1_000 {
      let scope: IdleScope = index.isMultiple(of: 2) ? .seat : .screen("panel")
      try client.connection.watchIdle(scope, milliseconds: UInt32(3_600_000 + index))
      _ = try client.next(\.completion)
      if index == 0 { #expect(try timers(daemon) - none <= 1) }
    }
    #expect(try timers(daemon) - none <= 1)
    // It comes to rest, and then sleeps for as long as is looked at.
    var isAtRest = false
    for _ in 0..<20 {
      guard !isAtRest else { break }
      let before = try sleeps(daemon)
      usleep(1_500_000)
      isAtRest = try sleeps(daemon) == before
    }
    #expect(isAtRest)
    #expect(try daemon.stop() == 0)
  }
}
