import CTouchroute
import Glibc
import Layout
import Routing
import TestSupport
import TouchModel

@testable import Server

/// A queue over a small socket, all that was said into it, and a reader that holds what it reads to
/// that.
struct MergingBench: ~Copyable {
  static let withHistory: UInt32 = 1
  static let withoutHistory: UInt32 = 2

  private var generator: SeededGenerator
  private let pair: SocketPair
  private let client: RawClient
  private let layout: Layout
  private let queue = OutgoingQueue(limit: 1 << 22)
  private var number: UInt64 = 0
  private var live: [[Deliveries.Record]] = [[], []]
  private var nextTouch: UInt64 = 1

  /// What was said, by number: a frame, or nil for a message of another kind.
  private var said: [Said?] = [nil]
  /// The number of the latest message that was read, and of each device's latest frame.
  private var latest: UInt64 = 0
  private var readFrame: [UInt64] = [0, 0]
  /// The touches that have moved in frames that were not read, by device.
  private var owed: [Set<UInt64>] = [[], []]
  private var cancelledTouches: Set<UInt64> = []
  /// Those of which the target was named in frames that were not read.
  private var unnamed: Set<UInt64> = []

  private(set) var mistakes: [String] = []
  private(set) var mergedCount = 0
  private(set) var droppedCount = 0
  private(set) var longestHistory = 0
  private var readDroppedCount = 0

  private struct Said {
    var device: Int
    var records: [Deliveries.Record]
    var isMoves: Bool { records.allSatisfy { $0.phase == .moved || $0.phase == .stationary } }
  }

  /// Throws nothing, as Debian's Swift 6.2 compiles no initializer that does of a struct with a
  /// deinit.
  init(seed: UInt64, layout: Layout, over pair: SocketPair) {
    self.layout = layout
    self.pair = pair
    generator = SeededGenerator(seed: seed)
    Connection.setSendBuffer(pair.inner, bytes: 4096)
    client = RawClient(pair.outer)
  }

  deinit { close(pair.inner) }

  var queuedBytes: Int { queue.count }

  // MARK: - Saying

  /// Anything: mostly moves.
  mutating func say() {
    let device = generator.below(2)
    switch generator.below(40) {
    case 0..<2 where live[device].count < 5:
      let attachment = generator.below(2) == 0 ? Self.withHistory : Self.withoutHistory
      begin(
        device: device, touches: 1 + generator.below(2), attachment: attachment,
        [.began, .began, .moved, .stationary][generator.below(4)])
    case 2 where !live[device].isEmpty:
      end(device: device, touch: generator.below(live[device].count), .ended)
    case 3 where !live[device].isEmpty:
      end(device: device, touch: generator.below(live[device].count), .cancelled)
    case 4:
      number += 1
      said.append(nil)
      queue.append(.pong(serial: UInt32(number)))
      flush()
    default: if !live[device].isEmpty { move(device: device) }
    }
  }

  /// The first that is said of touches, to an attachment that may not get `began`.
  mutating func begin(
    device: Int, touches: Int, attachment: UInt32, _ phase: TouchPhase = .began
  ) {
    rest(device)
    for _ in 0..<touches {
      live[device].append(
        Deliveries.Record(
          id: TouchID(nextTouch), time: time, attachment: AttachmentID(attachment),
          target: ViewIndex(0), targetIndex: 0, namesTarget: true, phase: phase, cancelReason: nil,
          phases: .all, flags: [], tapCount: 1, screen: ScreenIndex(0), location: .zero,
          previousLocation: .zero, windowLocation: .zero, screenLocation: .zero,
          wantsHistory: attachment == Self.withHistory))
      nextTouch += 1
    }
    send(device)
  }

  /// Some or all of the device's touches move.
  mutating func move(device: Int) {
    rest(device)
    let all = generator.below(2) == 0
    let first = generator.below(live[device].count)
    for index in live[device].indices where all || index == first || generator.below(3) == 0 {
      live[device][index].phase = .moved
      live[device][index].time = time
      live[device][index].location = Point(
        x: Double(generator.below(1_000)), y: Double(number + 1))
    }
    send(device)
  }

  mutating func end(device: Int, touch: Int, _ phase: TouchPhase) {
    rest(device)
    var record = live[device].remove(at: touch)
    record.phase = phase
    record.time = time
    if phase == .cancelled {
      record.cancelReason = .palm
      cancelledTouches.insert(record.id.rawValue)
    }
    live[device].insert(record, at: 0)
    send(device)
    live[device].removeFirst()
  }

