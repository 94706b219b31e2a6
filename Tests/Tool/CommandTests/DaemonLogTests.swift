import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel

/// The built daemon, whose standard error nobody reads.
@Suite("Daemon, the log")
struct DaemonLogTests {
  private typealias Reader = LogReader

  /// The daemon's own counters.
  private func counters(_ control: DaemonClient) throws -> TouchClient.DaemonStatus {
    _ = try control.connection.status()
    var state: TouchClient.DaemonStatus?
    _ = try control.next { event in
      if case .daemon(let daemon) = event.item { state = daemon }
      return event.completion
    }
    return try #require(state)
  }

  /// A touch of the window home, which its program gets.
  private func touch(_ control: DaemonClient, for program: DaemonClient) throws {
    for change in [InjectedContact.Change.began(Point(x: 400, y: 400)), .ended] {
      _ = try control.connection.inject([InjectedContact(slot: 0, change)])
      _ = try control.next(\.completion)
      _ = try program.next(\.frame)
    }
  }

  @Test(
    "a log that nobody reads delays no touch and no ping, whatever others make it say (F1, S10)",
    arguments: [LogReader.Kind.pipe, .socket])
  func standstill(_ kind: LogReader.Kind) throws {
    let reader = try Reader(kind)
    let daemon = try DaemonProcess.started(
      prelude: "exec 2>&3 3>&-", passing: [reader.writing])
    let program = try DaemonClient(daemon.socket, name: "program")
    _ = try program.connection.attach(to: "home")
    _ = try program.next(\.geometry)
    let control = try DaemonClient(daemon.controlSocket, name: "tool")
    // Each reload is as many lines as there are mistakes.
    let mistakes = (0..<40).map { "mistake_\($0) = 1" }.joined(separator: "\n")
    try Data("\(mistakes)\n\(panel)".utf8).write(to: URL(filePath: daemon.configuration))
    let start = ContinuousClock.now
    for round in 0..<120 {
      _ = try DaemonClient(daemon.socket, name: "hasty").next(\.greeting)
      _ = try control.connection.reload()
      _ = try control.next(\.failure)
      // The service manager reads what it is told.
      try daemon.wait(for: "READY=1")
      guard round % 10 == 9 else { continue }
      let ping = try program.connection.ping()
      _ = try program.next { $0 == .pong(ping) ? true : nil }
      try touch(control, for: program)
    }
    let status = try counters(control)
    #expect(status[.lostLogLines] > 1000)
    #expect(status[.omittedLogLines] > 100)

    // While its lines wait the daemon sleeps.
    let rests = (0..<100).contains { _ in
      let before = daemon.ticks
      usleep(100_000)
      return daemon.ticks == before
    }
    #expect(rests, "it is busy with nothing")

    // Once they are read, so is how many were lost, and every line is whole.
    var text = ""
    for _ in 0..<3000 {
      guard !text.contains("of the log were lost") else { break }
      text += reader.read()
      usleep(10_000)
    }
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("touchrouted: ") })
    let lost = "touchrouted: warning: \(status[.lostLogLines]) lines of the log were lost: "
    #expect(lines.contains { $0.hasPrefix(lost) })
    // 20, and 2 for each second that it took.
    let seconds = (ContinuousClock.now - start).components.seconds
    #expect(lines.count { $0.contains("(hasty) ") } <= 22 + 2 * Int(seconds))
  }

  @Test("a user's programs cause 20 lines in a row; the rest is one line of how many (F1)")
  func limit() throws {
    let daemon = try DaemonProcess.started()
    let start = ContinuousClock.now
    for _ in 0..<200 { _ = try DaemonClient(daemon.socket, name: "hasty").next(\.greeting) }
    kill(daemon.pid, SIGTERM)
    #expect(try daemon.waitForExit() == 0)
    let seconds = (ContinuousClock.now - start).components.seconds
    let lines = daemon.log.split(separator: "\n")
    let about = lines.count { $0.contains("(hasty) ") }
    // 20, and 2 for each second that it took.
    #expect(about >= 20 && about <= 22 + 2 * Int(seconds))
    let told = lines.filter { $0.contains(" about programs of ") }
    #expect(!told.isEmpty)
    let left = told.compactMap { line in
      line.split(separator: " ").lazy.compactMap { Int($0) }.first
    }
    #expect(left.reduce(0, +) + about >= 399)
  }
}
