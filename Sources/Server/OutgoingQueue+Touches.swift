import CTouchroute
import Layout
import Routing
import TouchModel

extension OutgoingQueue {
  /// Appends one frame of touches as it goes over the wire; in several messages where it is larger
  /// than one may be. Allocates nothing unless a touch begins. False where the queue has
  /// overflowed.
  ///
  /// Rule T2.
  mutating func append(
    _ frame: Deliveries.ClientFrame, of records: [Deliveries.Record], path: (ViewIndex) -> String
  ) -> Bool {
    let paths = Self.paths(of: records[frame.records], path)
    if paths.isEmpty, frame.records.count <= Self.fitting(frame.records.count, paths: []) {
      return append(
        Part(records: frame.records, paths: [], isLast: true), of: frame, records)
    }
    var rest = frame.records
    while !rest.isEmpty {
      let skipped = rest.lowerBound - frame.records.lowerBound
      let part = rest.prefix(Self.fitting(rest.count, paths: paths.dropFirst(skipped)))
      rest = part.upperBound..<rest.upperBound
      let message = Part(records: part, paths: paths.dropFirst(skipped), isLast: rest.isEmpty)
      guard append(message, of: frame, records) else { return false }
    }
    return true
  }

  /// What one message has of a frame.
  private struct Part {
    var records: Range<Int>
    /// The paths of these records and of those that follow, or nothing at all.
    var paths: ArraySlice<String>
    var isLast: Bool
  }

  /// The targets' paths, where a touch begins; nothing at all where none does.
  private static func paths(
    of records: ArraySlice<Deliveries.Record>, _ path: (ViewIndex) -> String
  ) -> [String] {
    guard records.contains(where: { $0.phase == .began }) else { return [] }
    return records.map { $0.phase == .began ? pathOnWire(path($0.target)) : "" }
  }

  /// How many of the next `count` records fit into one message, with their paths.
  private static func fitting(_ count: Int, paths: ArraySlice<String>) -> Int {
    let record = MemoryLayout<touchroute_touch>.stride
    var room = Int(TOUCHROUTE_MAX_MESSAGE) - MemoryLayout<touchroute_touches>.size
    guard !paths.isEmpty else { return min(count, room / record) }
    return paths.prefix { path in
      room -= record + padded(path.utf8.count)
      return room >= 0
    }.count
  }

  private mutating func append(
    _ part: Part, of frame: Deliveries.ClientFrame, _ records: [Deliveries.Record]
  ) -> Bool {
    let paths = part.paths.prefix(part.records.count)
    let size =
      MemoryLayout<touchroute_touches>.size
      + part.records.count * MemoryLayout<touchroute_touch>.stride
      + paths.reduce(0) { $0 + padded($1.utf8.count) }
    guard var place = append(size) else { return false }
    let message = touchroute_touches(
      header: messageHeader(TOUCHROUTE_TOUCHES, size: size, more: !part.isLast),
      time_us: frame.time.microseconds, sequence: frame.sequence, device: frame.device.rawValue,
      touch_count: UInt16(part.records.count), sample_count: 0)
    place.storeBytes(of: message, as: touchroute_touches.self)
    place += MemoryLayout<touchroute_touches>.size
    var path = paths.startIndex
    for index in part.records {
      var touch = touchroute_touch(records[index], at: frame.time)
      if path < paths.endIndex {
        touch.path_size = UInt16(paths[path].utf8.count)
        path += 1
      }
      place.storeBytes(of: touch, as: touchroute_touch.self)
      place += MemoryLayout<touchroute_touch>.stride
    }
    for path in paths { place = place.store(path) }
    return true
  }
}

/// A path as a message has it: nothing where it is longer than a path may be there.
func pathOnWire(_ path: String) -> String {
  path.utf8.count <= Int(TOUCHROUTE_MAX_PATH) ? path : ""
}

extension touchroute_touch {
  /// The wire's record of a touch in a frame of that time, as yet without a path.
  init(_ record: Deliveries.Record, at time: Timestamp) {
    self.init(
      id: record.id.rawValue, attachment: record.attachment.rawValue, target: record.targetIndex,
      age_us: UInt32(clamping: time.microseconds(since: record.time)),
      phase: record.phase.rawValue, cancel_reason: record.cancelReason?.rawValue ?? 0,
      flags: record.flags.rawValue, tap_count: record.tapCount,
      screen: UInt16(truncatingIfNeeded: record.screen.rawValue), sample_count: 0, path_size: 0,
      x: Float(record.location.x), y: Float(record.location.y),
      previous_x: Float(record.previousLocation.x), previous_y: Float(record.previousLocation.y),
      window_x: Float(record.windowLocation.x), window_y: Float(record.windowLocation.y),
      screen_x: Float(record.screenLocation.x), screen_y: Float(record.screenLocation.y))
  }
}
