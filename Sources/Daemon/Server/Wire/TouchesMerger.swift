import CTouchroute
import Glibc
import Routing
import TouchModel

/// What a message of moves and a further frame of the same touches are together. Rule F2.
struct TouchesMerger {
  /// The bytes of the message that comes of it.
  let size: Int
  /// The samples that are left out of it, since they are over the bound of their touch's history.
  let droppedSamples: Int
  private let samples: Int
  /// The most samples that each touch keeps.
  private let bound: Int

  /// The most samples that a touch's history has.
  static let longestHistory = 64

  private static let coalesced = TouchFlags.coalesced.rawValue

  /// Nil where the frame has other touches, or either of them anything but moves.
  init?(
    of waiting: TouchesMessage, _ frame: Deliveries.ClientFrame,
    _ records: ReusableList<Deliveries.Record>
  ) {
    let count = waiting.count
    guard frame.records.count == count else { return nil }
    for (index, record) in records[frame.records].enumerated() {
      guard Self.goesOn(waiting[index], with: record) else { return nil }
    }
    let paths = (0..<count).reduce(0) { $0 + waiting[$1].pathSpace }
    bound = Self.longestHistory(with: count, paths: paths)
    var samples = 0
    var dropped = 0
    for (index, record) in records[frame.records].enumerated() {
      let history = Self.history(of: waiting[index], and: record)
      samples += min(history, bound)
      dropped += max(0, history - bound)
    }
    self.samples = samples
    droppedSamples = dropped
    size = TouchesMessage.size(touches: count, samples: samples, paths: paths)
  }

  /// Whether a record is a move of the same touch, and so is the touch that waits.
  private static func goesOn(_ touch: touchroute_touch, with record: Deliveries.Record) -> Bool {
    touch.isMove && (record.phase == .moved || record.phase == .stationary)
      && touch.id == record.id.rawValue && touch.attachment == record.attachment.rawValue
      && touch.target == record.targetIndex
      && touch.flags | coalesced == record.flags.rawValue | coalesced
  }

  /// How many samples a touch has once a record is merged into it.
  private static func history(
    of touch: touchroute_touch, and record: Deliveries.Record
  ) -> Int {
    let isMerged = !touch.isStationary && record.phase == .moved
    return Int(touch.sample_count) + (isMerged && record.wantsHistory ? 1 : 0)
  }

  /// The most samples of each of so many touches, for them to fit into one message with paths of so
  /// many bytes.
  private static func longestHistory(with touches: Int, paths: Int) -> Int {
    let space =
      Int(TOUCHROUTE_MAX_MESSAGE)
      - TouchesMessage.size(touches: touches, samples: 0, paths: paths)
    return min(longestHistory, space / MemoryLayout<touchroute_sample>.stride / max(touches, 1))
  }

  /// Writes it: the newest locations and times, and where each touch was before and the path of its
  /// target, where it names that, as the waiting message has them.
  func write(
    _ waiting: TouchesMessage, _ frame: Deliveries.ClientFrame,
    _ records: ReusableList<Deliveries.Record>, to merged: TouchesMessage
  ) {
    merged.fixed = touchroute_touches(
      header: touchroute_header(TOUCHROUTE_TOUCHES, size: size),
      time_us: frame.time.microseconds, sequence: frame.sequence, device: frame.device.rawValue,
      touch_count: UInt16(frame.records.count), sample_count: UInt16(samples))
    var source = waiting.pointer(to: frame.records.count)
    var target = merged.pointer(to: frame.records.count)
    for (index, record) in records[frame.records].enumerated() {
      let old = waiting[index]
      var touch = Self.merge(old, record, at: frame.time)
      let history = Self.history(of: old, and: record)
      let known = Int(old.sample_count)
      let kept = min(history, bound)
      let isAdded = history > known && kept > 0
      let stride = MemoryLayout<touchroute_sample>.stride
      let copied = (kept - (isAdded ? 1 : 0)) * stride
      memcpy(target, source + known * stride - copied, copied)
      target += copied
      source += known * stride
      if isAdded {
        // An age is what has passed at that time since one that is not below 0.
        let time = waiting.fixed.time_us - UInt64(old.age_us)
        target.storeBytes(
          of: touchroute_sample(time_us: time, x: old.x, y: old.y), as: touchroute_sample.self)
        target += stride
      }
      memcpy(target, source, old.pathSpace)
      target += old.pathSpace
      source += old.pathSpace
      touch.sample_count = UInt16(kept)
      merged[index] = touch
    }
  }

  private static func merge(
    _ old: touchroute_touch, _ record: Deliveries.Record, at time: Timestamp
  ) -> touchroute_touch {
    var touch = touchroute_touch(record, at: time)
    touch.previous_x = old.previous_x
    touch.previous_y = old.previous_y
    touch.path_size = old.path_size
    touch.flags |= old.flags & coalesced
    if !old.isStationary, !touch.isStationary { touch.flags |= coalesced }
    if !old.isStationary { touch.phase = old.phase }
    return touch
  }
}
