import TouchModel

/// Writes frames of one device as messages: to each client for which something changed, with all of
/// its live touches. Rules T2 and T3.
struct FrameWriter {
  let device: DeviceID
  /// The frame's.
  let time: Timestamp
  let sequence: UInt64

  /// Writes the frame at hand.
  ///
  /// - Parameters:
  ///   - touches: The device's, as the frame left them.
  ///   - shares: Who gets them, client by client.
  ///   - deliveries: The messages are added to it.
  @inline(__always)
  func write(
    _ touches: ReusableList<LiveTouch>, _ shares: ReusableList<Share>,
    into deliveries: Deliveries
  ) {
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
        let phase = Self.phase(of: shares[end], touches[shares[end].touchIndex])
        let bit = TouchPhases(phase)
        if shares[end].hears.contains(bit) {
          phases.formUnion(bit)
          hasChanged = hasChanged || phase != .stationary
          write(shares[end], touches[shares[end].touchIndex], to: records + count)
          count += 1
        }
        end += 1
      }
      let isSaid = hasChanged && Self.isInOrder(phases)
      deliveries.records.truncate(to: isSaid ? first + count : first)
      if hasChanged {
        if !isSaid { sort(touches, shares, start..<end, having: phases, into: deliveries.records) }
        finish(client, from: first, in: deliveries)
      }
      start = end
    }
  }

  /// Makes a message to a client of the records from `first` on.
  @inline(__always)
  func finish(_ client: ClientID, from first: Int, in deliveries: Deliveries) {
    deliveries.entries.append(
      .frame(
        Deliveries.ClientFrame(
          client: client, device: device, time: time, sequence: sequence,
          records: first..<deliveries.records.count)))
  }

  /// Whether touches with those phases may be written in the order in which they began.
  private static func isInOrder(_ phases: TouchPhases) -> Bool {
    phases == .moved || phases == .began || phases.isSubset(of: [.ended, .cancelled])
  }

  /// Writes some of the shares in order: lifts, then moves and what rests, then begans.
  private func sort(
    _ touches: ReusableList<LiveTouch>, _ shares: ReusableList<Share>, _ group: Range<Int>,
    having phases: TouchPhases, into records: ReusableList<Deliveries.Record>
  ) {
    for part: TouchPhases in [[.ended, .cancelled], .moved, .began]
    where !part.isDisjoint(with: phases) {
      for index in group {
        let bit = TouchPhases(Self.phase(of: shares[index], touches[shares[index].touchIndex]))
        if part.contains(bit), shares[index].hears.contains(bit) {
          write(shares[index], touches[shares[index].touchIndex], to: records.extend(by: 1))
        }
      }
    }
  }

  /// Writes a touch as a share's attachment sees it in the frame at hand.
  @inline(__always)
  private func write(
    _ share: Share, _ touch: LiveTouch, to record: UnsafeMutablePointer<Deliveries.Record>
  ) {
    record.initialize(to: Deliveries.Record(share, touch))
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
}

extension Deliveries.Record {
  /// A touch as a share's attachment sees it.
  @inline(__always)
  init(_ share: Share, _ touch: LiveTouch) {
    self.init(
      id: touch.id, time: touch.time, attachment: share.attachment.id, target: share.target,
      targetIndex: share.targetIndex, namesTarget: !share.isTold || touch.phase == .began,
      phase: touch.phase, cancelReason: touch.cancelReason, phases: share.phases,
      flags: touch.flags, tapCount: touch.tapCount, screen: touch.screen,
      location: touch.position.location, previousLocation: touch.position.previousLocation,
      windowLocation: touch.position.windowLocation, screenLocation: touch.screenLocation,
      wantsHistory: share.attachment.wantsHistory)
  }
}
