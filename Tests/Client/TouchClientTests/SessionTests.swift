import TestSupport
import Testing
import TouchClient
import TouchModel

/// TouchSession against a daemon that the test plays. What the daemon says lies ready before it is
/// asked for: a session reads only when somebody waits.
@Suite("TouchSession")
struct SessionTests {
  @Test("a request waits for its answer, and touches come as a sequence")
  func touches() async throws {
    let vector = try Vector(name: "one_touch")
    let peer = try Peer()
    let session = try TouchSession(path: peer.path, name: "vectors")
    try peer.accept()
    try peer.send(vector.bytes)
    peer.finishSending()
    let geometry = try await session.attach(to: "home")
    #expect(geometry.frame == Rect(x: 0, y: 0, width: 800, height: 480))
    var phases: [TouchPhase] = []
    let error = await #expect(throws: TouchClientError.self) {
      for try await frame in session.touches { phases += frame.touches.map(\.phase) }
    }
    #expect(phases == [.began, .moved, .stationary, .ended])
    #expect(error?.kind == .ended)
  }

  @Test("a refusal is thrown, with the daemon's sentence")
  func refusal() async throws {
    let vector = try Vector(name: "errors")
    let peer = try Peer()
    let session = try TouchSession(path: peer.path, name: "vectors")
    try peer.accept()
    try peer.send(vector.bytes)
    let error = await #expect(throws: TouchClientError.self) {
      _ = try await session.attach(to: "home/nav")
    }
    #expect(error?.kind == .refused(.held))
    #expect(
      error?.description == "\"home/nav\" is held by pid 812 (nav-app), user kiosk")
  }

  @Test("describe asks for page after page until it has all", .timeLimit(.minutes(10)))
  func describe() async throws {
    let peer = try Peer()
    let session = try TouchSession(path: peer.path, name: "vectors")
    try peer.accept()
    let asking = Task { try await session.describe("home") }
    try await peer.received(32 + 32)
    let vector = try Vector(name: "describing")  // two of nine views; asked again: none
    let views = vector.bytes.dropLast(448)  // recognizers, for a third request
    try peer.send(views.dropLast(24))
    try await peer.received(32)
    try peer.send(views.suffix(24))
    let described = try await asking.value
    #expect(described.map(\.path) == ["home", "home/toolbar"])
    #expect(described[0].details?.application == "dashboard")
    #expect(described[0].properties.map(\.property) == [.level(-4)])
    #expect(described[1].details?.flags == [.added, .incomplete])
    #expect(described[1].details?.program == 812)
    #expect(
      described[1].properties.map(\.property) == [
        .hidden(true), .outset(Outset(top: 1, left: 2, bottom: -3, right: 4.5)),
        .shape(.polygon([.zero, Point(x: 10, y: 0.5), Point(x: 0, y: 10)])),
        .inside(.children(["back", "forth"])), .hit(.first("back/icon")),
      ])
    #expect(
      described[1].properties.map(\.setter) == [.attachment, .control, .none, .none, .none])
  }

  @Test("status collects its items, reload says what changed", .timeLimit(.minutes(10)))
  func status() async throws {
    let peer = try Peer()
    let session = try TouchSession(path: peer.path, name: "vectors")
    try peer.accept()
    let asking = Task { (try await session.status(), try await session.reload()) }
    try await peer.play(try Vector(name: "status"))
    let (items, changes) = try await asking.value
    #expect(items.count == 11)
    #expect(changes == "1 window, 3 views and 0 devices changed")
  }

  @Test("set waits until it is in force, cancel says how many", .timeLimit(.minutes(10)))
  func changes() async throws {
    let peer = try Peer()
    let session = try TouchSession(path: peer.path, name: "vectors")
    try peer.accept()
    let setting = Task {
      try await session.set([ViewChange("home/list", .hidden(true))])
      return try await session.cancel(TouchID(77))
    }
    func done(_ serial: UInt8, total: UInt8) -> [UInt8] {
      [24, 0, 0, 0, 2, 1, 0, 0, serial, 0, 0, 0, total] + [UInt8](repeating: 0, count: 11)
    }
    try peer.send(Messages.welcome())
    try await peer.received(32 + 88)
    try peer.send(done(2, total: 0))
    try await peer.received(24)
    try peer.send(done(3, total: 1))
    #expect(try await setting.value == 1)
  }

  @Test("a task that is cancelled stops waiting, and the session goes on", .timeLimit(.minutes(10)))
  func cancellation() async throws {
    let peer = try Peer()
    let session = try TouchSession(path: peer.path, name: "vectors")
    try peer.accept()
    let waiting = Task { () -> Int in
      var count = 0
      for try await _ in session.events { count += 1 }
      return count
    }
    waiting.cancel()
    #expect(try await waiting.value == 0)
    let asking = Task { try await session.ping() }
    asking.cancel()
    let error = await #expect(throws: TouchClientError.self) { try await asking.value }
    #expect(error?.kind == .cancelled)
    try peer.send(Messages.welcome())
    let event = try await session.events.first { _ in true }
    guard case .welcome = event else {
      Issue.record("no welcome but \(String(describing: event))")
      return
    }
  }

  @Test("two tasks may wait at once: one for an answer, one for touches", .timeLimit(.minutes(10)))
  func concurrency() async throws {
    let peer = try Peer()
    let session = try TouchSession(path: peer.path, name: "vectors")
    try peer.accept()
    try peer.send(Messages.welcome() + Messages.attached(serial: 2, id: 1))
    _ = try await session.attach(to: "home")
    async let frame = session.touches.first { _ in true }
    let asking = Task { try await session.ping() }
    try peer.send(Messages.touches([(1, 1, .began, "home")]))
    #expect(try await frame?.touches.map(\.targetPath) == ["home"])
    try peer.send([16, 0, 0, 0, 5, 1, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0])
    try await asking.value
  }

  @Test("over a restart of the daemon attach goes on waiting", .timeLimit(.minutes(10)))
  func restart() async throws {
    let peer = try Peer()
    let session = try TouchSession(path: peer.path, name: "vectors", options: .reconnect)
    try peer.accept()
    let attaching = Task { try await session.attach(to: "home") }
    try peer.send(Messages.welcome())
    try await peer.received(32 + 32)
    peer.disconnect()
    try await peer.acceptLater()
    try peer.send(Messages.welcome() + Messages.attached(serial: 2, id: 1))
    #expect(try await attaching.value.attachment == AttachmentID(2))
  }
}
