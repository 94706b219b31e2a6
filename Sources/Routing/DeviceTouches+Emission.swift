import TouchModel

extension DeviceTouches {
  /// Says the frame at hand to every client for which something changed. Rules T2 and T3.
  ///
  /// Changes nothing; mutating because the device would be copied otherwise, for its place in an
  /// array.
  mutating func emit(sequence: UInt64, into deliveries: inout Deliveries) {
    let shares = self.shares.span
    let touches = self.touches.span
    var start = 0
    while start < shares.count {
      let client = shares[start].client
      let first = deliveries.records.count
      let records = deliveries.records.extend(by: shares.count - start)
      var count = 0
      var end = start
      var phases: TouchPhases = []
      var hasChanged = false
      // As if all were of one phase, or all moved or rest, as nearly always.
      while end < shares.count, shares[end].client == client {
        let phase = Self.phase(of: shares[end], touches[shares[end].place])
        let bit = TouchPhases(phase)
        if shares[end].hears.contains(bit) {
          phases.formUnion(bit)
          hasChanged = hasChanged || phase != .stationary
          Self.write(shares[end], touches[shares[end].place], at: time, to: records + count)
          count += 1
        }
        end += 1
      }
      let isSaid = hasChanged && Self.isInOrder(phases)
      deliveries.records.truncate(to: isSaid ? first + count : first)
      if hasChanged, !isSaid { append(start..<end, having: phases, to: &deliveries.records) }
      if hasChanged { close(start..<end, first: first, sequence: sequence, into: &deliveries) }
      start = end
    }
  }

  /// Whether touches with those phases may be said in the order in which they began.
  private static func isInOrder(_ phases: TouchPhases) -> Bool {
    phases == .moved || phases == .began || phases.isSubset(of: [.ended, .cancelled])
  }

  /// Says the frame at hand of those shares: lifts, then moves and what rests, then begans.
  private func append(
    _ group: Range<Int>, having phases: TouchPhases,
    to records: inout ReusableArray<Deliveries.Record>
  ) {
    for part: TouchPhases in [[.ended, .cancelled], .moved, .began]
    where !part.isDisjoint(with: phases) {
      for index in group {
        let touch = touches[shares[index].place]
        let bit = TouchPhases(Self.phase(of: shares[index], touch))
        if part.contains(bit), shares[index].hears.contains(bit) {
          Self.write(shares[index], touch, at: time, to: records.extend(by: 1))
        }
      }
    }
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

  /// Writes a touch as a share's attachment sees it in the frame at hand. Beside the device and not
  /// of it, as a device that is being changed would be copied for every call.
  @inline(__always)
  private static func write(
    _ share: Share, _ touch: LiveTouch, at time: Timestamp,
    to record: UnsafeMutablePointer<Deliveries.Record>
  ) {
    record.initialize(to: Self.record(share, touch))
    if let reason = share.cancelReason {
      record.pointee.phase = .cancelled
      record.pointee.cancelReason = reason
      record.pointee.time = max(touch.time, time)
    }
  }

  @inline(__always)
  private static func phase(of share: Share, _ touch: LiveTouch) -> TouchPhase {
    share.cancelReason == nil ? touch.phase : .cancelled
  }

  /// A touch as a share's attachment sees it.
  @inline(__always)
  static func record(_ share: Share, _ touch: LiveTouch) -> Deliveries.Record {
    Deliveries.Record(
      id: touch.id, time: touch.time, attachment: share.attachment, target: share.target,
      targetIndex: share.targetIndex, phase: touch.phase, cancelReason: touch.cancelReason,
      phases: share.phases, flags: touch.flags, tapCount: touch.tapCount, screen: touch.screen,
      location: touch.location, previousLocation: touch.previousLocation,
      windowLocation: touch.windowLocation, screenLocation: touch.screenLocation)
  }
}
