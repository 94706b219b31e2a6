import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel

/// Many tasks on the same sessions, at random, against the built daemon.
@Suite("Crowded sessions")
struct CrowdedSessionTests {
  private static let row = Subview("row", frame: Rect(x: 0, y: 0, width: 9, height: 9))

  /// What may be thrown: a task was cancelled, another one of the session is there, or a daemon
  /// was killed.
  private static func isExpected(_ kind: TouchClientError.Kind, isKilled: Bool) -> Bool {
    switch kind {
    case .cancelled, .refused(.held): true
    case .away, .request, .refused: isKilled
    default: false
    }
  }

  /// Stands in line for a view, adds one of its own there, and lets it go, whatever has come of
  /// that.
  private static func visit(_ path: String, _ session: TouchSession) async throws {
    let view = try await session.attach(to: path, options: .wait).attachment
    let result = await Task {
      try await session.changeViews([.add(row)], in: view)
      try await session.ping()
    }.cancelledWithThis()
    try await Task { try await session.detach(view) }.value
    try result.get()
  }

  /// Visits some views, and gives up half of the visits at any moment.
  private static func visits(
    _ session: TouchSession, seed: UInt64, isKilled: Bool
  ) async throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<25 {
      let path = random.pick(["home", "home/list", "home/button"])
      let visiting = Task { try await visit(path, session) }
      if random.oneIn(2) {
        for _ in 0..<random.below(40) { await Task.yield() }
        visiting.cancel()
      }
      do {
        try await visiting.value
      } catch let error as TouchClientError {
        guard isExpected(error.kind, isKilled: isKilled) else { throw error }
      }
    }
  }

  @Test(
    "tasks that attach, wait in line and are cancelled at random end, and hold nothing then",
    .timeLimit(.minutes(10)), arguments: [false, true])
  func crowd(isKilled: Bool) async throws {
    let seed = Seeds.fresh()
    let daemon = try DaemonProcess(homeLayout, arguments: DaemonProcess.withoutDevices)
    let sessions = try (0..<2).map { _ in
      try TouchSession(path: daemon.socket, name: "crowd", options: .reconnect)
    }
    let readers = sessions.map { session in Task { for try await _ in session.events {} } }
    try await withThrowingTaskGroup { tasks in
      for task in 0..<8 {
        let session = sessions[task % 2]
        tasks.addTask {
          try await Self.visits(session, seed: seed &+ UInt64(task), isKilled: isKilled)
        }
      }
      for _ in 0..<(isKilled ? 4 : 0) {
        try await Task.sleep(for: .milliseconds(Int(seed % 50)))
        daemon.kill()
        try daemon.start()
      }
      try await tasks.waitForAll()
    }
    let left = try await left(sessions, daemon)
    #expect(left.isEmpty, "TOUCHROUTE_SEED=\(seed)")
    for reader in readers {
      reader.cancel()
      try await reader.value
    }
  }

  /// What the sessions hold, or stand in line for, once all that was cancelled is answered.
  private func left(
    _ sessions: [TouchSession], _ daemon: DaemonProcess
  ) async throws -> [StatusItem] {
    // What was attached to is let go of once that is answered, and that has to be answered too.
    for session in sessions + sessions { try await ping(session) }
    let control = try TouchSession(path: daemon.controlSocket, name: "crowd")
    return try await control.status().filter {
      switch $0 {
      case .attachment, .waiting: true
      default: false
      }
    }
  }
}

/// Pings, once there is a connection, which is made again as long as a task waits for events.
private func ping(_ session: TouchSession) async throws {
  while true {
    do {
      return try await session.ping()
    } catch {
      guard error.kind == .away else { throw error }
    }
    try await Task.sleep(for: .milliseconds(10))
  }
}

extension Task where Failure == any Error {
  /// What it comes to; it is cancelled where the task that waits for it is.
  fileprivate func cancelledWithThis() async -> Result<Success, any Error> {
    await withTaskCancellationHandler {
      await result
    } onCancel: {
      cancel()
    }
  }
}
