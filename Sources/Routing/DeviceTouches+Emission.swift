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
        if shares[end].phases.contains(TouchPhases(phase)) {
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
      guard phases.contains(bit), shares[index].phases.contains(bit) else { continue }
      records.append(record(of: index, phase: phase))
    }
  }

  private func phase(of share: Share) -> TouchPhase {
    share.cancelReason == nil ? touches[share.place].phase : .cancelled
  }

  private func record(of index: Int, phase: TouchPhase) -> Deliveries.Record {
    let share = shares[index]
    let touch = touches[share.place]
    return Deliveries.Record(
      id: touch.id,
      time: share.cancelReason == nil ? touch.time : max(touch.time, time),
      attachment: share.attachment, target: share.target, targetIndex: share.targetIndex,
      phase: phase, cancelReason: share.cancelReason ?? touch.cancelReason, phases: share.phases,
      flags: touch.flags, tapCount: touch.tapCount, screen: touch.screen, location: touch.location,
      previousLocation: touch.previousLocation, windowLocation: touch.windowLocation,
      screenLocation: touch.screenLocation)
  }
}
