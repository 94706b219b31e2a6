import CTouchroute
import Layout
import Routing
import TouchModel
import Wire
import Server

/// What a program is to be told, by the oracle, and what it reads, held to that: every frame as it
/// was said, or merged and left out as rule F2 allows, and nothing else.
struct ProgramStream {
  /// The most samples of a touch's history. Rule F2.
  private static let longestHistory = 64

  /// A frame, with the path of each record's target, or none where it is not told.
  struct Frame {
    var said: Said.Frame
    var paths: [String]

    /// Whether nothing begins or ends in it.
    var isMoves: Bool { said.records.allSatisfy { $0.isMove } }
  }

  enum Item {
    case frame(Frame)
    /// By the layout of one of those numbers, or a later one where that was told before this was
    /// read. Where one that was read may have been this one, it need not come.
    case layout(AttachmentID, generations: ClosedRange<UInt32>, mayBeRead: Bool = false)
    case detached(AttachmentID, Wire.DetachReason)
    case attached(serial: UInt32, AttachmentID)
    /// To attach, or, with serial 0, of one that has lost its responder.
    case waiting(serial: UInt32, AttachmentID, reason: UInt32)
    case done(serial: UInt32, total: UInt32)
    case refused(serial: UInt32, code: UInt32)
  }

  private struct Part: Hashable {
    var touch: UInt64
    var attachment: UInt32

    init(_ record: Deliveries.Record) {
      touch = record.id.rawValue
      attachment = record.attachment.rawValue
    }
  }

  /// Those of its attachments that get history.
  var withHistory: Set<UInt32> = []
  private var items: [Item] = []
  private var next = 0
  /// The frames of moves that were passed over since the device's last frame, by device.
  private var passed: [UInt32: [Frame]] = [:]
  /// What it was told the target of.
  private var told: Set<Part> = []
  /// What was cancelled, so that its moves may be missing.
  private var cancelled: Set<Part> = []

  /// What it is to be told of each screen, lock and watch, in order.
  private var notices: [String: [Notice]] = [:]

  private(set) var frameCount = 0
  /// The first thing that was wrong.
  private(set) var bug: String?

  /// Whether there is something to read.
  var isOwed: Bool {
    items[next...].contains { if case .layout(_, _, mayBeRead: true) = $0 { false } else { true } }
  }

  mutating func expect(_ item: Item) {
    if next == items.count, next > 0 {
      items.removeAll(keepingCapacity: true)
      next = 0
    }
    guard case .frame(let frame) = item else { return items.append(item) }
    items.append(.frame(leavingOutPaths(of: frame)))
    frameCount += 1
    for record in frame.said.records where record.phase == .cancelled {
      cancelled.insert(Part(record))
    }
  }

  /// The path of a target comes with `began`, and with the first that an attachment is told of a
  /// touch.
  private mutating func leavingOutPaths(of frame: Frame) -> Frame {
    var frame = frame
    for (index, record) in frame.said.records.enumerated() {
      let isNews = told.insert(Part(record)).inserted
      if record.phase != .began, !isNews { frame.paths[index] = "" }
    }
    return frame
  }

  mutating func fail(_ text: String) { bug = bug ?? text }

  // MARK: - Notices

  mutating func expect(_ notice: Notice) { notices[notice.subject, default: []].append(notice) }

  /// What it is to be told, and was not.
  var owedNotices: [Notice] { notices.values.flatMap(\.self) }

  /// Takes what it is told of a screen, a lock or a watch.
  mutating func take(_ notice: Notice) {
    guard notices[notice.subject]?.first == notice else {
      return fail("told \(notice), expected \(notices[notice.subject] ?? [])")
    }
    notices[notice.subject]?.removeFirst()
  }

  // MARK: - Reading

  /// Takes the next expected item that is no frame.
  mutating func takeOther(_ what: String, _ isMeant: (Item) -> Bool) {
    passOver(isMeant)
    requireNothingPassed(before: what)
    guard next < items.count, isMeant(items[next]) else {
      let expected = next < items.count ? "\(items[next])" : "nothing"
      return fail("read \(what), expected \(expected)")
    }
    next += 1
  }

