import CTouchroute
import Layout
import Routing
import TouchModel

/// A frame as it was routed, or a part of it where it is larger than a message may be.
///
/// Rule F7: a touch of a secure view has no location. It is written without a copy of its touches:
/// an observer is told of every frame.
struct ObservedMessage: OutgoingMessage {
  private let observations: Observations
  private let frame: Observation
  /// Those of the frame's records that it has.
  private let records: Range<Int>
  private let layout: Layout
  private let pid: (ClientID) -> Int32
  let size: Int

  /// A frame in as many messages as it needs.
  ///
  /// - Parameter pid: A client's process.
  static func messages(
    of frame: Observation, of observations: Observations, in layout: Layout,
    pid: @escaping (ClientID) -> Int32
  ) -> [ObservedMessage] {
    var messages: [ObservedMessage] = []
    var first = frame.records.lowerBound
    var size = MemoryLayout<touchroute_observed>.size
    func finish(before end: Int) {
      messages.append(
        ObservedMessage(
          observations: observations, frame: frame, records: first..<end, layout: layout, pid: pid,
          size: size))
      first = end
      size = MemoryLayout<touchroute_observed>.size
    }
    for index in frame.records {
      let more = ObservedTouch.size(of: observations.records[index], observations, layout).bytes
      if size + more > Int(TOUCHROUTE_MAX_MESSAGE) { finish(before: index) }
      size += more
    }
    if first < frame.records.upperBound { finish(before: frame.records.upperBound) }
    return messages
  }

  func write(to start: UnsafeMutableRawPointer) {
    let isLast = records.upperBound == frame.records.upperBound
    start.storeBytes(
      of: touchroute_observed(
        header: touchroute_header(TOUCHROUTE_OBSERVED, size: size, more: !isLast),
        time_us: frame.time.microseconds, sequence: frame.sequence,
        device: frame.device.rawValue, touch_count: UInt32(records.count)),
      as: touchroute_observed.self)
    var next = start + MemoryLayout<touchroute_observed>.size
    var rest = next + records.count * MemoryLayout<touchroute_observed_touch>.stride
    for index in records {
      let touch = ObservedTouch.size(of: observations.records[index], observations, layout)
      next.storeBytes(
        of: touchroute_observed_touch(observations.records[index], touch, on: frame.screen),
        as: touchroute_observed_touch.self)
      next += MemoryLayout<touchroute_observed_touch>.stride
      if let target = observations.records[index].target {
        rest = rest.store(pathOf: target, touch.path, layout)
      }
      for link in observations.records[index].chain.prefix(touch.links) {
        rest = rest.store(observations.links[link], in: layout, pid: pid)
      }
    }
  }
}

/// How much room a touch of an observation takes.
private struct ObservedTouch {
  /// The bytes of its target's path; 0 where it is longer than a path may be.
  let path: Int
  /// How many of the responders of its chain are told: as many as fit, with the rest of the touch,
  /// into one message.
  private(set) var links = 0
  /// The bytes of all its parts.
  private(set) var bytes: Int

  private init(path: Int) {
    self.path = path
    bytes = MemoryLayout<touchroute_observed_touch>.stride + padded(path)
  }

  @inline(__always)
  static func size(
    of record: Observation.Record, _ observations: Observations, _ layout: Layout
  ) -> ObservedTouch {
    let length = record.target.map(layout.pathLength) ?? 0
    var touch = ObservedTouch(path: length <= Int(TOUCHROUTE_MAX_PATH) ? length : 0)
    let limit = Int(TOUCHROUTE_MAX_MESSAGE) - MemoryLayout<touchroute_observed>.size
    for index in record.chain {
      let path = pathOnWire(layout.path(of: observations.links[index].responder))
      let more = MemoryLayout<touchroute_chain_entry>.stride + padded(path.utf8.count)
      guard touch.bytes + more <= limit else { break }
      touch.bytes += more
      touch.links += 1
    }
    return touch
  }
}

extension touchroute_observed_touch {
  @inline(__always)
  fileprivate init(
    _ record: Observation.Record, _ size: ObservedTouch, on screen: ScreenIndex
  ) {
    self.init(
      id: record.id.rawValue, phase: record.phase.rawValue,
      cancel_reason: record.cancelReason?.rawValue ?? 0,
      discard_reason: record.discardReason?.rawValue ?? 0, reserved: 0,
      flags: record.flags.rawValue, tap_count: record.tapCount,
      screen: UInt32(bitPattern: screen.rawValue), path_size: UInt32(size.path),
      chain_count: UInt32(size.links), chain_total: UInt32(record.chain.count),
      screen_x: record.screenLocation.x, screen_y: record.screenLocation.y)
  }
}

extension UnsafeMutableRawPointer {
  /// Writes a responder of a chain, and returns where the next part goes.
  fileprivate func store(
    _ link: Observation.Link, in layout: Layout, pid: (ClientID) -> Int32
  ) -> UnsafeMutableRawPointer {
    let path = pathOnWire(layout.path(of: link.responder))
    storeBytes(
      of: touchroute_chain_entry(
        pid: link.client.map(pid) ?? 0, outcome: link.outcome.rawValue,
        phases: link.phases.rawValue,
        attachment: link.attachment?.rawValue ?? TOUCHROUTE_NONE, path_size: UInt32(path.utf8.count)
      ), as: touchroute_chain_entry.self)
    return (self + MemoryLayout<touchroute_chain_entry>.stride).store(path)
  }
}
