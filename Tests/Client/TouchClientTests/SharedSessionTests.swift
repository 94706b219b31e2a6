import CTouchroute
import Testing
import TouchClient
import TouchModel

/// Several tasks on one ``TouchSession``, of which some are cancelled or wait in vain, against a
/// daemon that the test plays.
@Suite("Tasks that share a TouchSession")
struct SharedSessionTests {
  private let peer: Peer

  init() throws { peer = try Peer() }

  private func session(_ options: ConnectOptions = []) throws -> TouchSession {
    let session = try TouchSession(path: peer.path, name: "vectors", options: options)
    try peer.accept()
    return session
  }

  /// Begins to attach to home, which another one holds; the session is told that it waits.
  private func attachInLine(
    _ session: TouchSession
  ) async throws -> (Task<AttachmentGeometry, any Error>, AttachmentID) {
    let attaching = Task { try await session.attach(to: "home", options: .wait) }
    try await peer.received(32 + 32)
    try peer.send(Messages.welcome() + Messages.waiting(serial: 2, id: 7))
    for try await event in session.events {
      if case .waiting(let waiting) = event { return (attaching, waiting.attachment) }
    }
    throw Peer.Failure(description: "nothing waits")
  }

  private func kind(of task: Task<some Sendable, any Error>) async -> TouchClientError.Kind? {
    await #expect(throws: TouchClientError.self) { _ = try await task.value }?.kind
  }

  @Test("what stands in line is detached: who waits for it is told", .timeLimit(.minutes(10)))
  func detachInLine() async throws {
    let session = try session()
    let (attaching, attachment) = try await attachInLine(session)
    let detaching = Task { try await session.detach(attachment) }
    try await peer.received(16)
    try peer.send(Messages.done(serial: 3))
    try await detaching.value
    #expect(await kind(of: attaching) == .refused(.notAttached))
  }

  @Test(
    "what stands in line is detached while the daemon is away: who waits for it is told",
    .timeLimit(.minutes(10)))
  func detachInLineWhileAway() async throws {
    let session = try session(.reconnect)
    let (attaching, attachment) = try await attachInLine(session)
    peer.stop()
    peer.disconnect()
    for try await event in session.events { if case .lost = event { break } }
    let row = Subview("row", frame: Rect(x: 0, y: 0, width: 10, height: 10))
    let adding = Task { try await session.changeViews([.add(row)], in: attachment) }
    await Task.yield()
    try await session.detach(attachment)
    #expect(await kind(of: attaching) == .refused(.notAttached))
    _ = await kind(of: adding)  // refused, or there is no such attachment any more
  }

  @Test("the daemon ends what stands in line: who waits for it is told", .timeLimit(.minutes(10)))
  func endedInLine() async throws {
    let session = try session()
    let (attaching, _) = try await attachInLine(session)
    try peer.send(Messages.detached(id: 7, TOUCHROUTE_DETACH_NOT_ALLOWED))
    #expect(await kind(of: attaching) == .refused(.notAllowed))
  }

  @Test("where nobody waits for an attachment any more, it is ended", .timeLimit(.minutes(10)))
  func cancelledAttach() async throws {
    let session = try session()
    let (attaching, _) = try await attachInLine(session)
    attaching.cancel()
    #expect(await kind(of: attaching) == .cancelled)
    try await peer.received(16)  // detach
    try peer.send(Messages.attached(serial: 0, id: 7) + Messages.done(serial: 3))
    try peer.send(Messages.detached(id: 9, TOUCHROUTE_DETACH_REMOVED) + Messages.pong(serial: 4))
    try await session.ping()
    let again = Task { try await session.attach(to: "home") }
    try await peer.received(16 + 32)
    try peer.send(Messages.attached(serial: 5, id: 8))
    #expect(try await again.value.attachment == AttachmentID(5))
  }

  @Test("where nobody waits for a recognizer any more, it is removed", .timeLimit(.minutes(10)))
  func cancelledGesture() async throws {
    let session = try session()
    try peer.send(Messages.welcome() + Messages.attached(serial: 2, id: 1))
    let home = try await session.attach(to: "home").attachment
    try await peer.received(32 + 32)
    let adding = Task { try await session.addGesture(.tap("tap"), to: home) }
    try await peer.received(104)
    adding.cancel()
    #expect(await kind(of: adding) == .cancelled)
    try peer.send(Messages.done(serial: 3, total: 9) + Messages.pong(serial: 5))
    try await session.ping()
    try await peer.received(16 + 16)  // remove, as soon as it can be; ping
  }

  @Test("the answer to a request whose task was cancelled is no event", .timeLimit(.minutes(10)))
  func cancelledPing() async throws {
    let session = try session()
    try peer.send(Messages.welcome())
    let asking = Task { try await session.ping() }
    try await peer.received(32 + 16)
    asking.cancel()
    #expect(await kind(of: asking) == .cancelled)
    try peer.send(Messages.pong(serial: 2) + Messages.pong(serial: 3))
    try await session.ping()
    peer.disconnect()
    var events: [TouchEvent] = []
    await #expect(throws: TouchClientError.self) {
      for try await event in session.events { events.append(event) }
    }
    #expect(events.count == 2, "welcome and lost: \(events)")
  }

  @Test("a connection that is not made again has ended, and is not away", .timeLimit(.minutes(10)))
  func ended() async throws {
    let session = try session()
    try peer.send(Messages.welcome())
    let asking = Task { try await session.ping() }
    try await peer.received(32 + 16)
    peer.disconnect()
    #expect(await kind(of: asking) == .ended)
  }

  @Test("observing is asked for again, also where it had no answer", .timeLimit(.minutes(10)))
  func observing() async throws {
    let session = try session(.reconnect)
    try peer.send(Messages.welcome())
    let asking = Task { try await session.observe() }
    try await peer.received(32 + 16)
    peer.disconnect()
    try await asking.value
    try await peer.acceptLater()
    try await peer.received(32 + 16)
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