  /// Passes over frames, and what may have been read, up to what is meant or must come.
  private mutating func passOver(_ isMeant: (Item) -> Bool) {
    while next < items.count {
      switch items[next] {
      case .frame(let frame): pass(frame)
      case .layout(_, _, mayBeRead: true) where !isMeant(items[next]): break
      default: return
      }
      next += 1
    }
  }

  /// Takes the next expected layout of an attachment, and those that this one took the place of.
  mutating func takeLayout(_ attachment: UInt32, generation: UInt32) {
    var isSaid = false
    bringForward(layout: attachment, generation: generation)
    takeOther("layout \(attachment)") {
      guard case .layout(let id, let said, _) = $0 else { return false }
      isSaid = said.contains(generation)
      return id.rawValue == attachment && said.lowerBound <= generation
    }
    var kept = items[..<next]
    for item in items[next...] {
      guard case .layout(let id, let said, _) = item, id.rawValue == attachment,
        said.lowerBound <= generation
      else {
        kept.append(item)
        continue
      }
      let isThis = !isSaid && said.contains(generation)
      if said.upperBound > generation, !isThis {
        kept.append(.layout(id, generations: said, mayBeRead: true))
      }
      isSaid = isSaid || said.contains(generation)
    }
    items = Array(kept)
    if !isSaid { fail("read layout \(attachment) of \(generation), which was not said") }
  }

  /// The oracle knows of some layouts only between which generations they were said: those may come
  /// behind one of such a generation that the oracle has said later.
  private mutating func bringForward(layout attachment: UInt32, generation: UInt32) {
    let first = items[next...].firstIndex { if case .frame = $0 { false } else { true } }
    guard let first else { return }
    let place = items[first...].firstIndex {
      guard case .layout(let id, let said, _) = $0, id.rawValue != attachment else { return true }
      return said.count == 1 || said.upperBound < generation
    }
    guard let place, place > first, case .layout(let id, _, _) = items[place],
      id.rawValue == attachment
    else { return }
    items.insert(items.remove(at: place), at: first)
  }

  /// Reads a message with touches.
  mutating func take(_ bytes: UnsafeRawBufferPointer) {
    let fixed = bytes.load(as: touchroute_touches.self)
    while next < items.count {
      if case .layout(_, _, mayBeRead: true) = items[next] {
        next += 1
        continue
      }
      guard case .frame(let frame) = items[next] else {
        return fail("frame \(fixed.sequence) overtakes \(items[next])")
      }
      next += 1
      if frame.said.sequence == fixed.sequence { return take(bytes, fixed, frame) }
      pass(frame)
    }
    fail("frame \(fixed.sequence) was not said to this program")
  }

  /// All has been read: what was passed over must be gone for good.
  mutating func finish() {
    passOver { _ in false }
    if next < items.count { fail("never read: \(items[next])") }
    if let notice = owedNotices.first { fail("never told: \(notice)") }
    requireNothingPassed(before: "the end")
  }

  private mutating func pass(_ frame: Frame) {
    let records = frame.said.records
    if !frame.isMoves {
      fail("frame \(frame.said.sequence) is missing, and is no moves: \(records)")
    }
    passed[frame.said.device.rawValue, default: []].append(frame)
  }

  /// Nothing is merged past a beginning, an end, or a message of another kind.
  private mutating func requireNothingPassed(before what: String, of device: UInt32? = nil) {
    for (key, frames) in passed where device == nil || key == device {
      for frame in frames {
        for (record, path) in zip(frame.said.records, frame.paths)
        where !path.isEmpty || (record.phase == .moved && !isCancelled(record)) {
          fail("the moves of frame \(frame.said.sequence) are missing before \(what)")
        }
      }
      passed[key] = nil
    }
  }

  private func isCancelled(_ record: Deliveries.Record) -> Bool {
    cancelled.contains(Part(record))
  }

