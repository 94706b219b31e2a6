import Wire
import CTouchroute
import Glibc
import Routing
import Testing
import TouchModel

@testable import Server

@Suite("Outgoing queue")
struct OutgoingQueueTests {
  /// A message whose bytes are all told from its serial.
  private static func append(_ queue: OutgoingQueue, serial: Int, text: Int = 0) {
    let text = String(repeating: "x", count: text)
    queue.append(.error(serial: UInt32(serial), .malformed, request: 0, text: text))
  }

  private static func flush(_ queue: OutgoingQueue, to pair: SocketPair) {
    let failure = queue.flush(to: pair.inner)?.failure
    #expect(failure == nil)
  }

  private static func serials(_ bytes: some Collection<UInt8>) -> [UInt32] {
    Message.all(in: bytes).map { $0.load(touchroute_error.self).serial }
  }

  @Test("what is appended is sent, in its order, with one call")
  func inOrder() throws {
    let pair = try SocketPair()
    let client = RawClient(pair.outer)
    let queue = OutgoingQueue(limit: 1 << 20)
    for serial in 1...100 { Self.append(queue, serial: serial, text: serial) }
    let expected = Array(queue.bytes)
    Self.flush(queue, to: pair)
    let rest = queue.count
    #expect(rest == 0)
    var received: [UInt8] = []
    while let message = client.next() { received += message.bytes }
    #expect(received == expected)
    close(pair.inner)
  }

  @Test("a socket that takes only a part gets the rest later, and nothing is lost or moved")
  func partialSends() throws {
    let pair = try SocketPair()
    Connection.setSendBuffer(pair.inner, bytes: 4096)
    let client = RawClient(pair.outer)
    let queue = OutgoingQueue(limit: 1 << 20)
    var received: [UInt32] = []
    var appended = 0
    while appended < 3000 {
      for _ in 0..<30 {
        appended += 1
        Self.append(queue, serial: appended, text: appended % 97)
      }
      Self.flush(queue, to: pair)
      for _ in 0..<28 {
        if let message = client.next() {
          received.append(message.load(touchroute_error.self).serial)
        }
      }
    }
    while received.count < 3000 {
      Self.flush(queue, to: pair)
      let message = try #require(client.next())
      received.append(message.load(touchroute_error.self).serial)
    }
    #expect(received == Array(1...3000))
    close(pair.inner)
  }

  @Test("memory that a client needed while it stalled is given back once it has read (F5)")
  func memory() throws {
    let pair = try SocketPair()
    let client = RawClient(pair.outer)
    let buffer = MessageBuffer()
    for (size, isGivenBack) in [(8_192, false), (8_200, true), (100_000, true)] {
      let offset = buffer.reserve(size).offset
      let memory = buffer.pointer(at: 0)
      var header = touchroute_header(
        size: UInt32(size), opcode: UInt16(TOUCHROUTE_ERROR.rawValue), flags: 0)
      memcpy(buffer.pointer(at: offset), &header, MemoryLayout.size(ofValue: header))
      while !buffer.isEmpty {
        let sent = buffer.send(to: pair.inner)
        try #require(sent > 0 || sent == -Int(EAGAIN))
        client.receive()
      }
      #expect((buffer.pointer(at: 0) != memory) == isGivenBack, "\(size)")
    }
    close(pair.inner)
  }

  @Test("the limit refuses what does not fit, whole (F5)")
  func limit() {
    let queue = OutgoingQueue(limit: 65_536)
    for serial in 0..<64 { Self.append(queue, serial: serial, text: 1000) }
    let full = (queue.hasOverflowed, queue.count)
    Self.append(queue, serial: 64)
    let over = (queue.hasOverflowed, queue.count)
    #expect(full == (false, 64 * 1024))
    #expect(over == (true, 64 * 1024))
  }

