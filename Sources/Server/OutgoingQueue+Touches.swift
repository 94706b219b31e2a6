import CTouchroute
import Layout
import Routing
import TouchModel

extension OutgoingQueue {
  /// What became of a frame.
  enum Queued: Equatable {
    /// It waits.
    case appended
    /// It was merged into one that waited; so many samples were over the bound of their history.
    case merged(droppedSamples: Int)
    /// The queue has overflowed.
    case refused
  }

  /// Appends one frame of touches as it goes over the wire; in several messages where it is larger
  /// than one may be. Where the client does not read, moves are merged into those that wait, and
  /// the moves of touches that are cancelled go. Allocates nothing once the queue has its size.
  ///
  /// Rules T2 and F2.
  ///
  /// - Parameters:
  ///   - layout: The one in force.
  ///   - wantsHistory: Whether an attachment wants the samples of merged moves.
  mutating func append(
    _ frame: Deliveries.ClientFrame, of records: ReusableArray<Deliveries.Record>,
    in layout: Layout, wantsHistory: (AttachmentID) -> Bool
  ) -> Queued {
    if isBlocked, let queued = merge(frame, of: records, wantsHistory: wantsHistory) {
      return queued
    }
    if !isEmpty { discardMoves(cancelledBy: records[frame.records]) }
    return append(frame, of: records, in: layout) ? .appended : .refused
  }

  private mutating func append(
    _ frame: Deliveries.ClientFrame, of records: ReusableArray<Deliveries.Record>,
    in layout: Layout
  ) -> Bool {
    var rest = frame.records
    var isFirst = true
    while !rest.isEmpty {
      let (part, size) = Self.part(of: rest, records, layout)
      rest = part.upperBound..<rest.upperBound
      let isWhole = isFirst && rest.isEmpty
      isFirst = false
      guard let place = append(size, touchesOf: frame.device.rawValue, isWhole: isWhole) else {
        return false
      }
      Self.write(part, isLast: rest.isEmpty, size, of: frame, records, layout, to: place)
    }
    return true
  }

  /// How many of the next records fit into one message with their paths, and its size.
  private static func part(
    of rest: Range<Int>, _ records: ReusableArray<Deliveries.Record>, _ layout: Layout
  ) -> (Range<Int>, Int) {
    var size = MemoryLayout<touchroute_touches>.size
    for index in rest {
      var record = MemoryLayout<touchroute_touch>.stride
      if records[index].phase == .began {
        record += padded(pathLength(of: records[index], layout))
      }
      if size + record > Int(TOUCHROUTE_MAX_MESSAGE) { return (rest.lowerBound..<index, size) }
      size += record
    }
    return (rest, size)
  }

  private static func write(
    _ part: Range<Int>, isLast: Bool, _ size: Int, of frame: Deliveries.ClientFrame,
    _ records: ReusableArray<Deliveries.Record>, _ layout: Layout,
    to place: UnsafeMutableRawPointer
  ) {
    let message = touchroute_touches(
      header: messageHeader(TOUCHROUTE_TOUCHES, size: size, more: !isLast),
      time_us: frame.time.microseconds, sequence: frame.sequence, device: frame.device.rawValue,
      touch_count: UInt16(part.count), sample_count: 0)
    place.storeBytes(of: message, as: touchroute_touches.self)
    var place = place + MemoryLayout<touchroute_touches>.size
    var path = place + part.count * MemoryLayout<touchroute_touch>.stride
    for index in part {
      var length = 0
      if records[index].phase == .began {
        length = pathLength(of: records[index], layout)
        path = path.store(pathOf: records[index].target, length, layout)
      }
      let touch = touchroute_touch(records[index], at: frame.time, pathLength: length)
      place.storeBytes(of: touch, as: touchroute_touch.self)
      place += MemoryLayout<touchroute_touch>.stride
    }
  }

  /// The bytes of a target's path in a message: none where it is longer than a path may be there.
  private static func pathLength(of record: Deliveries.Record, _ layout: Layout) -> Int {
    let length = layout.pathLength(of: record.target)
    return length <= Int(TOUCHROUTE_MAX_PATH) ? length : 0
  }
}

/// A path as a message has it: nothing where it is longer than a path may be there.
func pathOnWire(_ path: String) -> String {
  path.utf8.count <= Int(TOUCHROUTE_MAX_PATH) ? path : ""
}

extension UnsafeMutableRawPointer {
  /// Writes a view's path of that length and its zero padding, and returns where the next part
  /// goes.
  fileprivate func store(
    pathOf view: ViewIndex, _ length: Int, _ layout: Layout
  ) -> UnsafeMutableRawPointer {
    guard length > 0 else { return self }
    let end = self + padded(length)
    (end - 8).storeBytes(of: 0, as: UInt64.self)
    layout.writePath(of: view, to: UnsafeMutableRawBufferPointer(start: self, count: length))
    return end
  }
}

extension touchroute_touch {
  /// The wire's record of a touch in a frame of that time.
  @inline(__always)
  init(_ record: Deliveries.Record, at time: Timestamp, pathLength: Int = 0) {
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
