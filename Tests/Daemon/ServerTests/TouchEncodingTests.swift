import CTouchroute
import Layout
import Routing
import Testing
import TouchModel

@testable import Server

@Suite("Frames of touches on the wire")
struct TouchEncodingTests {
  private static func record(_ number: Int, _ phase: TouchPhase = .moved) -> Deliveries.Record {
    let base = Double(number)
    return Deliveries.Record(
      id: TouchID(UInt64(number)), time: Timestamp(microseconds: UInt64(number) * 10),
      attachment: AttachmentID(7), target: ViewIndex(2), targetIndex: 1,
      namesTarget: phase == .began, phase: phase, cancelReason: phase == .cancelled ? .palm : nil,
      phases: .all, flags: [.injected, .replayed],
      tapCount: 2,
      screen: ScreenIndex(1), location: Point(x: base + 0.25, y: base + 0.5),
      previousLocation: Point(x: base + 1, y: base + 2),
      windowLocation: Point(x: base + 3, y: base + 4),
      screenLocation: Point(x: base + 5, y: base + 6), wantsHistory: true)
  }

  private static func messages(
    _ records: [Deliveries.Record], layout: Layout
  ) -> [Message] {
    let queue = OutgoingQueue(limit: 1 << 24)
    append(records, sequence: 99, to: queue, layout)
    return Message.all(in: queue.bytes)
  }

  private static func append(
    _ records: [Deliveries.Record], sequence: UInt64, to queue: OutgoingQueue, _ layout: Layout
  ) {
    let frame = Deliveries.ClientFrame(
      client: ClientID(slot: 0, generation: 1), device: DeviceID(3),
      time: Timestamp(microseconds: 123_456), sequence: sequence, records: 0..<records.count)
    let queued = queue.append(
      frame, of: ReusableList(records), in: layout)
    #expect(queued == .appended(isBlocked: false))
  }

  @Test("a frame is the C structs, byte by byte (T2)")
  func bytes() throws {
    let records = [Self.record(1), Self.record(2, .cancelled), Self.record(3, .stationary)]
    let messages = Self.messages(records, layout: try Layouts.home())
    var expected = withUnsafeBytes(
      of: touchroute_touches(
        header: touchroute_header(
          size: 32 + 3 * 64, opcode: UInt16(TOUCHROUTE_TOUCHES.rawValue), flags: 0),
        time_us: 123_456, sequence: 99, device: 3, touch_count: 3, sample_count: 0)
    ) { Array($0) }
    for (number, phase) in [
      (1, TOUCHROUTE_PHASE_MOVED), (2, TOUCHROUTE_PHASE_CANCELLED),
      (3, TOUCHROUTE_PHASE_STATIONARY),
    ] {
      let base = Float(number)
      let isCancelled = phase == TOUCHROUTE_PHASE_CANCELLED
      let touch = touchroute_touch(
        id: UInt64(number), attachment: 7, target: 1,
        age_us: 123_456 - UInt32(number) * 10, phase: UInt8(phase.rawValue),
        cancel_reason: isCancelled ? UInt8(TOUCHROUTE_CANCEL_PALM.rawValue) : 0,
        flags: UInt16(TOUCHROUTE_TOUCH_INJECTED.rawValue | TOUCHROUTE_TOUCH_REPLAYED.rawValue),
        tap_count: 2, screen: 1, sample_count: 0, path_size: 0, x: base + 0.25, y: base + 0.5,
        previous_x: base + 1, previous_y: base + 2, window_x: base + 3, window_y: base + 4,
        screen_x: base + 5, screen_y: base + 6)
      expected += withUnsafeBytes(of: touch) { Array($0) }
    }
    #expect(messages.count == 1)
    #expect(messages.first?.bytes == expected)
  }

  @Test("a touch that begins brings its target's path, behind all records and padded")
  func paths() throws {
    let records = [Self.record(1), Self.record(2, .began), Self.record(3, .began)]
    let message = try #require(Self.messages(records, layout: try Layouts.home()).first)
    let touches = (0..<3).map { message.load(touchroute_touch.self, at: 32 + $0 * 64) }
    #expect(touches.map(\.path_size) == [0, 17, 17])
    let strings = 32 + 3 * 64
    #expect(message.bytes.count == strings + 2 * 24)
    #expect(message.string(at: strings, size: 17) == "home/toolbar/back")
    #expect(message.string(at: strings + 24, size: 17) == "home/toolbar/back")
    #expect(message.bytes[(strings + 17)..<(strings + 24)].allSatisfy { $0 == 0 })
  }

