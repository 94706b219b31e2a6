import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel

/// A connection that survives the daemon's restart.
@Suite("Reconnecting")
struct ReconnectTests {
  @Test("a daemon that is not there yet is waited for")
  func waits() throws {
    let peer = try Peer(listening: false)
    let connection = try TouchConnection(path: peer.path, name: "vectors", options: .reconnect)
    let descriptor = connection.descriptor
    let error = try #require(throws: TouchClientError.self) { _ = try connection.ping() }
    #expect(error.kind == .away)
    let attachment = try connection.attach(to: "home")
    try peer.listen()
    try peer.accept { try connection.dispatch(timeoutMilliseconds: 100) { _ in } }
    #expect(connection.descriptor == descriptor)
    let requests = peer.receive()
    #expect(requests.count == 32 + 32)
    try peer.send(Messages.welcome() + Messages.attached(serial: attachment.rawValue, id: 9))
    var events: [TouchEvent] = []
    try connection.dispatch(timeoutMilliseconds: 10_000) { events.append($0) }
    guard case .attached(let geometry) = events.last else {
      Issue.record("no attached in \(events)")
      return
    }
    #expect(geometry.attachment == attachment)
  }

  @Test("where too many wait for the daemon, it tries again, and is in once there is room (F1)")
  func triesAgain() throws {
    let peer = try Peer()
    let others = UnixSocket.filling(peer.path)
    defer { others.forEach { close($0) } }
    let connection = try TouchConnection(path: peer.path, name: "vectors", options: .reconnect)
    let error = try #require(throws: TouchClientError.self) { _ = try connection.ping() }
    #expect(error.kind == .away)
    for _ in others { try peer.accept() }
    try peer.accept { try connection.dispatch(timeoutMilliseconds: 100) { _ in } }
    #expect(peer.receive().count == 32)
  }