  private var time: Timestamp { Timestamp(microseconds: (number + 1) * 1_000) }

  private mutating func rest(_ device: Int) {
    for index in live[device].indices {
      live[device][index].phase = .stationary
      live[device][index].namesTarget = false
      live[device][index].previousLocation = live[device][index].location
    }
  }

  private mutating func send(_ device: Int) {
    let frame = Deliveries.ClientFrame(
      client: ClientID(slot: 0, generation: 1), device: DeviceID(UInt32(device)), time: time,
      sequence: number + 1, records: 0..<live[device].count)
    number += 1
    said.append(Said(device: device, records: live[device]))
    let isBlocked = queue.isBlocked
    let queued = queue.append(
      frame, of: ReusableList(live[device]), in: layout)
    switch queued {
    case .appended: break
    case .merged(let dropped):
      mergedCount += 1
      droppedCount += dropped
      if !isBlocked { mistakes.append("frame \(number) was merged though nothing was blocked") }
    case .refused: mistakes.append("frame \(number) was refused")
    }
    flush()
    checkBound()
  }

  private mutating func flush() {
    if let code = queue.flush(to: pair.inner)?.failure { mistakes.append("sending: errno \(code)") }
  }

  /// Behind each message that is no moves, moves of each device wait at most once.
  private mutating func checkBound() {
    var moves = 0
    var others = 0
    let unsent = queue.unsent
    for message in Message.all(in: unsent.bytes).dropFirst(unsent.sent > 0 ? 1 : 0) {
      if message.isMoves { moves += 1 } else { others += 1 }
    }
    if moves > 2 * (others + 1) { mistakes.append("\(moves) moves wait among \(others) others") }
  }

  // MARK: - Reading

  /// Nothing, or some messages.
  mutating func read() {
    guard generator.below(8) == 0 else { return }
    for _ in 0..<generator.below(12) {
      guard let message = client.nextAlone() else { return }
      check(message)
    }
    flush()
  }

  /// Everything, queue and socket; then nothing that was said may be missing.
  mutating func readAll() {
    repeat {
      while let message = client.next() { check(message) }
      flush()
    } while !queue.isEmpty
    while let message = client.next() { check(message) }
    skip(to: UInt64(said.count))
    latest = number
    for device in owed.indices { requireNothingOwed(device) }
    if !unnamed.isEmpty { mistakes.append("the targets of \(unnamed) were never named") }
    // What was dropped of a touch's history may be gone with the rest of it.
    let isMissing = cancelledTouches.isEmpty && readDroppedCount < droppedCount
    if readDroppedCount > droppedCount || isMissing {
      mistakes.append("\(droppedCount) samples were dropped, \(readDroppedCount) are missing")
    }
  }

  /// What was said before that number and was not read must be moves that were merged into later
  /// ones or taken out because their touches were cancelled.
  private mutating func skip(to next: UInt64) {
    for missing in latest + 1..<max(next, latest + 1) {
      guard let frame = said[Int(missing)] else {
        mistakes.append("message \(missing) is missing")
        continue
      }
      if !frame.isMoves { mistakes.append("frame \(missing) is missing, and is no moves") }
      for record in frame.records {
        if record.phase == .moved { owed[frame.device].insert(record.id.rawValue) }
        if record.namesTarget { unnamed.insert(record.id.rawValue) }
      }
    }
  }

  /// No move may be merged past a message of another kind, or past a beginning or an end.
  private mutating func requireNothingOwed(_ device: Int) {
    if !owed[device].isSubset(of: cancelledTouches) {
      mistakes.append("moves of \(owed[device]) are missing at \(latest)")
    }
    owed[device] = []
  }

