import CTouchroute
import Glibc
import Routing
import TouchModel

/// A message with touches as it lies in a queue, of which it owns nothing.
struct TouchesMessage {
  private let start: UnsafeMutableRawPointer

  init(at start: UnsafeMutableRawPointer) { self.start = start }

  /// The bytes of a message without paths.
  static func size(touches: Int, samples: Int) -> Int {
    MemoryLayout<touchroute_touches>.size + touches * MemoryLayout<touchroute_touch>.stride
      + samples * MemoryLayout<touchroute_sample>.stride
  }

  var fixed: touchroute_touches {
    get { start.load(as: touchroute_touches.self) }
    nonmutating set { start.storeBytes(of: newValue, as: touchroute_touches.self) }
  }

  var count: Int { Int(fixed.touch_count) }

  subscript(index: Int) -> touchroute_touch {
    get { record(index).load(as: touchroute_touch.self) }
    nonmutating set { record(index).storeBytes(of: newValue, as: touchroute_touch.self) }
  }

  /// Where a record is; where the trailing parts begin for the place behind the last.
  private func record(_ index: Int) -> UnsafeMutableRawPointer {
    start + Self.size(touches: index, samples: 0)
  }

  // MARK: - Merging

  /// Whether a frame has the same touches, and neither of them anything but moves.
  func isContinued(by records: Slice<ReusableArray<Deliveries.Record>>) -> Bool {
    guard records.count == count else { return false }
    for (index, record) in records.enumerated() {
      let touch = self[index]
      guard
        touch.isMove, record.phase == .moved || record.phase == .stationary,
        touch.id == record.id.rawValue, touch.attachment == record.attachment.rawValue,
        touch.target == record.targetIndex,
        touch.flags | Self.coalesced == record.flags.rawValue | Self.coalesced
      else { return false }
    }
    return true
  }

  /// How many samples a touch has once another record is merged into it.
  func history(
    of index: Int, and record: Deliveries.Record, _ wantsHistory: (AttachmentID) -> Bool
  ) -> Int {
    let touch = self[index]
    let isMerged = !touch.isStationary && record.phase == .moved
    return Int(touch.sample_count) + (isMerged && wantsHistory(record.attachment) ? 1 : 0)
  }

  /// Becomes what a waiting message and a frame are together: the newest places and times, and
  /// where each touch was before as the waiting one has it.
  func merge(
    _ waiting: TouchesMessage, _ frame: Deliveries.ClientFrame,
    _ records: ReusableArray<Deliveries.Record>,
    size: Int, samples: Int, bound: Int, wantsHistory: (AttachmentID) -> Bool
  ) {
    fixed = touchroute_touches(
      header: messageHeader(TOUCHROUTE_TOUCHES, size: size), time_us: frame.time.microseconds,
      sequence: frame.sequence, device: frame.device.rawValue,
      touch_count: UInt16(frame.records.count), sample_count: UInt16(samples))
    var source = waiting.record(waiting.count)
    var target = record(frame.records.count)
    for (index, place) in frame.records.enumerated() {
      let old = waiting[index]
      var touch = touchroute_touch(records[place], at: frame.time)
      touch.previous_x = old.previous_x
      touch.previous_y = old.previous_y
      touch.flags |= old.flags & Self.coalesced
      if !old.isStationary, !touch.isStationary { touch.flags |= Self.coalesced }
      if !old.isStationary { touch.phase = old.phase }
      let history = waiting.history(of: index, and: records[place], wantsHistory)
      let known = Int(old.sample_count)
      let kept = min(history, bound)
      let isAdded = history > known && kept > 0
      let stride = MemoryLayout<touchroute_sample>.stride
      let copied = (kept - (isAdded ? 1 : 0)) * stride
      memcpy(target, source + known * stride - copied, copied)
      target += copied
      source += known * stride
      if isAdded {
        target.storeBytes(
          of: touchroute_sample(
            time_us: waiting.fixed.time_us - UInt64(old.age_us), x: old.x, y: old.y),
          as: touchroute_sample.self)
        target += stride
      }
      touch.sample_count = UInt16(kept)
      self[index] = touch
    }
  }

  private static let coalesced = UInt16(TOUCHROUTE_TOUCH_COALESCED.rawValue)

  // MARK: - Taking out

  /// Takes out the moves that fulfil the condition, with their samples. Returns what is left, in
  /// bytes: nothing where nothing has changed any more.
  func removeMoves(where isMeant: (touchroute_touch) -> Bool) -> Int {
    let count = self.count
    var kept = 0
    var samples = 0
    var hasChanged = false
    var source = record(count)
    var target = source
    for index in 0..<count {
      let touch = self[index]
      let trailing = touch.trailingSize
      defer { source += trailing }
      if touch.isMove, isMeant(touch) { continue }
      memmove(target, source, trailing)
      target += trailing
      self[kept] = touch
      kept += 1
      samples += Int(touch.sample_count)
      hasChanged = hasChanged || !touch.isStationary
    }
    guard hasChanged else { return 0 }
    let trailing = target - record(count)
    memmove(record(kept), record(count), trailing)
    let size = record(kept) + trailing - start
    fixed.header.size = UInt32(size)
    fixed.touch_count = UInt16(kept)
    fixed.sample_count = UInt16(samples)
    return size
  }
}

extension touchroute_touch {
  fileprivate var isStationary: Bool { UInt32(phase) == TOUCHROUTE_PHASE_STATIONARY.rawValue }

  fileprivate var isMove: Bool {
    isStationary || UInt32(phase) == TOUCHROUTE_PHASE_MOVED.rawValue
  }

  /// The bytes of its samples and its path.
  fileprivate var trailingSize: Int {
    Int(sample_count) * MemoryLayout<touchroute_sample>.stride + padded(Int(path_size))
  }
}
