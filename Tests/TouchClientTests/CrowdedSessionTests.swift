import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel

/// Many tasks on the same sessions, at random, against the built daemon.
/// TOUCHROUTE_CROWD_SEED says which random; without it there is a new one each time.
@Suite("Crowded sessions")
struct CrowdedSessionTests {
  private static let row = Subview("row", frame: Rect(x: 0, y: 0, width: 9, height: 9))

  /// Stands in line for a view, adds one of its own there, and lets it go, also where it is
  /// cancelled meanwhile.
  private static func visit(_ path: String, _ session: TouchSession) async throws {
    let view = try await session.attach(to: path, options: .wait).attachment
    do {
      try await session.changeViews([.add(row)], in: view)
      try await session.ping()
    } catch  where error.kind == .cancelled {}
    try await Task { try await session.detach(view) }.value
  }

  /// Visits some views, and gives up half of the visits at any moment.
  private static func visits(_ session: TouchSession, seed: UInt64) async throws {
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
        // Another task of this session may be there.
        guard [.cancelled, .refused(.held)].contains(error.kind) else { throw error }
      }
    }
  }

  @Test(
    "tasks that attach, wait in line and are cancelled at random end, and hold nothing then",
    .timeLimit(.minutes(10)))
  func crowd() async throws {
    let seed =
      environment("TOUCHROUTE_CROWD_SEED").map { UInt64($0) } ?? UInt64.random(in: 0..<1 << 32)
    let daemon = try DaemonProcess(homeLayout, arguments: DaemonProcess.withoutDevices)
    let sessions = try (0..<2).map { _ in
      try TouchSession(path: daemon.socket, name: "crowd", options: .reconnect)
    }
    let readers = sessions.map { session in Task { for try await _ in session.events {} } }
    try await withThrowingTaskGroup { tasks in
      for task in 0..<8 {
        let session = sessions[task % 2]
        tasks.addTask { try await Self.visits(session, seed: seed &+ UInt64(task)) }
      }
      try await tasks.waitForAll()
    }
    for reader in readers {
      reader.cancel()
      try await reader.value
    }
    // The first has what was cancelled answered, and so detached; the second has that answered.
    for session in sessions + sessions { try await session.ping() }
    let control = try TouchSession(path: daemon.controlSocket, name: "crowd")
    let left = try await control.status().filter {
      switch $0 {
      case .attachment, .waiting: true
      default: false
      }
    }
    #expect(left.isEmpty, "TOUCHROUTE_CROWD_SEED=\(seed)")
  }
}
