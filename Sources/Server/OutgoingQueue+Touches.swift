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
  /// the moves of touches that are cancelled go. Allocates nothing unless a touch begins.
  ///
  /// Rules T2 and F2.
  ///
  /// - Parameters:
  ///   - path: The path of a target.
  ///   - wantsHistory: Whether an attachment wants the samples of merged moves.
  mutating func append(
    _ frame: Deliveries.ClientFrame, of records: [Deliveries.Record], path: (ViewIndex) -> String,
    wantsHistory: (AttachmentID) -> Bool
  ) -> Queued {
    if isBlocked, let queued = merge(frame, of: records, wantsHistory: wantsHistory) {
      return queued
    }
    if !isEmpty { discardMoves(cancelledBy: records[frame.records]) }
    return append(frame, of: records, path: path) ? .appended : .refused
  }

  private mutating func append(
    _ frame: Deliveries.ClientFrame, of records: [Deliveries.Record], path: (ViewIndex) -> String
  ) -> Bool {
    let paths = Self.paths(of: records[frame.records], path)
    if paths.isEmpty, frame.records.count <= Self.fitting(frame.records.count, paths: []) {
      let whole = Part(records: frame.records, paths: [], isFirst: true, isLast: true)
      return append(whole, of: frame, records)
    }
    var rest = frame.records
    while !rest.isEmpty {
      let skipped = rest.lowerBound - frame.records.lowerBound
      let part = rest.prefix(Self.fitting(rest.count, paths: paths.dropFirst(skipped)))
      rest = part.upperBound..<rest.upperBound
      let message = Part(
        records: part, paths: paths.dropFirst(skipped), isFirst: skipped == 0, isLast: rest.isEmpty)
      guard append(message, of: frame, records) else { return false }
    }
    return true
  }

  /// What one message has of a frame.
  private struct Part {
    var records: Range<Int>
    /// The paths of these records and of those that follow, or nothing at all.
    var paths: ArraySlice<String>
    var isFirst: Bool
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
    guard
      var place = append(
        size, touchesOf: frame.device.rawValue, isWhole: part.isFirst && part.isLast)
    else { return false }
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
