import CTouchroute
import Testing
import TouchClient
import TouchModel

/// What was asked of an attachment that ends before the daemon was asked: it is answered all the
/// same.
@Suite("Requests of attachments that end")
struct EndedAttachmentTests {
  private let peer: Peer
  private let connection: TouchConnection
  private let home: AttachmentID

  /// A connection that holds home, with a recognizer of it.
  init() throws {
    peer = try Peer()
    connection = try TouchConnection(path: peer.path, name: "vectors", options: .reconnect)
    try peer.accept()
    home = try connection.attach(to: "home")
    let tap = try connection.addGesture(.tap("there"), to: home)
    try peer.send(Messages.welcome() + Messages.attached(serial: home.rawValue, id: 7))
    try connection.dispatch { _ in }
    try peer.send(Messages.done(serial: tap.rawValue, total: 1))
    try connection.dispatch { _ in }
  }

  /// Asks for a recognizer and a view; the serials of the answers.
  private func ask() throws -> [UInt32] {
    let tap = try connection.addGesture(.tap("tap"), to: home)
    let row = Subview("row", frame: Rect(x: 0, y: 0, width: 10, height: 10))
    let views = try connection.changeViews([.add(row)], in: home)
    return [tap.rawValue, views.rawValue]
  }

  /// Loses the connection, and takes the next one.
  private func reconnect() throws {
    peer.disconnect()
    try peer.accept { try connection.dispatch(timeoutMilliseconds: 100) { _ in } }
  }

  private func events() throws -> [TouchEvent] {
    var events: [TouchEvent] = []
    try connection.dispatch(timeoutMilliseconds: 10_000) { events.append($0) }
    return events
  }

  private func serials(_ events: [TouchEvent], of code: RequestFailure.Code) -> [UInt32] {
    events.compactMap {
      guard case .failed(let failure) = $0, failure.code == code else { return nil }
      return failure.serial.rawValue
    }.sorted()
  }

  @Test("the next daemon refuses the attachment: what was asked of it is refused too")
  func refused() throws {
    try reconnect()
    let asked = try ask()
    try peer.send(Messages.welcome())
    try peer.send(Messages.failed(serial: home.rawValue, TOUCHROUTE_ERROR_NO_RESPONDER))
    let events = try events()
    #expect(serials(events, of: .noResponder) == [home.rawValue])
    #expect(serials(events, of: .notAttached) == asked, "and no word of what was there before")
    #expect(throws: TouchClientError.self) { try ask() }
  }

  @Test("it is detached while the daemon is away: what was asked of it is refused")
  func detachedWhileAway() throws {
    peer.stop()
    peer.disconnect()
    #expect(try events().count == 1)
    let asked = try ask()
    #expect(try connection.detach(home) == nil)
    #expect(try serials(events(), of: .notAttached) == asked)
  }

  @Test("the connection is lost before detach is answered: what was asked of it is refused")
  func lostWhileDetaching() throws {
    try reconnect()
    let asked = try ask()
    try connection.detach(home)
    peer.disconnect()
    let events = try events()
    #expect(serials(events, of: .notAttached) == asked)
    #expect(events.count == 3)
  }

  @Test("the daemon ends the attachment, and then itself: what it has not answered is refused")
  func lostAfterEnd() throws {
    let asked = try ask()
    try peer.send(Messages.detached(id: 7, TOUCHROUTE_DETACH_REMOVED))
    let ended = try events()
    peer.disconnect()
    #expect(try serials(ended + events(), of: .notAttached) == asked)
  }

  @Test("the next daemon refuses what is being detached: detach is done")
  func detachedAndRefused() throws {
    try reconnect()
    let detaching = try #require(try connection.detach(home))
    try peer.send(Messages.welcome())
    try peer.send(Messages.failed(serial: home.rawValue, TOUCHROUTE_ERROR_NO_RESPONDER))
    #expect(try events().last?.serial == detaching)
  }

  /// Adds a view, which the next daemon is asked for.
  private func addRow(in attachment: AttachmentID) throws {
    let row = Subview("row", frame: Rect(x: 0, y: 0, width: 10, height: 10))
    let views = try connection.changeViews([.add(row)], in: attachment)
    try peer.send(Messages.done(serial: views.rawValue))
    _ = try events()
  }

