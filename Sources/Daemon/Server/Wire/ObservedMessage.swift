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

  /// The first of the messages for a frame's touches from a record on: with as many as fit.
  ///
  /// - Parameter pid: A client's process.
  init(
    _ frame: Observation, from first: Int, of observations: Observations, in layout: Layout,
    pid: @escaping (ClientID) -> Int32
  ) {
    let records = observations.records
    var size = MemoryLayout<touchroute_observed>.size
    var end = first
    while end < frame.records.upperBound {
      let more = ObservedTouch(records[end], of: frame, observations, layout).bytes
      if size + more > Int(TOUCHROUTE_MAX_MESSAGE) { break }
      size += more
      end += 1
    }
    (self.observations, self.frame, self.layout, self.pid) = (observations, frame, layout, pid)
    self.records = first..<end
    self.size = size
  }

  /// Whether the frame goes on in another message.
  var continues: Bool { records.upperBound < frame.records.upperBound }

  /// It and those that its frame goes on in.
  var all: [ObservedMessage] {
    var messages = [self]
    while let last = messages.last, last.continues {
      messages.append(
        ObservedMessage(
          frame, from: last.records.upperBound, of: observations, in: layout, pid: pid))
    }
    return messages
  }

  func write(to start: UnsafeMutableRawPointer) {
    start.storeBytes(
      of: touchroute_observed(
        header: touchroute_header(TOUCHROUTE_OBSERVED, size: size, more: continues),
        time_us: frame.time.microseconds, sequence: frame.sequence,
        device: frame.device.rawValue, touch_count: UInt32(records.count)),
      as: touchroute_observed.self)
    let all = observations.records
    var next = start + MemoryLayout<touchroute_observed>.size
    var rest = next + records.count * MemoryLayout<touchroute_observed_touch>.stride
    for index in records {
      let touch = ObservedTouch(all[index], of: frame, observations, layout)
      next.storeBytes(
        of: touchroute_observed_touch(all[index], touch, on: frame.screen),
        as: touchroute_observed_touch.self)
      next += MemoryLayout<touchroute_observed_touch>.stride
      if let target = all[index].target { rest = rest.store(pathOf: target, touch.path, layout) }
      if touch.links > 0 { rest = store(touch.links, of: all[index], to: rest) }
    }
  }

  /// Writes so many responders of a touch's chain, and returns where the next part goes.
  private func store(
    _ count: Int, of record: Observation.Record, to rest: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    observations.chain(of: record, in: frame).prefix(count).reduce(rest) { rest, link in
      rest.store(link, in: layout, pid: link.client.map(pid) ?? 0)
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

  @inline(__always)
  init(
    _ record: Observation.Record, of frame: Observation, _ observations: Observations,
    _ layout: Layout
  ) {
    var length = 0
    if let target = record.target { length = layout.pathLength(of: target) }
    path = length <= Int(TOUCHROUTE_MAX_PATH) ? length : 0
    bytes = MemoryLayout<touchroute_observed_touch>.stride + padded(path)
    if record.linkCount > 0 { add(observations.chain(of: record, in: frame), layout) }
  }

  private mutating func add(_ chain: some Sequence<Observation.Link>, _ layout: Layout) {
    let limit = Int(TOUCHROUTE_MAX_MESSAGE) - MemoryLayout<touchroute_observed>.size
    for link in chain {
      let path = pathOnWire(layout.path(of: link.responder))
      let more = MemoryLayout<touchroute_chain_entry>.stride + padded(path.utf8.count)
      guard bytes + more <= limit else { break }
      bytes += more
      links += 1
    }
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
      chain_count: UInt32(size.links), chain_total: record.linkCount,
      screen_x: record.screenLocation.x, screen_y: record.screenLocation.y)
  }
}

extension UnsafeMutableRawPointer {
  /// Writes a responder of a chain, and returns where the next part goes.
  fileprivate func store(
    _ link: Observation.Link, in layout: Layout, pid: Int32
  ) -> UnsafeMutableRawPointer {
    let path = pathOnWire(layout.path(of: link.responder))
    storeBytes(
      of: touchroute_chain_entry(
        pid: pid, outcome: link.outcome.rawValue,
        phases: link.phases.rawValue,
        attachment: link.attachment?.rawValue ?? TOUCHROUTE_NONE, path_size: UInt32(path.utf8.count)
      ), as: touchroute_chain_entry.self)
    return (self + MemoryLayout<touchroute_chain_entry>.stride).store(path)
  }
}
