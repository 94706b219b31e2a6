import CTouchroute
import Glibc
import Routing
import TestSupport
import Testing
import TouchModel
import Wire

@testable import Server

/// Messages of which only the latest counts.
@Suite("States in a queue")
struct StateMessageTests {
  private static func append(
    _ queue: OutgoingQueue, layoutOf attachment: UInt32, generation: UInt32
  ) {
    var message = touchroute_attached()
    message.attachment = attachment
    message.generation = generation
    queue.append(
      FixedMessage(TOUCHROUTE_LAYOUT, message), stateOf: .init(TOUCHROUTE_LAYOUT, of: attachment))
  }

  private static func append(_ queue: OutgoingQueue, _ words: String, of subject: UInt32) {
    let message = touchroute_detached(
      header: touchroute_header(), serial: 0, attachment: subject, reason: 1,
      text_size: UInt32(words.utf8.count))
    queue.append(
      FixedMessage(TOUCHROUTE_DETACHED, message, words),
      stateOf: .init(TOUCHROUTE_DETACHED, of: subject))
  }

  @Test("of each attachment one layout waits, the latest, however often it changes (F2, S14)")
  func replaced() throws {
    let queue = OutgoingQueue(limit: 1 << 20)
    for generation in 1...10_000 {
      for attachment in 1...50 {
        Self.append(
          queue, layoutOf: UInt32(attachment), generation: UInt32(generation))
      }
    }
    let waiting = queue.count
    let messages = Message.all(in: Array(queue.bytes)).map { $0.load(touchroute_attached.self) }
    #expect(waiting == 50 * MemoryLayout<touchroute_attached>.size)
    #expect(messages.map(\.attachment) == (1...50).map { UInt32($0) })
    #expect(messages.allSatisfy { $0.generation == 10_000 })
  }

  @Test("what ends a state stays in front of what tells that state anew (F2, R2)")
  func ended() throws {
    let queue = OutgoingQueue(limit: 1 << 20)
    Self.append(queue, layoutOf: 1, generation: 1)
    Self.append(queue, layoutOf: 2, generation: 1)
    queue.append(
      .waiting(AttachmentID(1), because: .notAllowed, text: "", serial: 0),
      endingStateOf: .init(TOUCHROUTE_LAYOUT, of: 1))
    for generation in 2...3 {
      Self.append(queue, layoutOf: 1, generation: UInt32(generation))
      Self.append(queue, layoutOf: 2, generation: UInt32(generation))
    }
    let messages = Message.all(in: Array(queue.bytes))
    let layout = UInt32(TOUCHROUTE_LAYOUT.rawValue)
    let waiting = UInt32(TOUCHROUTE_WAITING.rawValue)
    #expect(messages.map { UInt32($0.opcode) } == [layout, layout, waiting, layout])
    let told = [0, 1, 3].map { messages[$0].load(touchroute_attached.self) }
    #expect(told.map(\.attachment) == [1, 2, 1])
    #expect(told.map(\.generation) == [1, 3, 3])
  }

  @Test("the screens are told before the layouts that are numbered by them, and behind touches")
  func basis() throws {
    let queue = OutgoingQueue(limit: 1 << 20)
    let screensChanged = WelcomeMessage(
      World.greeting, version: 1, isControl: false, serial: 0)
    func welcome() { queue.append(screensChanged, basisOf: .init(TOUCHROUTE_WELCOME)) }
    Self.append(queue, layoutOf: 1, generation: 1)
    welcome()
    Self.append(queue, layoutOf: 1, generation: 2)
    welcome()
    Self.append(queue, layoutOf: 1, generation: 3)
    let screens = UInt32(TOUCHROUTE_WELCOME.rawValue)
    let layout = UInt32(TOUCHROUTE_LAYOUT.rawValue)
    let before = Message.all(in: Array(queue.bytes)).map { UInt32($0.opcode) }
    #expect(before == [layout, screens, layout])
    let (frame, records) = World.frame(to: ClientID(slot: 0, generation: 0), phase: .ended)
    let home = try Layouts.home()
    _ = queue.append(frame, of: records, in: home)
    welcome()
    Self.append(queue, layoutOf: 1, generation: 4)
    let after = Message.all(in: Array(queue.bytes))
    let touches = UInt32(TOUCHROUTE_TOUCHES.rawValue)
    #expect(after.map { UInt32($0.opcode) } == [layout, screens, layout, touches, screens, layout])
    #expect(after.last?.load(touchroute_attached.self).generation == 4)
  }