  @Test("a frame of more than 64 KiB goes on in further messages, all but the last with MORE")
  func split() throws {
    let records = (0..<2500).map { Self.record($0) }
    let messages = Self.messages(records, layout: try Layouts.home())
    #expect(messages.map(\.hasMore) == [true, true, false])
    #expect(messages.allSatisfy { $0.bytes.count <= Int(TOUCHROUTE_MAX_MESSAGE) })
    var ids: [UInt64] = []
    for message in messages {
      let touches = message.load(touchroute_touches.self)
      #expect(touches.sequence == 99)
      for index in 0..<Int(touches.touch_count) {
        ids.append(message.load(touchroute_touch.self, at: 32 + index * 64).id)
      }
    }
    #expect(ids == (0..<2500).map { UInt64($0) })
  }

  @Test(
    "what cancels touches leaves a frame whole that waits in several messages (T2, F2, R9)",
    arguments: [false, true])
  func cancelledAfterSplit(isOfDaemonBefore: Bool) throws {
    let layout = try Layouts.home()
    var queue = OutgoingQueue(limit: 1 << 24)
    Self.append((0..<2500).map { Self.record($0) }, sequence: 99, to: queue, layout)
    if isOfDaemonBefore {
      let bytes = Array(queue.bytes)
      queue = OutgoingQueue(limit: 1 << 24)
      queue.resume(bytes, sent: 0)
    }
    let waiting = Message.all(in: queue.bytes)
    let inLast = Int(try #require(waiting.last).load(touchroute_touches.self).touch_count)
    let cancelled = (2500 - inLast..<2500).map { Self.record($0, .cancelled) }
    Self.append(cancelled, sequence: 100, to: queue, layout)
    let messages = Message.all(in: queue.bytes)
    #expect(messages.map(\.hasMore) == [true, true, false, false])
    #expect(messages.prefix(3).map(\.bytes) == waiting.map(\.bytes))
  }

  @Test("a frame with paths is split by them too, and every path stays with its record")
  func splitWithPaths() throws {
    let layout = try Layouts.wide(400)
    let records = (0..<400).map { number in
      var record = Self.record(number, number % 3 == 0 ? .moved : .began)
      record.target = ViewIndex(Int32(number + 1))
      return record
    }
    let messages = Self.messages(records, layout: layout)
    #expect(messages.count == 2)
    #expect(messages.map(\.hasMore) == [true, false])
    var number = 0
    for message in messages {
      let count = Int(message.load(touchroute_touches.self).touch_count)
      var end = 32 + count * 64
      for index in 0..<count {
        let touch = message.load(touchroute_touch.self, at: 32 + index * 64)
        #expect(touch.id == UInt64(number))
        let path = number % 3 == 0 ? "" : layout.path(of: ViewIndex(Int32(number + 1)))
        #expect(message.string(at: end, size: UInt32(touch.path_size)) == path)
        end += padded(Int(touch.path_size))
        number += 1
      }
      #expect(end == message.bytes.count)
    }
    #expect(number == 400)
  }

  @Test("a path over the limit is left out, and the touch is there")
  func longPath() throws {
    var path = String(repeating: "w", count: 200)
    let window = LayoutDescription.Window(
      name: path, screen: ScreenIndex(0),
      properties: ViewProperties(frame: Layouts.frame(0, 0, 100, 100)))
    var views: [LayoutDescription.View] = []
    for _ in 0..<16 {
      path += "/" + String(repeating: "v", count: 200)
      views.append(
        LayoutDescription.View(
          path: path, properties: ViewProperties(frame: Layouts.frame(0, 0, 9, 9))))
    }
    let layout = try Layout(
      LayoutDescription(
        screens: [Screen(name: "panel", size: Size(width: 800, height: 480))], windows: [window],
        views: views))
    var record = Self.record(1, .began)
    record.target = ViewIndex(16)
    let message = try #require(Self.messages([record], layout: layout).first)
    #expect(message.load(touchroute_touch.self, at: 32).path_size == 0)
    #expect(message.bytes.count == 32 + 64)
  }
}
