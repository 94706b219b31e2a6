import CTouchroute
import Testing
import TouchClient
import TouchModel

/// What the C library adds again where names begin alike: `row10` is not in `row1`, nor `home_row1`
/// in `home`.
@Suite("Views of like names after a reconnection")
struct KeptViewTests {
  private let peer: Peer
  private let connection: TouchConnection
  private let home: AttachmentID

  /// A connection that holds home, and has added row1 and row10 in it.
  init() throws {
    peer = try Peer()
    connection = try TouchConnection(path: peer.path, name: "vectors", options: .reconnect)
    try peer.accept()
    home = try connection.attach(to: "home")
    try answer(Messages.welcome() + Messages.attached(serial: home.rawValue, id: 7))
    try change([.add(Self.view("row1")), .add(Self.view("row10"))])
  }

  private static func view(_ name: String) -> Subview {
    Subview(name, frame: Rect(x: 0, y: 0, width: 10, height: 10))
  }

  private func answer(_ bytes: [UInt8]) throws {
    try peer.send(bytes)
    try connection.dispatch { _ in }
  }

  /// Changes views, which the daemon does.
  private func change(_ steps: [ViewStep]) throws {
    let serial = try connection.changeViews(steps, in: home)
    try answer(Messages.done(serial: serial.rawValue))
  }

  /// Attaches to what is there.
  private func attach(_ path: String) throws -> AttachmentID {
    let attachment = try connection.attach(to: path)
    try answer(Messages.attached(serial: attachment.rawValue, id: 100 + attachment.rawValue))
    return attachment
  }

  /// Loses the connection, and takes the next one; what is asked of it before home is attached.
  private func reconnect() throws -> [Request] {
    peer.disconnect()
    try peer.accept { try connection.dispatch(timeoutMilliseconds: 100) { _ in } }
    let first = requests()
    try answer(Messages.welcome() + Messages.attached(serial: home.rawValue, id: 8))
    return first
  }

  /// A request that the library has made, with the names and paths in it.
  private struct Request {
    let opcode: UInt16
    let serial: UInt32
    let names: [String]

    init(_ bytes: ArraySlice<UInt8>) {
      func number(_ offset: Int, _ size: Int) -> UInt32 {
        bytes.dropFirst(offset).prefix(size).reversed().reduce(0) { $0 << 8 | UInt32($1) }
      }
      opcode = UInt16(number(4, 2))
      serial = number(8, 4)
      let words = bytes.dropFirst(12).split { byte in
        let sign = Character(Unicode.Scalar(byte))
        return !(sign.isASCII && (sign.isLetter || sign.isNumber || sign == "/" || sign == "_"))
      }
      names = words.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// What was asked by now.
  private func requests() -> [Request] {
    var bytes = peer.receive()[...]
    var requests: [Request] = []
    while let low = bytes.first {
      let size = Int(low) | Int(bytes[bytes.startIndex + 1]) << 8
      requests.append(Request(bytes.prefix(size)))
      bytes = bytes.dropFirst(size)
    }
    return requests
  }

  /// What was asked by now that is of a kind; which of those names each has.
  private func asked(
    _ opcode: touchroute_request, _ names: String..., of requests: [Request]? = nil
  ) -> [(serial: UInt32, names: [String])] {
    (requests ?? self.requests()).filter { $0.opcode == UInt16(opcode.rawValue) }
      .map { request in (request.serial, names.filter(request.names.contains)) }
  }

  @Test("what is removed takes only what lies in it along (L7)")
  func removed() throws {
    try change([.remove("row1")])
    _ = try reconnect()
    #expect(asked(TOUCHROUTE_CHANGE_VIEWS, "row1", "row10").map(\.names) == [["row10"]])
  }

  @Test("what can't be added again takes only what lies in it along (L7)")
  func refused() throws {
    _ = try reconnect()
    // Both together, then each alone.
    for names in [["row1", "row10"], ["row1"], ["row10"]] {
      let request = try #require(asked(TOUCHROUTE_CHANGE_VIEWS, "row1", "row10").first)
      #expect(request.names == names)
      try answer(Messages.failed(serial: request.serial, TOUCHROUTE_ERROR_INVALID))
    }
  }

  @Test(
    "after 32 that can't be added again it says how many are not tried, if any are (L7)",
    arguments: [(32, ""), (34, "; 32 were refused, and 2 more are not tried")])
  func manyRefused(views: Int, ending: String) throws {
    // Two are there.
    for number in 3...views { try change([.add(Self.view("row_\(number)"))]) }
    _ = try reconnect()
    var failures: [RequestFailure] = []
    while let request = asked(TOUCHROUTE_CHANGE_VIEWS).first {
      try peer.send(Messages.failed(serial: request.serial, TOUCHROUTE_ERROR_INVALID))
      try connection.dispatch { event in
        if case .failed(let failure) = event { failures.append(failure) }
      }
    }
    #expect(failures.count == 32)
    #expect(failures.dropLast().allSatisfy { $0.text.isEmpty })
    #expect(failures.last?.text == ending)
  }

  @Test("what was on its way as its attachment was queued and held again is there once (R2, L7)")
  func overtaken() throws {
    let second = try connection.changeViews([.add(Self.view("row2"))], in: home)
    let third = try connection.changeViews([.add(Self.view("row3"))], in: home)
    _ = requests()
    var told: [Serial?] = []
    try peer.send(
      Messages.waiting(serial: 0, id: 7) + Messages.attached(serial: 0, id: 7)
        + Messages.done(serial: second.rawValue)
        + Messages.failed(serial: third.rawValue, TOUCHROUTE_ERROR_NOT_ATTACHED))
    try connection.dispatch { event in
      switch event {
      case .done, .failed: told.append(event.serial)
      default: break
      }
    }
    #expect(told == [second])
    // What was lost first, and then what it may be about.
    func next() throws -> (serial: UInt32, names: [String]) {
      let all = asked(TOUCHROUTE_CHANGE_VIEWS, "row1", "row10", "row2", "row3")
      try answer(Messages.done(serial: try #require(all.first).serial))
      #expect(all.count == 1)
      return all[0]
    }
    #expect(try next().names == ["row1", "row10"])
    #expect(try next() == (third.rawValue, ["row3"]))
    _ = try reconnect()
    #expect(try next().names == ["row1", "row10", "row2", "row3"])
  }

  @Test("the recognizers of a view that is not removed come again (L7, G1)")
  func recognizers() throws {
    let row = try attach("home/row10")
    let tap = try connection.addGesture(.tap("open"), to: row)
    try answer(Messages.done(serial: tap.rawValue, total: 1))
    try change([.remove("row1")])
    _ = try reconnect()
    let views = try #require(asked(TOUCHROUTE_CHANGE_VIEWS, "row10").first)
    try answer(Messages.done(serial: views.serial))
    #expect(asked(TOUCHROUTE_ATTACH, "home/row10").map(\.names) == [["home/row10"]])
    try answer(Messages.attached(serial: row.rawValue, id: 9))
    #expect(asked(TOUCHROUTE_ADD_GESTURE, "open").map(\.names) == [["open"]])
  }

  @Test("an attachment waits for no view whose name only begins as its own (L7)")
  func attachments() throws {
    for path in ["home/row100", "home_row1/a", "home/row1"] { _ = try attach(path) }
    _ = requests()
    let first = try reconnect()
    #expect(
      asked(TOUCHROUTE_ATTACH, "home", "home/row100", "home_row1/a", "home/row1", of: first)
        .map(\.names) == [["home"], ["home/row100"], ["home_row1/a"]])
  }
}
