import TouchModel

extension DeviceTouches {
  /// Says the frame at hand to every client for which something changed. Rules T2 and T3.
  func emit(sequence: UInt64, into deliveries: inout Deliveries) {
    var start = 0
    while start < shares.count {
      let client = shares[start].client
      var end = start
      var phases: TouchPhases = []
      var hasChanged = false
      while end < shares.count, shares[end].client == client {
        let phase = phase(of: shares[end])
        if shares[end].hears.contains(TouchPhases(phase)) {
          phases.insert(TouchPhases(phase))
          hasChanged = hasChanged || phase != .stationary
        }
        end += 1
      }
      if hasChanged {
        emit(start..<end, having: phases, sequence: sequence, into: &deliveries)
      }
      start = end
    }
  }

  /// Says the frame at hand to the client of those shares: lifts, then moves and what rests, then
  /// begans.
  private func emit(
    _ group: Range<Int>, having phases: TouchPhases, sequence: UInt64,
    into deliveries: inout Deliveries
  ) {
    let first = deliveries.records.count
    if !phases.isDisjoint(with: [.ended, .cancelled]) {
      append(group, in: [.ended, .cancelled], to: &deliveries.records)
    }
    if phases.contains(.moved) { append(group, in: .moved, to: &deliveries.records) }
    if phases.contains(.began) { append(group, in: .began, to: &deliveries.records) }
    close(group, first: first, sequence: sequence, into: &deliveries)
  }

  /// Makes a message of the records from `first` on.
  func close(
    _ group: Range<Int>, first: Int, sequence: UInt64, into deliveries: inout Deliveries
  ) {
    deliveries.entries.append(
      .frame(
        Deliveries.ClientFrame(
          client: shares[group.lowerBound].client, device: device, time: time, sequence: sequence,
          records: first..<deliveries.records.count)))
  }

  private func append(
    _ group: Range<Int>, in phases: TouchPhases, to records: inout [Deliveries.Record]
  ) {
    for index in group {
      let phase = phase(of: shares[index])
      let bit = TouchPhases(phase)
      guard phases.contains(bit), shares[index].hears.contains(bit) else { continue }
      var record = Self.record(shares[index], touches[shares[index].place])
      if let reason = shares[index].cancelReason {
        record.phase = .cancelled
        record.cancelReason = reason
        record.time = max(record.time, time)
      }
      records.append(record)
    }
  }

  private func phase(of share: Share) -> TouchPhase {
    share.cancelReason == nil ? touches[share.place].phase : .cancelled
  }

  /// A touch as a share's attachment sees it.
  static func record(_ share: Share, _ touch: LiveTouch) -> Deliveries.Record {
    Deliveries.Record(
      id: touch.id, time: touch.time, attachment: share.attachment, target: share.target,
      targetIndex: share.targetIndex, phase: touch.phase, cancelReason: touch.cancelReason,
      phases: share.phases, flags: touch.flags, tapCount: touch.tapCount, screen: touch.screen,
      location: touch.location, previousLocation: touch.previousLocation,
      windowLocation: touch.windowLocation, screenLocation: touch.screenLocation)
  }
}