  @Test("who does not try again waits for room, and says so where none comes (F1)")
  func waitsForRoom() throws {
    let peer = try Peer()
    let others = UnixSocket.filling(peer.path)
    defer { others.forEach { close($0) } }
    let error = try #require(throws: TouchClientError.self) {
      _ = try TouchConnection(path: peer.path, name: "vectors")
    }
    #expect(
      error.description.contains("\(peer.path) has too many connections that wait for it"),
      "\(error)")
  }

  @Test("what was live is cancelled, and attachments come back under the same numbers (R9)")
  func restarts() throws {
    let peer = try Peer()
    let connection = try TouchConnection(path: peer.path, name: "vectors", options: .reconnect)
    try peer.accept()
    let home = try connection.attach(to: "home")
    let side = try connection.attach(to: "side")
    try peer.send(Messages.welcome() + Messages.attached(serial: home.rawValue, id: 70))
    try peer.send(Messages.attached(serial: side.rawValue, id: 71))
    try peer.send(Messages.touches([(5, 70, .began, "home/a"), (6, 71, .began, "side")]))
    try peer.send(Messages.touches([(5, 70, .ended, ""), (6, 71, .moved, "")]))
    try connection.dispatch { _ in }
    try connection.detach(side)  // never answered: the loss of the connection ends it
    peer.disconnect()

    var events: [TouchEvent] = []
    try connection.dispatch(timeoutMilliseconds: 10_000) { events.append($0) }
    guard case .touches(let frame) = events.first, case .lost(let reason) = events.last else {
      Issue.record("no cancelled and lost in \(events)")
      return
    }
    #expect(frame.touches.map(\.id.rawValue) == [6])
    #expect(frame.touches.map(\.phase) == [.cancelled])
    #expect(frame.touches.map(\.cancelReason) == [.connectionLost])
    #expect(frame.touches.map(\.targetPath) == ["side"])
    #expect(reason == "touchrouted at \(peer.path) ended the connection")

    try peer.accept { try connection.dispatch(timeoutMilliseconds: 100) { _ in } }
    let requests = peer.receive()
    #expect(requests.count == 32 + 32, "hello, and attach of home alone")
    #expect(requests[40] == UInt8(home.rawValue))
    try peer.send(Messages.welcome() + Messages.attached(serial: home.rawValue, id: 3))
    try peer.send(Messages.touches([(1, 3, .began, "home"), (2, 70, .began, "home")]))
    events = []
    try connection.dispatch(timeoutMilliseconds: 10_000) { events.append($0) }
    guard case .touches(let later) = events.last else {
      Issue.record("no touches in \(events)")
      return
    }
    #expect(later.touches.map(\.id.rawValue) == [1], "70 was the old daemon's number")
    #expect(later.touches.map(\.attachment) == [home])
  }

  @Test("the first try is made at once, and where that comes to nothing, the next one waits")
  func triesAtOnce() throws {
    let peer = try Peer()
    let connection = try TouchConnection(path: peer.path, options: .reconnect)
    try peer.accept()
    try peer.send(Messages.welcome())
    try connection.dispatch { _ in }
    for isFirst in [true, false] {
      peer.disconnect()
      var isLost = false
      try connection.dispatch(timeoutMilliseconds: 10_000) { event in
        if case .lost = event { isLost = true }
      }
      #expect(isLost)
      #expect(peer.isAwaited == isFirst)
      try peer.accept { try connection.dispatch(timeoutMilliseconds: 100) { _ in } }
    }
  }

  @Test("a malformed message ends that connection, and the next one is good")
  func malformed() throws {
    let peer = try Peer()
    let connection = try TouchConnection(path: peer.path, options: .reconnect)
    try peer.accept()
    try peer.send(Messages.welcome() + [4, 0, 0, 0, 0, 0, 0, 0])
    var lost: [String] = []
    try connection.dispatch { if case .lost(let reason) = $0 { lost.append(reason) } }
    #expect(lost.count == 1)
    #expect(lost[0].contains("malformed"))
    try peer.accept { try connection.dispatch(timeoutMilliseconds: 100) { _ in } }
    try peer.send(Messages.welcome())
    var events: [TouchEvent] = []
    try connection.dispatch(timeoutMilliseconds: 10_000) { events.append($0) }
    #expect(events.count == 1)
  }

  @Test("it is given up where it is of no use: no common version, or a breach of protocol (F4)")
  func useless() throws {
    for (name, kind) in [
      ("refused_version", TouchClientError.Kind.version), ("refused_breach", .malformed),
    ] {
      let vector = try Vector(name: name)
      let peer = try Peer()
      let connection = try TouchConnection(path: peer.path, options: .reconnect)
      try peer.accept()
      try peer.send(vector.bytes)
      peer.disconnect()
      let error = try #require(throws: TouchClientError.self) {
        while true { try connection.dispatch(timeoutMilliseconds: 10_000) { _ in } }
      }
      #expect(error.kind == kind)
      #expect(error.description.hasPrefix("touchrouted at \(peer.path) ended the connection: "))
      #expect(throws: TouchClientError.self) { _ = try connection.attach(to: "home") }
    }
  }

  @Test("a daemon that stops is named once where the connection ends")
  func stops() throws {
    let vector = try Vector(name: "stopping")
    let peer = try Peer()
    let connection = try TouchConnection(path: peer.path)
    try peer.accept()
    try peer.send(vector.bytes)
    peer.disconnect()
    let error = try #require(throws: TouchClientError.self) {
      while true { try connection.dispatch(timeoutMilliseconds: 10_000) { _ in } }
    }
    #expect(
      error.description == "touchrouted at \(peer.path) ended the connection: it is stopping")
  }

  @Test("observing is asked for again, and is not once it was ended")
  func observing() throws {
    let peer = try Peer()
    let connection = try TouchConnection(path: peer.path, name: "vectors", options: .reconnect)
    try peer.accept()
    try connection.observe()
    try peer.send(Messages.welcome())
    try connection.dispatch { _ in }
    peer.disconnect()
    try peer.accept { try connection.dispatch(timeoutMilliseconds: 100) { _ in } }
    #expect(peer.receive().count == 32 + 16)
    peer.disconnect()
    var isLost = false
    while !isLost {
      try connection.dispatch(timeoutMilliseconds: 1000) { if case .lost = $0 { isLost = true } }
    }
    #expect(try connection.observe(false) == nil)
    let error = #expect(throws: TouchClientError.self) { try connection.observe() }
    #expect(error?.description.contains("there is no connection") == true)
    try peer.accept { try connection.dispatch(timeoutMilliseconds: 100) { _ in } }
    #expect(peer.receive().count == 32)
  }
}
