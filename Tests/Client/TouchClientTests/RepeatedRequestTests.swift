import CTouchroute
import Testing
import TouchClient
import TouchModel

/// What the library itself asks for again: the program has had its answer, and gets no other one.
@Suite("Requests that are made again")
struct RepeatedRequestTests {
  private let peer: Peer
  private let connection: TouchConnection
  private let home: AttachmentID
  private let tap: GestureID

  /// A connection that holds home, with a recognizer of it.
  init() throws {
    peer = try Peer()
    connection = try TouchConnection(path: peer.path, name: "again", options: .reconnect)
    try peer.accept()
    home = try connection.attach(to: "home", options: .wait)
    tap = try connection.addGesture(.tap("tap"), to: home)
    try peer.send(Messages.welcome() + Messages.attached(serial: home.rawValue, id: 7))
    try connection.dispatch { _ in }
    try peer.send(Messages.done(serial: tap.rawValue, total: 1))
    try connection.dispatch { _ in }
  }

  /// Loses the connection, takes the next one, and attaches again there; what is told of that.
  private func reconnect() throws -> [TouchEvent] {
    peer.disconnect()
    try peer.accept { try connection.dispatch(timeoutMilliseconds: 100) { _ in } }
    _ = peer.receive()
    return try told(Messages.welcome() + Messages.attached(serial: home.rawValue, id: 3))
  }

  /// What the program hears of those messages, but for welcome, pong and attachments.
  private func told(_ bytes: [UInt8]) throws -> [TouchEvent] {
    let ping = try connection.ping()
    try peer.send(bytes + Messages.pong(serial: ping.rawValue))
    var told: [TouchEvent] = []
    var isOver = false
    while !isOver {
      try connection.dispatch(timeoutMilliseconds: 10_000) { event in
        switch event {
        case .pong: isOver = true
        case .welcome, .attached, .waiting, .detached: break
        default: told.append(event)
        }
      }
    }
    return told
  }

  private func isAskedFor(_ opcode: touchroute_request) -> Bool {
    let bytes = peer.receive()
    var start = 0
    while start < bytes.count {
      let header = bytes.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: start, as: touchroute_header.self)
      }
      if UInt32(header.opcode) == opcode.rawValue { return true }
      start += Int(header.size)
    }
    return false
  }

  @Test("a recognizer that is added again is answered no second time (G1)")
  func recognizer() throws {
    _ = try reconnect()
    #expect(isAskedFor(TOUCHROUTE_ADD_GESTURE))
    #expect(try told(Messages.done(serial: tap.rawValue, total: 4)).isEmpty)
  }

  @Test("one that can't be added again is over, and the program hears of it once (G1)")
  func refused() throws {
    _ = try reconnect()
    let events = try told(Messages.failed(serial: tap.rawValue, TOUCHROUTE_ERROR_LIMIT))
    #expect(events.map(\.serial) == [Serial(tap.rawValue)])
    #expect(throws: TouchClientError.self) { try connection.removeGesture(tap) }
  }

  @Test("its attachment ends as it is added again: the program hears of that alone (R2)")
  func ended() throws {
    _ = try reconnect()
    let events = try told(
      Messages.detached(id: 3, TOUCHROUTE_DETACH_TAKEN_OVER)
        + Messages.failed(serial: tap.rawValue, TOUCHROUTE_ERROR_NOT_ATTACHED))
    #expect(events.isEmpty)
  }

  @Test("its attachment ends as it is added again, and the daemon too: nothing is left to tell")
  func endedAndLost() throws {
    _ = try reconnect()
    #expect(try told(Messages.detached(id: 3, TOUCHROUTE_DETACH_TAKEN_OVER)).isEmpty)
    peer.disconnect()
    var events: [TouchEvent] = []
    try connection.dispatch(timeoutMilliseconds: 10_000) { events.append($0) }
    try peer.accept { try connection.dispatch(timeoutMilliseconds: 100) { events.append($0) } }
    #expect(events.map { if case .lost = $0 { true } else { false } } == [true])
  }

  @Test("its attachment stands in line again as it is added: it is added once that holds (R2, G1)")
  func overtaken() throws {
    let other = try connection.addGesture(.tap("other"), to: home)
    _ = try reconnect()
    // The second one's view may be one that the program has added, and the library has not again.
    for (serial, error) in [
      (tap.rawValue, TOUCHROUTE_ERROR_NOT_ATTACHED),
      (other.rawValue, TOUCHROUTE_ERROR_NO_RESPONDER),
    ] {
      _ = peer.receive()
      #expect(
        try told(
          Messages.waiting(serial: 0, id: 3)
            + Messages.failed(serial: serial, error)
        ).isEmpty)
      #expect(!isAskedFor(TOUCHROUTE_ADD_GESTURE), "not before it is in force")
      #expect(try told(Messages.attached(serial: 0, id: 3)).isEmpty)
      #expect(isAskedFor(TOUCHROUTE_ADD_GESTURE))
    }
    #expect(try told(Messages.done(serial: tap.rawValue, total: 4)).isEmpty)
    let events = try told(Messages.done(serial: other.rawValue, total: 5))
    #expect(events.map(\.serial) == [Serial(other.rawValue)])
  }

  @Test("observing is asked for again, and answered once")
  func observing() throws {
    let observing = try #require(try connection.observe())
    let done = try told(Messages.done(serial: observing.rawValue))
    #expect(done.map(\.serial) == [observing])
    _ = try reconnect()
    #expect(try told(Messages.done(serial: observing.rawValue)).isEmpty)
    try connection.observe(false)
    let later = try #require(try connection.observe())
    #expect(try told(Messages.done(serial: later.rawValue)).map(\.serial) == [later])
  }

  @Test("observing that ends while it is asked for again is not answered for that")
  func observingEnds() throws {
    let observing = try #require(try connection.observe())
    #expect(try told(Messages.done(serial: observing.rawValue)).map(\.serial) == [observing])
    _ = try reconnect()
    let ending = try #require(try connection.observe(false))
    let events = try told(
      Messages.done(serial: observing.rawValue) + Messages.done(serial: ending.rawValue))
    #expect(events.map(\.serial) == [ending])
  }

  @Test("observing that was not answered is, by the next daemon; where it is refused, that is told")
  func observingLate() throws {
    let observing = try #require(try connection.observe())
    _ = try reconnect()
    let done = try told(Messages.done(serial: observing.rawValue))
    #expect(done.map(\.serial) == [observing])
    _ = try reconnect()
    let refusal = try told(
      Messages.failed(serial: observing.rawValue, TOUCHROUTE_ERROR_NOT_ALLOWED))
    #expect(refusal.map(\.serial) == [observing])
  }
}