  private mutating func check(_ message: Message) {
    if message.opcode == TOUCHROUTE_PONG.rawValue {
      let serial = UInt64(message.load(touchroute_pong.self).serial)
      skip(to: serial)
      latest = serial
      for device in owed.indices { requireNothingOwed(device) }
      return
    }
    let fixed = message.load(touchroute_touches.self)
    guard fixed.sequence > latest, fixed.sequence < said.count,
      let frame = said[Int(fixed.sequence)], frame.device == Int(fixed.device)
    else {
      mistakes.append("frame \(fixed.sequence) comes behind \(latest)")
      return
    }
    skip(to: fixed.sequence)
    latest = fixed.sequence
    if frame.isMoves { owed[frame.device] = [] } else { requireNothingOwed(frame.device) }
    var expected = frame.records
    let mostSamples = Self.mostSamples(of: message)
    var trailing = MemoryLayout<touchroute_touches>.size + Int(fixed.touch_count) * 64
    for index in 0..<Int(fixed.touch_count) {
      let touch = message.load(touchroute_touch.self, at: 32 + index * 64)
      let samples = (0..<Int(touch.sample_count)).map {
        message.load(touchroute_sample.self, at: trailing + $0 * 16)
      }
      trailing += samples.count * 16 + padded(Int(touch.path_size))
      while let first = expected.first, first.id.rawValue != touch.id {
        leaveOut(expected.removeFirst(), fixed.sequence)
      }
      guard !expected.isEmpty else { return mistakes.append("touch \(touch.id) was not said") }
      check(touch, samples, expected.removeFirst(), fixed, mostSamples)
    }
    for record in expected { leaveOut(record, fixed.sequence) }
    readFrame[frame.device] = fixed.sequence
  }

  /// How many samples each of a message's touches may have: as many as fit into it, at most 64.
  private static func mostSamples(of message: Message) -> Int {
    let count = Int(message.load(touchroute_touches.self).touch_count)
    let paths = (0..<count).reduce(0) {
      $0 + padded(Int(message.load(touchroute_touch.self, at: 32 + $1 * 64).path_size))
    }
    return min(64, (65_536 - 32 - 64 * count - paths) / (16 * max(count, 1)))
  }

  private mutating func leaveOut(_ record: Deliveries.Record, _ sequence: UInt64) {
    let isMove = record.phase == .moved || record.phase == .stationary
    if !isMove || record.namesTarget || !cancelledTouches.contains(record.id.rawValue) {
      mistakes.append("frame \(sequence) leaves out touch \(record.id.rawValue), \(record.phase)")
    }
  }

  /// A record against all that was said of its touch since the device's last frame that was read.
  private mutating func check(
    _ touch: touchroute_touch, _ samples: [touchroute_sample], _ record: Deliveries.Record,
    _ fixed: touchroute_touches, _ mostSamples: Int
  ) {
    let run = said[Int(readFrame[Int(fixed.device)]) + 1...Int(fixed.sequence)].compactMap {
      $0?.records.first { $0.id == record.id }
    }
    let moves = run.filter { $0.phase == .moved }
    var expected = touchroute_touch(
      record, at: Timestamp(microseconds: fixed.time_us))
    if record.phase == .stationary, !moves.isEmpty {
      expected.phase = UInt8(TouchPhase.moved.rawValue)
    }
    expected.path_size = run.contains(where: \.namesTarget) ? 4 : 0
    unnamed.remove(touch.id)
    let isMerged = record.phase == .moved || record.phase == .stationary
    if isMerged, let first = run.first {
      expected.previous_x = Float(first.previousLocation.x)
      expected.previous_y = Float(first.previousLocation.y)
      if moves.count > 1 { expected.flags |= UInt16(TOUCHROUTE_TOUCH_COALESCED.rawValue) }
    }
    let history = record.attachment.rawValue == Self.withHistory && isMerged
    let merged = history ? moves.dropLast() : []
    let kept = merged.suffix(mostSamples)
    expected.sample_count = UInt16(kept.count)
    longestHistory = max(longestHistory, kept.count)
    readDroppedCount += merged.count - kept.count
    let isSame = withUnsafeBytes(of: touch) { actual in
      withUnsafeBytes(of: expected) { actual.elementsEqual($0) }
    }
    let places = kept.map { [Float($0.location.x), Float($0.location.y)] }
    let times = kept.map(\.time.microseconds)
    if !isSame || samples.map({ [$0.x, $0.y] }) != places || samples.map(\.time_us) != times {
      mistakes.append("frame \(fixed.sequence): \(touch), expected \(expected)")
    }
  }
}

extension Message {
  /// Whether it has touches, and none that begins or ends or is told for the first time.
  fileprivate var isMoves: Bool {
    guard opcode == TOUCHROUTE_TOUCHES.rawValue else { return false }
    return (0..<Int(load(touchroute_touches.self).touch_count)).allSatisfy {
      let touch = load(touchroute_touch.self, at: 32 + $0 * 64)
      return [2, 3].contains(touch.phase) && touch.path_size == 0
    }
  }
}
