import CTouchroute
import Layout
import Routing
import TouchModel

extension OutgoingQueue {
  /// Appends one frame as it was routed; in several messages where it is larger than one may be.
  /// `pid` gives a client's process. False where the queue has overflowed.
  ///
  /// Rule F7: a touch of a secure view has no location.
  mutating func append(
    _ observation: Observation, layout: Layout, pid: (ClientID) -> Int32
  ) -> Bool {
    let touches = observation.records.map { record in
      ObservedTouch(record, screen: observation.screen, layout: layout, pid: pid)
    }
    var rest = touches[...]
    while !rest.isEmpty {
      var room = Int(TOUCHROUTE_MAX_MESSAGE) - MemoryLayout<touchroute_observed>.size
      let part = rest.prefix { touch in
        room -= touch.size
        return room >= 0
      }
      rest = rest.dropFirst(part.count)
      guard append(part, of: observation, isLast: rest.isEmpty) else { return false }
    }
    return true
  }

  private mutating func append(
    _ touches: ArraySlice<ObservedTouch>, of observation: Observation, isLast: Bool
  ) -> Bool {
    let size = touches.reduce(MemoryLayout<touchroute_observed>.size) { $0 + $1.size }
    guard var place = append(size) else { return false }
    let message = touchroute_observed(
      header: messageHeader(TOUCHROUTE_OBSERVED, size: size, more: !isLast),
      time_us: observation.time.microseconds, sequence: observation.sequence,
      device: observation.device.rawValue, touch_count: UInt32(touches.count))
    place.storeBytes(of: message, as: touchroute_observed.self)
    place += MemoryLayout<touchroute_observed>.size
    for touch in touches {
      place.storeBytes(of: touch.record, as: touchroute_observed_touch.self)
      place += MemoryLayout<touchroute_observed_touch>.stride
    }
    for touch in touches { place = touch.storeTrailingParts(at: place) }
    return true
  }
}

/// One touch of an observation, as the wire has it.
private struct ObservedTouch {
  var record: touchroute_observed_touch
  var path: String
  var chain: [(entry: touchroute_chain_entry, path: String)] = []
  /// The bytes of all its parts.
  private(set) var size: Int

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
    let room = Int(TOUCHROUTE_MAX_MESSAGE) - MemoryLayout<touchroute_observed>.size
    for link in observed.chain {
      let path = pathOnWire(layout.path(of: link.responder))
      let more = MemoryLayout<touchroute_chain_entry>.stride + padded(path.utf8.count)
      guard size + more <= room else { break }
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
    var place = start.store(path)
    for (entry, path) in chain {
      place.storeBytes(of: entry, as: touchroute_chain_entry.self)
      place = (place + MemoryLayout<touchroute_chain_entry>.stride).store(path)
    }
    return place
  }
}
