import CTouchroute
import Layout
import Routing
import TouchModel

/// A frame as it was routed, or a part of it where it is larger than a message may be.
///
/// Rule F7: a touch of a secure view has no location.
struct ObservedMessage: OutgoingMessage {
  private let fixed: touchroute_observed
  private let touches: ArraySlice<ObservedTouch>
  let size: Int

  /// An observation in as many messages as it needs.
  ///
  /// - Parameter pid: A client's process.
  static func messages(
    of observation: Observation, in layout: Layout, pid: (ClientID) -> Int32
  ) -> [ObservedMessage] {
    let touches = observation.records.map { record in
      ObservedTouch(record, screen: observation.screen, layout: layout, pid: pid)
    }
    var messages: [ObservedMessage] = []
    var rest = touches[...]
    while !rest.isEmpty {
      var space = ObservedTouch.largestSize
      let part = rest.prefix { touch in
        space -= touch.size
        return space >= 0
      }
      rest = rest.dropFirst(part.count)
      messages.append(ObservedMessage(part, of: observation, isLast: rest.isEmpty))
    }
    return messages
  }

  private init(_ touches: ArraySlice<ObservedTouch>, of observation: Observation, isLast: Bool) {
    self.touches = touches
    size = touches.reduce(MemoryLayout<touchroute_observed>.size) { $0 + $1.size }
    fixed = touchroute_observed(
      header: touchroute_header(TOUCHROUTE_OBSERVED, size: size, more: !isLast),
      time_us: observation.time.microseconds, sequence: observation.sequence,
      device: observation.device.rawValue, touch_count: UInt32(touches.count))
  }

  func write(to start: UnsafeMutableRawPointer) {
    start.storeBytes(of: fixed, as: touchroute_observed.self)
    var next = start + MemoryLayout<touchroute_observed>.size
    for touch in touches {
      next.storeBytes(of: touch.record, as: touchroute_observed_touch.self)
      next += MemoryLayout<touchroute_observed_touch>.stride
    }
    for touch in touches { next = touch.storeTrailingParts(at: next) }
  }
}

/// One touch of an observation, as the wire has it.
private struct ObservedTouch {
  var record: touchroute_observed_touch
  var path: String
  var chain: [(entry: touchroute_chain_entry, path: String)] = []
  /// The bytes of all its parts.
  private(set) var size: Int

  /// The most bytes that the touches of one message have.
  static let largestSize = Int(TOUCHROUTE_MAX_MESSAGE) - MemoryLayout<touchroute_observed>.size

  /// As much of the chain is kept as fits, with the rest of the touch, into one message.
  init(
    _ observed: Observation.Record, screen: ScreenIndex, layout: Layout, pid: (ClientID) -> Int32
  ) {
    let isSecure = observed.flags.contains(.secure)
    let location = observed.screenLocation
    path = observed.target.map { pathOnWire(layout.path(of: $0)) } ?? ""
    record = touchroute_observed_touch(
      id: observed.id.rawValue, phase: observed.phase.rawValue,
      cancel_reason: observed.cancelReason?.rawValue ?? 0,
      discard_reason: observed.discardReason?.rawValue ?? 0, reserved: 0,
      flags: observed.flags.rawValue, tap_count: observed.tapCount,
      screen: UInt32(bitPattern: screen.rawValue), path_size: UInt32(path.utf8.count),
      chain_count: 0, chain_total: UInt32(observed.chain.count),
      screen_x: isSecure ? .nan : location.x, screen_y: isSecure ? .nan : location.y)
    size = MemoryLayout<touchroute_observed_touch>.stride + padded(path.utf8.count)
    for link in observed.chain {
      let path = pathOnWire(layout.path(of: link.responder))
      let more = MemoryLayout<touchroute_chain_entry>.stride + padded(path.utf8.count)
      guard size + more <= Self.largestSize else { break }
      size += more
      let entry = touchroute_chain_entry(
        pid: link.client.map(pid) ?? 0, outcome: link.outcome.rawValue,
        phases: link.phases.rawValue, attachment: link.attachment?.rawValue ?? TOUCHROUTE_NONE,
        path_size: UInt32(path.utf8.count))
      chain.append((entry, path))
    }
    record.chain_count = UInt32(chain.count)
  }

  /// Writes the path and the chain, and returns where the next touch's go.
  func storeTrailingParts(at start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    var next = start.store(path)
    for (entry, path) in chain {
      next.storeBytes(of: entry, as: touchroute_chain_entry.self)
      next = (next + MemoryLayout<touchroute_chain_entry>.stride).store(path)
    }
    return next
  }
}
