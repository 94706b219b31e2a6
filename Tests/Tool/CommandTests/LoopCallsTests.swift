import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel

/// What the built daemon's loop asks of the kernel, seen by strace. Those of its devices are in
/// DeviceTests.
@Suite("System calls of the loop")
struct LoopCallsTests {
  @Test("the loop makes system calls of docs/security.md's list alone, and waits in none (F1, S9)")
  func calls() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("trace")
    let daemon = try DaemonProcess.started(
      panel, in: directory,
      arguments: ["--seat", "seat-of-the-tests", "--log-level", "debug"],
      prelude: LoopTrace.prelude(into: file))
    try useAll(of: daemon)
    try misuse(daemon)
    #expect(try daemon.stop() == 0)
    let trace = try LoopTrace(file)
    let faults = try trace.faults()
    #expect(faults == [])
    // What this is about has happened.
    for name in ["accept4", "recvmsg", "send", "clone", "epoll_wait", "close"] {
      #expect(trace.counts[name, default: 0] > 0, "no \(name) among \(trace.counts)")
    }
  }

  /// What programs and the tool ask for, each once.
  private func useAll(of daemon: DaemonProcess) throws {
    let program = try DaemonClient(daemon.socket, name: "program")
    let home = try program.connection.attach(to: "home")
    _ = try program.next(\.geometry)
    let control = try DaemonClient(daemon.controlSocket, name: "tool")
    for change in [InjectedContact.Change.began(Point(x: 400, y: 400)), .ended] {
      _ = try control.connection.inject([InjectedContact(slot: 0, change)])
      _ = try control.next(\.completion)
      _ = try program.next(\.frame)
    }
    // As many as a thread lays out.
    for batch in 0..<4 {
      _ = try program.connection.addViews(in: home) {
        for row in 0..<500 {
          Subview("row\(batch)-\(row)", frame: Rect(x: 0, y: Double(row), width: 10, height: 1))
        }
      }
      _ = try program.next(\.completion)
    }
    _ = try program.connection.set([ViewChange("home", .alpha(0.5))])
    _ = try program.next(\.completion)
    _ = try control.connection.status()
    _ = try control.next(\.completion)
    try daemon.write(panel + "# changed\n")
    _ = try control.connection.reload()
    _ = try control.next(\.completion)
    try daemon.write("[window]\n")
    _ = try control.connection.reload()
    _ = try control.next(\.failure)
  }

  /// Clients that break the protocol, hang up in the middle of a message, do not read, and pass
  /// what waits.
  private func misuse(_ daemon: DaemonProcess) throws {
    let witness = try DaemonClient(daemon.socket, name: "witness")
    _ = try witness.next(\.greeting)
    for bytes in [[0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], [40, 0, 0, 0, 1]] as [[UInt8]] {
      let hostile = try UnixSocket.connected(to: daemon.socket)
      #expect(send(hostile, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
      _ = try witness.connection.ping()
      _ = try witness.next { if case .pong = $0 { true } else { nil } }
      close(hostile)
    }
    let deaf = try DaemonClient(daemon.controlSocket, name: "deaf")
    for _ in 0..<2000 { _ = try? deaf.connection.status() }
    for _ in 0..<20 {
      _ = try witness.connection.ping()
      _ = try witness.next { if case .pong = $0 { true } else { nil } }
    }
  }
}