  @Test("what names a screen stays between the screens before and after it (F2, D9)")
  func numbered() {
    let queue = OutgoingQueue(limit: 1 << 20)
    let screensChanged = WelcomeMessage(World.greeting, version: 1, isControl: false, serial: 0)
    func welcome() { queue.append(screensChanged, basisOf: .init(TOUCHROUTE_WELCOME)) }
    welcome()
    queue.append(
      .screen(ScreenStateNotice(screen: ScreenIndex(0), name: "panel", state: .on, cause: nil)))
    welcome()
    Self.append(queue, layoutOf: 1, generation: 1)
    welcome()
    let screens = UInt16(TOUCHROUTE_WELCOME.rawValue)
    let opcodes = Message.all(in: Array(queue.bytes)).map { UInt16($0.opcode) }
    #expect(
      opcodes == [
        screens, UInt16(TOUCHROUTE_SCREEN_STATE.rawValue), screens,
        UInt16(TOUCHROUTE_LAYOUT.rawValue),
      ])
  }

  @Test(
    "whoever reads how ever, no touch comes before the state that it was made by (F2)",
    arguments: Seeds.fresh(60))
  func random(seed: UInt64) throws {
    var state = seed &* 2 &+ 1
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let pair = try SocketPair()
    defer { close(pair.inner) }
    Connection.setSendBuffer(pair.inner, bytes: 4096)
    let client = RawClient(pair.outer)
    let home = try Layouts.home()
    let queue = OutgoingQueue(limit: 1 << 20)
    var generation: UInt32 = 0
    var told: [UInt32: UInt32] = [:]
    /// The generations by which each frame was made.
    var made: [UInt64: [UInt32: UInt32]] = [:]
    var sequence: UInt64 = 0
    var known: [UInt32: UInt32] = [:]
    var text: [UInt32: String] = [:]
    var frames = 0
    func read(_ message: Message) {
      switch UInt32(message.opcode) {
      case TOUCHROUTE_LAYOUT.rawValue:
        let layout = message.load(touchroute_attached.self)
        known[layout.attachment] = layout.generation
      case TOUCHROUTE_DETACHED.rawValue:
        let detached = message.load(touchroute_detached.self)
        text[detached.attachment] = message.string(
          at: MemoryLayout<touchroute_detached>.size, size: detached.text_size)
      case TOUCHROUTE_TOUCHES.rawValue:
        frames += 1
        let number = message.load(touchroute_touches.self).sequence
        for (attachment, generation) in made[number] ?? [:] {
          #expect(known[attachment, default: 0] >= generation, "seed \(seed), frame \(number)")
        }
      default: Issue.record("seed \(seed): message \(message.opcode)")
      }
    }
    for step in 0..<3_000 {
      switch next(8) {
      case 0...2:
        generation += 1
        let attachment = UInt32(1 + next(5))
        told[attachment] = generation
        Self.append(queue, layoutOf: attachment, generation: generation)
      case 3:
        // A state whose messages have many sizes.
        let words = String(repeating: "w", count: next(300)) + "\(step)"
        Self.append(queue, words, of: UInt32(1 + next(3)))
      case 4...6:
        sequence += 1
        made[sequence] = told
        let (frame, records) = World.frame(
          to: ClientID(slot: 0, generation: 0), 2, sequence: sequence,
          phase: next(10) == 0 ? .ended : .moved)
        _ = queue.append(frame, of: records, in: home)
      default:
        queue.flush(to: pair.inner)
        if next(12) == 0 { for _ in 0..<next(40) { if let it = client.nextAlone() { read(it) } } }
      }
    }
    while !queue.isEmpty {
      queue.flush(to: pair.inner)
      while let message = client.next() { read(message) }
    }
    while let message = client.next() { read(message) }
    #expect(known == told)
    #expect(text.count == 3)
    #expect(frames > 10)
  }
}
