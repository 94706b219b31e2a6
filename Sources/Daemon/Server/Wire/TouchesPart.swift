package import CTouchroute
import Layout
package import Routing
package import TouchModel

/// As many records of a frame as one message holds, with the paths of those that name
/// their targets.
struct TouchesPart {
  /// The records.
  let records: Range<Int>
  /// The bytes of the message.
  let size: Int

  /// The first of the records that are left of a frame.
  @inline(__always)
  static func first(
    of rest: Range<Int>, _ records: ReusableList<Deliveries.Record>, _ layout: Layout
  ) -> TouchesPart {
    var size = TouchesMessage.size(touches: rest.count, samples: 0)
    for index in rest where records[index].namesTarget {
      size += padded(pathLength(of: records[index], layout))
    }
    if size > Int(TOUCHROUTE_MAX_MESSAGE) { return beginning(of: rest, records, layout) }
    return TouchesPart(rest, size: size)
  }

  private init(_ records: Range<Int>, size: Int) {
    self.records = records
    self.size = size
  }

  private static func beginning(
    of rest: Range<Int>, _ records: ReusableList<Deliveries.Record>, _ layout: Layout
  ) -> TouchesPart {
    var size = TouchesMessage.size(touches: 0, samples: 0)
    for index in rest {
      var next = size + MemoryLayout<touchroute_touch>.stride
      if records[index].namesTarget { next += padded(pathLength(of: records[index], layout)) }
      if next > Int(TOUCHROUTE_MAX_MESSAGE) {
        return TouchesPart(rest.lowerBound..<index, size: size)
      }
      size = next
    }
    return TouchesPart(rest, size: size)
  }

  /// Writes the message; `isLast` where the frame does not go on in another one.
  @inline(__always)
  func write(
    _ frame: Deliveries.ClientFrame, _ all: ReusableList<Deliveries.Record>, _ layout: Layout,
    isLast: Bool, to start: UnsafeMutableRawPointer
  ) {
    let fixed = touchroute_touches(
      header: touchroute_header(TOUCHROUTE_TOUCHES, size: size, more: !isLast),
      time_us: frame.time.microseconds, sequence: frame.sequence, device: frame.device.rawValue,
      touch_count: UInt16(records.count), sample_count: 0)
    start.storeBytes(of: fixed, as: touchroute_touches.self)
    var next = start + MemoryLayout<touchroute_touches>.size
    var path = start + TouchesMessage.size(touches: records.count, samples: 0)
    for index in records {
      var length = 0
      if all[index].namesTarget {
        length = Self.pathLength(of: all[index], layout)
        path = path.store(pathOf: all[index].target, length, layout)
      }
      next.storeBytes(
        of: touchroute_touch(all[index], at: frame.time, pathLength: length),
        as: touchroute_touch.self)
      next += MemoryLayout<touchroute_touch>.stride
    }
  }

  /// The bytes of a target's path in a message: none where it is longer than a path may be there.
  private static func pathLength(of record: Deliveries.Record, _ layout: Layout) -> Int {
    let length = layout.pathLength(of: record.target)
    return length <= Int(TOUCHROUTE_MAX_PATH) ? length : 0
  }
}

extension touchroute_touch {
  /// The wire's record of a touch in a frame of that time.
  @inline(__always)
  package init(_ record: Deliveries.Record, at time: Timestamp, pathLength: Int = 0) {
    self.init(
      id: record.id.rawValue, attachment: record.attachment.rawValue, target: record.targetIndex,
      age_us: UInt32(clamping: time.microseconds(since: record.time)),
      phase: record.phase.rawValue, cancel_reason: record.cancelReason?.rawValue ?? 0,
      flags: record.flags.rawValue, tap_count: record.tapCount,
      screen: UInt16(truncatingIfNeeded: record.screen.rawValue), sample_count: 0,
      path_size: UInt16(pathLength),
      x: Float(record.location.x), y: Float(record.location.y),
      previous_x: Float(record.previousLocation.x), previous_y: Float(record.previousLocation.y),
      window_x: Float(record.windowLocation.x), window_y: Float(record.windowLocation.y),
      screen_x: Float(record.screenLocation.x), screen_y: Float(record.screenLocation.y))
  }
}
