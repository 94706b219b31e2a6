import Testing
import TouchClient
import TouchModel

/// Several tasks on one ``TouchSession``, of which some are cancelled or wait in vain, against a
/// daemon that the test plays.
@Suite("Tasks that share a TouchSession")
struct SharedSessionTests {
  private let peer: Peer

  init() throws { peer = try Peer() }

  private func session() throws -> TouchSession {
    let session = try TouchSession(path: peer.path, name: "vectors")
    try peer.accept()
    return session
  }

  private func kind(of task: Task<some Sendable, any Error>) async -> TouchClientError.Kind? {
    await #expect(throws: TouchClientError.self) { _ = try await task.value }?.kind
  }

  @Test(
    "what one task asks is sent while another waits for events, however late the daemon reads",
    .timeLimit(.minutes(10)))
  func sending() async throws {
    let session = try session()
    try peer.send(Messages.welcome() + Messages.attached(serial: 2, id: 1))
    let home = try await session.attach(to: "home").attachment
    let waiting = Task { for try await _ in session.events {} }
    try await peer.received(32 + 32)
    try await Task.sleep(for: .milliseconds(50))  // so that it probably waits; else it proves less
    let count: UInt64 = 4000
    for touch in 1...count { try await session.accept(TouchID(touch), for: home) }
    try await peer.received(24 * Int(count))
    waiting.cancel()
    try await waiting.value
  }

  @Test("numbers that cannot be end describing, not the program", .timeLimit(.minutes(10)))
  func describing() async throws {
    let session = try session()
    try peer.send(Messages.welcome())
    let asking = Task { try await session.describeGestures() }
    try await peer.received(32 + 24)
    try peer.send(Messages.done(serial: 2, total: UInt32.max))
    try await peer.received(24)
    try peer.send(Messages.describedGesture(serial: 3))
    try peer.send(Messages.done(serial: 3, total: UInt32.max))
    #expect(await kind(of: asking) == .malformed)
  }
}