  @Test("it ends while its views are added again: the program hears of no other request (L7)")
  func endedWhileAddedAgain() throws {
    try addRow(in: home)
    try reconnect()
    _ = peer.receive()
    try peer.send(Messages.welcome() + Messages.attached(serial: home.rawValue, id: 3))
    _ = try events()
    let again = peer.receive().withUnsafeBytes { $0.load(fromByteOffset: 8, as: UInt32.self) }
    try peer.send(Messages.detached(id: 3, TOUCHROUTE_DETACH_REMOVED))
    try peer.send(Messages.failed(serial: again, TOUCHROUTE_ERROR_NOT_ATTACHED))
    #expect(try events().map { if case .detached = $0 { true } else { false } } == [true])
  }

  @Test("it is being detached as it comes into force: its views are not added again (L7)")
  func detachedInLine() throws {
    let side = try connection.attach(to: "side", options: .wait)
    try peer.send(Messages.attached(serial: side.rawValue, id: 9))
    _ = try events()
    try addRow(in: side)
    try reconnect()
    try peer.send(Messages.welcome() + Messages.waiting(serial: side.rawValue, id: 3))
    _ = try events()
    let tap = try connection.addGesture(.tap("tap"), to: side)
    let detaching = try #require(try connection.detach(side))
    _ = peer.receive()
    try peer.send(Messages.attached(serial: 0, id: 3))
    _ = try events()
    #expect(peer.receive().isEmpty)
    try peer.send(Messages.done(serial: detaching.rawValue))
    #expect(try serials(events(), of: .notAttached) == [tap.rawValue])
  }

  @Test("what waits for views of one in line is detached: that is over at once")
  func detachedBeforeAsked() throws {
    let views = try connection.changeViews(
      [.add(Subview("row", frame: Rect(x: 0, y: 0, width: 10, height: 10)))], in: home)
    try peer.send(Messages.done(serial: views.rawValue))
    _ = try events()
    let row = try connection.attach(to: "home/row")
    try reconnect()
    try peer.send(Messages.welcome() + Messages.waiting(serial: home.rawValue, id: 3))
    _ = try events()
    #expect(try connection.detach(row) == nil)
    #expect(peer.receive().count == 32 + 32, "hello, and attach of home alone")
  }

  @Test("what waits for views of one in line keeps no recognizer of others waiting (G5)")
  func waitsInLine() throws {
    try addRow(in: home)
    let (row, side) = (try connection.attach(to: "home/row"), try connection.attach(to: "side"))
    try peer.send(Messages.attached(serial: row.rawValue, id: 8))
    try peer.send(Messages.attached(serial: side.rawValue, id: 9))
    for view in [row, side] {
      let tap = try connection.addGesture(.tap("tap"), to: view)
      _ = try events()
      try peer.send(Messages.done(serial: tap.rawValue))
    }
    _ = try events()
    try reconnect()
    try peer.send(Messages.welcome() + Messages.waiting(serial: home.rawValue, id: 3))
    try peer.send(Messages.attached(serial: side.rawValue, id: 4))
    _ = try events()
    let added = opcodes(peer.receive()).count { $0 == UInt16(TOUCHROUTE_ADD_GESTURE.rawValue) }
    #expect(added == 1, "side's alone")
  }

  /// Of messages, one after the other.
  private func opcodes(_ bytes: [UInt8]) -> [UInt16] {
    var opcodes: [UInt16] = []
    var start = 0
    while start < bytes.count {
      let header = bytes[start...].withUnsafeBytes { $0.loadUnaligned(as: touchroute_header.self) }
      opcodes.append(header.opcode)
      start += Int(header.size)
    }
    return opcodes
  }

  @Test("a recognizer is refused that is being removed: removing it is done")
  func removedAndRefused() throws {
    let tap = try connection.addGesture(.tap("tap"), to: home)
    let removing = try #require(try connection.removeGesture(tap))
    try peer.send(Messages.failed(serial: tap.rawValue, TOUCHROUTE_ERROR_LIMIT))
    let events = try events()
    #expect(events.map(\.serial) == [Serial(tap.rawValue), removing])
    guard case .done = events.last else {
      Issue.record("no done in \(events)")
      return
    }
  }
}