  private mutating func take(
    _ bytes: UnsafeRawBufferPointer, _ fixed: touchroute_touches, _ frame: Frame
  ) {
    let said = frame.said
    let device = fixed.device
    guard device == said.device.rawValue, fixed.time_us == said.time.microseconds,
      fixed.header.flags == 0
    else { return fail("frame \(said.sequence) has another device or time") }
    if !frame.isMoves { requireNothingPassed(before: "frame \(said.sequence)", of: device) }
    let earlier = passed.removeValue(forKey: device) ?? []
    var trailing = 32 + Int(fixed.touch_count) * 64
    var expected = 0
    for index in 0..<Int(fixed.touch_count) {
      let touch = bytes.load(fromByteOffset: 32 + index * 64, as: touchroute_touch.self)
      while expected < said.records.count, !touch.isOf(said.records[expected]) {
        leaveOut(frame, expected)
        expected += 1
      }
      guard expected < said.records.count else {
        return fail("frame \(said.sequence): touch \(touch.id) was not said")
      }
      let record = said.records[expected]
      let samples = Int(touch.sample_count)
      let path = Self.path(of: record, in: earlier + [frame])
      check(
        touch, record, at: said.time, earlier: earlier.map(\.said), path: path,
        history: UnsafeRawBufferPointer(rebasing: bytes[trailing..<trailing + samples * 16]))
      trailing += samples * 16
      if !bytes[trailing..<trailing + Int(touch.path_size)].elementsEqual(path.utf8) {
        fail("frame \(said.sequence): the path of touch \(touch.id)")
      }
      trailing += padded(Int(touch.path_size))
      expected += 1
    }
    while expected < said.records.count {
      leaveOut(frame, expected)
      expected += 1
    }
    if trailing != bytes.count { fail("frame \(said.sequence) has \(bytes.count) bytes") }
  }

  private mutating func leaveOut(_ frame: Frame, _ index: Int) {
    let record = frame.said.records[index]
    if !record.isMove || !isCancelled(record) || !frame.paths[index].isEmpty {
      fail("frame \(frame.said.sequence) leaves out touch \(record.id.rawValue), \(record.phase)")
    }
  }

  /// The path that a record bears with the frames that were merged into it.
  private static func path(of record: Deliveries.Record, in frames: [Frame]) -> String {
    for frame in frames {
      for (said, path) in zip(frame.said.records, frame.paths)
      where Part(said) == Part(record) && !path.isEmpty {
        return path
      }
    }
    return ""
  }

  /// A record against what was said of its touch since the device's last frame.
  private mutating func check(
    _ touch: touchroute_touch, _ record: Deliveries.Record, at time: Timestamp,
    earlier: [Said.Frame], path: String, history: UnsafeRawBufferPointer
  ) {
    var expected = touchroute_touch(record, at: time)
    expected.path_size = UInt16(path.utf8.count)
    var samples: [touchroute_sample] = []
    if !earlier.isEmpty, record.isMove {
      let run = earlier.compactMap { $0.records.first { touch.isOf($0) } } + [record]
      let moves = run.filter { $0.phase == .moved }
      if !moves.isEmpty { expected.phase = UInt8(TouchPhase.moved.rawValue) }
      if let first = run.first {
        expected.previous_x = Float(first.previousLocation.x)
        expected.previous_y = Float(first.previousLocation.y)
      }
      let isMerged = moves.count > 1 || run.contains { $0.flags.contains(.coalesced) }
      if isMerged { expected.flags |= TouchFlags.coalesced.rawValue }
      if withHistory.contains(touch.attachment) {
        samples = moves.dropLast().suffix(Self.longestHistory).map {
          touchroute_sample(
            time_us: $0.time.microseconds, x: Float($0.location.x), y: Float($0.location.y))
        }
      }
      expected.sample_count = UInt16(samples.count)
    }
    let isSame = withUnsafeBytes(of: expected) { expected in
      withUnsafeBytes(of: touch) { $0.elementsEqual(expected) }
    }
    if !isSame || !samples.withUnsafeBytes({ $0.elementsEqual(history) }) {
      fail("read \(touch), expected \(expected) with \(samples)")
    }
  }
}

extension touchroute_touch {
  func isOf(_ record: Deliveries.Record) -> Bool {
    id == record.id.rawValue && attachment == record.attachment.rawValue
  }
}

extension Deliveries.Record {
  var isMove: Bool { phase == .moved || phase == .stationary }
}

/// A size rounded up to the wire's alignment.
func padded(_ size: Int) -> Int { (size + 7) / 8 * 8 }
