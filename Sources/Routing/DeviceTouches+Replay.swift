import TouchModel

/// What a touch was, for those who get it because somebody declined it. Rule R5.
extension DeviceTouches {
  /// Says to those who were granted something of the touch at a place what of it there was: its
  /// beginning, the moves that were kept and its end, each as a frame of its own. Between frames.
  func replay(touchAt place: Int, sequence: inout UInt64, into deliveries: inout Deliveries) {
    var touch = touches[place].replayed()
    emit(touch, at: place, sequence: &sequence, into: &deliveries)
    if let keep = touches[place].keep {
      for move in keeper[keep] {
        touch.phase = .moved
        if move.isCoalesced {
          touch.flags.insert(.coalesced)
        } else {
          touch.flags.remove(.coalesced)
        }
        touch.go(to: move.location, time: move.time)
        emit(touch, at: place, sequence: &sequence, into: &deliveries)
      }
    }
    guard touches[place].isLifted else { return }
    touch.phase = .ended
    touch.flags.remove(.coalesced)
    touch.go(to: touches[place].screenLocation, time: touches[place].time)
    emit(touch, at: place, sequence: &sequence, into: &deliveries)
  }

  /// Says one frame of a replay to each client that was granted its phase.
  private func emit(
    _ touch: LiveTouch, at place: Int, sequence: inout UInt64, into deliveries: inout Deliveries
  ) {
    sequence += 1
    var start = 0
    while start < shares.count {
      let client = shares[start].client
      var end = start
      var isMeant = false
      while end < shares.count, shares[end].client == client {
        isMeant = isMeant || isGranted(touch.phase, of: place, to: shares[end])
        end += 1
      }
      if isMeant { emit(touch, at: place, to: start..<end, sequence: sequence, into: &deliveries) }
      start = end
    }
  }

  /// Says one frame of a replay to the client of those shares; its other touches rest in it.
  private func emit(
    _ touch: LiveTouch, at place: Int, to group: Range<Int>, sequence: UInt64,
    into deliveries: inout Deliveries
  ) {
    let first = deliveries.records.count
    if touch.phase.isFinal { append(touch, at: place, to: group, into: &deliveries.records) }
    for index in group {
      if isGranted(touch.phase, of: place, to: shares[index]) {
        if touch.phase == .moved { deliveries.records.append(Self.record(shares[index], touch)) }
      } else if shares[index].hears.contains(.moved) {
        deliveries.records.append(Self.record(shares[index], touches[shares[index].place]))
      }
    }
    if touch.phase == .began { append(touch, at: place, to: group, into: &deliveries.records) }
    close(group, first: first, sequence: sequence, into: &deliveries)
  }

  private func append(
    _ touch: LiveTouch, at place: Int, to group: Range<Int>,
    into records: inout ReusableArray<Deliveries.Record>
  ) {
    for index in group where isGranted(touch.phase, of: place, to: shares[index]) {
      records.append(Self.record(shares[index], touch))
    }
  }

  private func isGranted(_ phase: TouchPhase, of place: Int, to share: Share) -> Bool {
    share.place == place && share.gained.contains(TouchPhases(phase))
  }
}