  @Test("dropping what is unsent keeps the rest of a message that is on its way")
  func dropUnsent() throws {
    let pair = try SocketPair()
    Connection.setSendBuffer(pair.inner, bytes: 4096)
    let client = RawClient(pair.outer)
    let queue = OutgoingQueue(limit: 1 << 20)
    for serial in 0..<200 { Self.append(queue, serial: serial, text: 1000) }
    Self.flush(queue, to: pair)
    let waiting = queue.count
    #expect(waiting > 100_000)
    queue.dropUnsent()
    Self.append(queue, serial: 4711)
    let kept = queue.count
    #expect(kept < 2000)
    var received: [UInt8] = []
    while !queue.isEmpty {
      while let message = client.next() { received += message.bytes }
      Self.flush(queue, to: pair)
    }
    while let message = client.next() { received += message.bytes }
    let serials = Self.serials(received)
    #expect(serials.count > 1 && serials.count < 200)
    #expect(serials.last == 4711)
    let whole = (0..<serials.count - 1).map { UInt32($0) }
    #expect(Array(serials.dropLast()) == whole)
    close(pair.inner)
  }

  @Test("a peer that is gone is an errno, not a signal")
  func brokenPipe() throws {
    let pair = try SocketPair()
    close(pair.outer)
    let queue = OutgoingQueue(limit: 1 << 20)
    Self.append(queue, serial: 1)
    let code = queue.flush(to: pair.inner)?.failure
    #expect(code == EPIPE)
    close(pair.inner)
  }

  @Test("a text that is cut stays whole Unicode")
  func clipping() {
    #expect(clipped("käse", to: 5) == "käse")
    #expect(clipped("käse", to: 2) == "k")
    #expect(clipped("käse", to: 3) == "kä")
    #expect(clipped("käse", to: 0) == "")
  }

  private static func change(_ queue: OutgoingQueue, of recognizer: UInt32, at time: UInt64) {
    var gesture = touchroute_gesture()
    gesture.recognizer = recognizer
    gesture.time_us = time
    queue.append(FixedMessage(TOUCHROUTE_GESTURE, gesture, "home#pan"), changeOf: recognizer)
  }

  private static func changes(_ queue: OutgoingQueue) -> [String] {
    Message.all(in: Array(queue.bytes)).map { message in
      guard message.header.opcode == UInt16(TOUCHROUTE_GESTURE.rawValue) else { return "other" }
      let gesture = message.load(touchroute_gesture.self)
      return "\(gesture.recognizer) at \(gesture.time_us)"
    }
  }

  @Test("of a gesture's changes that wait the latest counts, behind the moves, not past more (G14)")
  func changesOfGestures() {
    let queue = OutgoingQueue(limit: 1 << 20)
    for time in 1...50 {
      for number in [7, 9] as [UInt32] { Self.change(queue, of: number, at: UInt64(time)) }
    }
    #expect(Self.changes(queue) == ["7 at 50", "9 at 50"])
    Self.append(queue, serial: 1)
    Self.change(queue, of: 7, at: 51)
    Self.change(queue, of: 7, at: 52)
    #expect(Self.changes(queue) == ["7 at 50", "9 at 50", "other", "7 at 52"])
    queue.dropUnsent()
    Self.change(queue, of: 7, at: 53)
    #expect(Self.changes(queue) == ["7 at 53"])
  }

  @Test(
    "a gesture's changes are merged past moves, and past no touch that begins or ends (F2, G14)",
    arguments: [TouchPhase.moved, .stationary, .began, .ended, .cancelled])
  func changesAmongTouches(_ phase: TouchPhase) throws {
    let queue = OutgoingQueue(limit: 1 << 20)
    let home = try Layouts.home()
    Self.change(queue, of: 7, at: 1)
    let (frame, records) = World.frame(to: ClientID(slot: 0, generation: 0), phase: phase)
    _ = queue.append(frame, of: records, in: home)
    Self.change(queue, of: 7, at: 2)
    let isMergedPast = phase == .moved || phase == .stationary
    #expect(Self.changes(queue) == (isMergedPast ? [] : ["7 at 1"]) + ["other", "7 at 2"])
  }
}
