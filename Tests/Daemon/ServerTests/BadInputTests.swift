import CTouchroute
import EventLoop
import Testing
import TouchModel

@testable import Server

@Suite("Bad input of a client")
struct BadInputTests {
  /// Bytes that break the protocol, and words that the error must have.
  struct Mistake: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    let words: String

    init(_ name: String, _ bytes: [UInt8], _ words: String) {
      testDescription = name
      self.bytes = bytes
      self.words = words
    }
  }

  static func header(size: UInt32, opcode: UInt16, flags: UInt16 = 0) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 8)
    RequestBytes.setHeader(&bytes, size: size, opcode: opcode, flags: flags)
    return bytes
  }

  static func changed(_ bytes: [UInt8], at offset: Int, to value: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes.replaceSubrange(offset..<offset + value.count, with: value)
    return bytes
  }

  static let mistakes: [Mistake] = [
    Mistake("4 GiB", header(size: .max, opcode: 2), "a message of 4294967295 bytes"),
    Mistake("one more than the limit", header(size: 4104, opcode: 2), "at most 4096"),
    Mistake("size 0", header(size: 0, opcode: 2), "a message of 0 bytes"),
    Mistake("size 4", header(size: 4, opcode: 2), "its header alone has 8"),
    Mistake("size 13", header(size: 13, opcode: 8), "multiples of 8"),
    Mistake(
      "a short add_gesture", header(size: 16, opcode: 9) + [1, 0, 0, 0, 0, 0, 0, 0],
      "add_gesture: a message of 16 bytes"),
    Mistake("flags", header(size: 16, opcode: 8, flags: 1), "flags"),
    Mistake("garbage", Array("GET / HTTP/1.1\r\n\r\n".utf8), "a message of 542393671 bytes"),
    Mistake("zeros", [UInt8](repeating: 0, count: 64), "a message of 0 bytes"),
    Mistake("unknown opcode", header(size: 16, opcode: 4711), "there is no request 4711"),
    Mistake(
      "an event as a request", header(size: 16, opcode: UInt16(TOUCHROUTE_TOUCHES.rawValue)),
      "there is no request 272"),
    Mistake("serial 0", RequestBytes.plain(TOUCHROUTE_PING, serial: 0), "the serial is 0"),
    Mistake(
      "reserved field", changed(RequestBytes.plain(TOUCHROUTE_PING, serial: 9), at: 12, to: [1]),
      "reserved field is 1"),
    Mistake("hello twice", RequestBytes.hello(serial: 9), "hello: it was said before"),
    Mistake(
      "a ping with a tail",
      RequestBytes.message(
        TOUCHROUTE_PING.rawValue,
        touchroute_plain_request(header: touchroute_header(), serial: 9, reserved: 0), "12345678"),
      "ping: a message of 24 bytes, where its contents need 16"),
    Mistake(
      "an attach without its path", header(size: 8, opcode: 2),
      "attach: a message of 8 bytes, where its contents need 24"),
    Mistake(
      "a path longer than the message",
      changed(RequestBytes.attach(serial: 9, path: "home"), at: 20, to: [200, 0, 0, 0]),
      "where its contents need 224"),
    Mistake(
      "a path of 4 GiB",
      changed(RequestBytes.attach(serial: 9, path: "home"), at: 20, to: [255, 255, 255, 255]),
      "where its contents need 4294967320"),
    Mistake(
      "an empty path", RequestBytes.attach(serial: 9, path: ""),
      "its path has 0 bytes, not 1 to 3072"),
    Mistake(
      "a path that is too long",
      RequestBytes.attach(serial: 9, path: String(repeating: "a", count: 3073)),
      "its path has 3073 bytes"),
    Mistake(
      "broken UTF-8", changed(RequestBytes.attach(serial: 9, path: "home"), at: 24, to: [0xff]),
      "not UTF-8"),
    Mistake("a zero byte", RequestBytes.attach(serial: 9, path: "ho\0me"), "or has a zero byte"),
    Mistake(
      "padding", changed(RequestBytes.attach(serial: 9, path: "home"), at: 28, to: [1]),
      "the padding behind its path is not zero"),
  ]

  @Test(
    "a malformed message is answered by its mistake and the end, and nobody else notices (F4)",
    arguments: mistakes)
  func malformed(_ mistake: Mistake) throws {
    let world = try World()
    let other = try world.greeted(name: "other")
    let client = try world.greeted(name: "bad")
    client.send(mistake.bytes)
    let words = try world.lastWords(to: client)
    try #require(words.count == 2)
    #expect(words[0].isError)
    #expect(words[0].load(touchroute_error.self).code == TOUCHROUTE_ERROR_PROTOCOL.rawValue)
    #expect(words[0].errorText.contains(mistake.words), "\(words[0].errorText)")
    #expect(words[1].isClosing)
    #expect(words[1].load(touchroute_closing.self).reason == TOUCHROUTE_CLOSE_PROTOCOL.rawValue)
    #expect(words[1].closingText == words[0].errorText)
    #expect(world.gone.count == 1)
    #expect(world.requests.isEmpty)

    other.send(RequestBytes.plain(TOUCHROUTE_PING, serial: 7))
    let pong = try world.message(for: other)
    #expect(pong.opcode == TOUCHROUTE_PONG.rawValue)
  }

  @Test("the error of a malformed message bears its serial and its opcode")
  func serialOfError() throws {
    let world = try World()
    let client = try world.greeted()
    client.send(RequestBytes.attach(serial: 0xbeef, path: ""))
    let error = try world.message(for: client).load(touchroute_error.self)
    #expect(error.serial == 0xbeef)
    #expect(error.request == TOUCHROUTE_ATTACH.rawValue)
  }

  @Test("a request before hello is refused, and ends the connection (F4)")
  func beforeHello() throws {
    let world = try World()
    let client = try world.connect()
    client.send(RequestBytes.attach(serial: 3, path: "home"))
    let words = try world.lastWords(to: client)
    #expect(words.map(\.isError) == [true, false])
    #expect(words.first?.errorText == "attach before hello: hello is the first message")
    #expect(world.requests.isEmpty)
  }

  @Test("a hello with another magic, or with version 0, is refused")
  func badHello() throws {
    let world = try World()
    let client = try world.connect()
    client.send(Self.changed(RequestBytes.hello(), at: 12, to: [0x54, 0x52, 0x4f, 0x54]))
    let words = try world.lastWords(to: client)
    #expect(words.first?.errorText == "hello: the magic is 0x544f5254, not 0x54524f54")

    let old = try world.connect()
    old.send(RequestBytes.hello(version: 0))
    let answer = try #require(try world.lastWords(to: old).first)
    #expect(answer.load(touchroute_error.self).code == TOUCHROUTE_ERROR_VERSION.rawValue)
  }

  @Test("half a message and silence is refused when its time is over (F4)")
  func halfAMessage() throws {
    var limits = ServerLimits()
    limits.requestTimeoutMilliseconds = 50
    let world = try World(limits: limits)
    let client = try world.greeted()
    client.send(RequestBytes.attach(serial: 2, path: "home").prefix(12))
    let words = try world.lastWords(to: client)
    #expect(words.map(\.isError) == [true, false])
    let text = "a message of 32 bytes stopped after 12, and no more came within 0.05 s"
    #expect(words.first?.errorText == text)
  }

  @Test("a client that does not read is not blamed for what the daemon leaves unread (F4)")
  func messageLeftUnread() throws {
    let world = try World(time: 1_000_000)
    let client = try world.greeted()
    let id = try world.identify(client)
    let request = RequestBytes.hide(serial: 2, "home")
    client.send(request.prefix(12))
    try world.turnUntilIdle()
    // Requests are read again once this client has read most of these.
    for sequence in 1...100 {
      let (frame, records) = World.frame(to: id, sequence: UInt64(sequence), phase: .began)
      try world.send(frame, records)
      world.server.endTurn()
    }
    client.send(request.dropFirst(12))
    world.loop.advance(to: 11_100_000)
    let words = try world.lastWords(to: client)
    #expect(!words.contains { $0.isError })
    let closing = try #require(words.last)
    #expect(closing.isClosing)
    #expect(closing.load(touchroute_closing.self).reason == TOUCHROUTE_CLOSE_QUEUE_FULL.rawValue)
  }

  @Test("what a client has sent is read before it is given up, however late the daemon is (F4)")
  func lateDaemon() throws {
    let world = try World(time: 1_000_000)
    let new = try world.connect()
    let known = try world.greeted()
    known.send(RequestBytes.hide(serial: 2, "home").prefix(12))
    try world.turnUntilIdle()
    new.send(RequestBytes.hello())
    known.send(RequestBytes.hide(serial: 2, "home").dropFirst(12))
    world.loop.advance(to: 60_000_000)
    try world.turnUntilIdle()
    #expect(world.changes.count == 1)
    let welcome = try world.message(for: new)
    #expect(welcome.opcode == TOUCHROUTE_WELCOME.rawValue)
    #expect(world.gone.isEmpty)
  }

  @Test("what waits for the daemon's next turn is not held against who has read its answers (F5)")
  func lateTurn() throws {
    let world = try World(time: 1_000_000)
    let client = try world.greeted()
    let count = 3 * ServerLimits.requestsPerTurn
    client.send((1...count).flatMap { RequestBytes.plain(TOUCHROUTE_PING, serial: UInt32($0)) })
    _ = try world.loop.runTurn(timeoutMicroseconds: 0)
    world.loop.advance(to: 60_000_000)
    try world.turnUntilIdle()
    #expect(world.gone.isEmpty)
    for serial in 1...count {
      #expect(try world.message(for: client).load(touchroute_pong.self).serial == serial)
    }
  }

  @Test("a client that has read all by the time that is allowed is not ended (F5)")
  func readJustInTime() throws {
    var limits = ServerLimits()
    limits.requestTimeoutMilliseconds = 300
    let world = try World(limits: limits, time: 1_000_000)
    let client = try world.greeted()
    let session = try #require(world.server.pool.all.first)
    let count = 3 * ServerLimits.requestsPerTurn
    client.send((1...count).flatMap { RequestBytes.plain(TOUCHROUTE_PING, serial: UInt32($0)) })
    _ = try world.loop.runTurn(timeoutMicroseconds: 0)
    // More than its socket takes, and more behind that than may wait while it asks.
    for sequence in 1...10_000 where session.takesRequests {
      let (frame, records) = World.frame(
        to: session.id, sequence: UInt64(sequence), phase: .began)
      try world.send(frame, records)
      world.server.endTurn()
    }
    try #require(!session.takesRequests)
    client.receive()
    world.loop.advance(to: world.loop.now + 400_000)
    try world.turnUntilIdle()
    #expect(world.gone.isEmpty)
  }

  @Test("a client that says nothing at all is refused when its time is over (F4)")
  func nothingAtAll() throws {
    var limits = ServerLimits()
    limits.requestTimeoutMilliseconds = 50
    let world = try World(limits: limits)
    let client = try world.connect()
    let words = try world.lastWords(to: client)
    #expect(words.first?.errorText == "no hello within 0.05 s")
    #expect(world.gone.count == 1)
  }

  @Test("half a message and the end of the stream is an end like any other (F4)")
  func halfAMessageAndGone() throws {
    let world = try World()
    let client = try world.greeted()
    client.send(RequestBytes.attach(serial: 2, path: "home").prefix(20))
    client.hangUp()
    try world.turn { world.gone.count == 1 }
  }

  @Test("a slow client's message may come byte by byte")
  func byteByByte() throws {
    let world = try World()
    let client = try world.connect()
    for byte in RequestBytes.hello() + RequestBytes.plain(TOUCHROUTE_PING, serial: 5) {
      client.send([byte])
      try world.turnUntilIdle()
    }
    #expect(try world.message(for: client).opcode == TOUCHROUTE_WELCOME.rawValue)
    #expect(try world.message(for: client).load(touchroute_pong.self).serial == 5)
  }

  @Test("values out of range are refused by name, and the connection stands")
  func outOfRange() throws {
    let world = try World()
    let client = try world.greeted(.control)
    for (bytes, words) in [
      (RequestBytes.attach(serial: 2, path: "home", flags: 16), "flags is 16"),
      (RequestBytes.describe(serial: 3, count: 129), "count is 129: at most 128"),
      (RequestBytes.observe(serial: 4, enable: 3), "enable is 3"),
    ] {
      client.send(bytes)
      let error = try world.message(for: client)
      #expect(error.load(touchroute_error.self).code == TOUCHROUTE_ERROR_INVALID.rawValue)
      #expect(error.errorText.contains(words))
    }
    client.send(RequestBytes.plain(TOUCHROUTE_PING, serial: 5))
    #expect(try world.message(for: client).opcode == TOUCHROUTE_PONG.rawValue)
  }

  @Test(
    "what is for the control socket alone is refused by name on the other (F7)",
    arguments: [
      (RequestBytes.plain(TOUCHROUTE_STATUS, serial: 2), "status"),
      (RequestBytes.observe(serial: 2, enable: 1), "observe"),
      (RequestBytes.plain(TOUCHROUTE_RELOAD, serial: 2), "reload"),
    ])
  func controlOnly(_ bytes: [UInt8], _ name: String) throws {
    let world = try World()
    let client = try world.greeted(.client)
    client.send(bytes)
    let error = try world.message(for: client)
    #expect(error.load(touchroute_error.self).code == TOUCHROUTE_ERROR_NOT_ALLOWED.rawValue)
    #expect(error.errorText == "\(name) is for the control socket; this one is for programs")
    #expect(world.requests.isEmpty)

    let control = try world.greeted(.control)
    control.send(bytes)
    try world.turn { world.requests.count == 1 }
  }
}
