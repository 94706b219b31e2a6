import TouchModel

/// Says what a touch was to those who get it because somebody declined it: its beginning, the moves
/// that were kept and its end, each as a frame of its own, between those of the device. Rule R5.
struct Replay {
  /// The index of the touch in ``DeviceTouches``.
  let index: Int
  let device: DeviceID
  /// The frames'.
  let time: Timestamp

  /// Writes the frames.
  ///
  /// - Parameters:
  ///   - moves: Those that were kept.
  ///   - touches: The device's, as they are now: they rest meanwhile, and those that begin with the
  ///     frame at hand are not there yet.
  ///   - shares: Who gets them; of those that were granted something, ``Share/gained`` says what.
  ///   - sequence: The number of the latest frame.
  ///   - deliveries: The messages are added to it.
  func write(
    _ moves: [MoveBuffers.Move], _ touches: ReusableList<LiveTouch>, _ shares: ReusableList<Share>,
    sequence: inout UInt64, into deliveries: Deliveries
  ) {
    var touch = touches[index].replayed()
    write(touch, touches, shares, sequence: &sequence, into: deliveries)
    for move in moves {
      touch.replay(move)
      write(touch, touches, shares, sequence: &sequence, into: deliveries)
    }
    guard touches[index].isLifted else { return }
    touch.replayEnd(of: touches[index])
    write(touch, touches, shares, sequence: &sequence, into: deliveries)
  }

  /// Writes one frame, to each client that was granted its phase.
  private func write(
    _ touch: LiveTouch, _ touches: ReusableList<LiveTouch>, _ shares: ReusableList<Share>,
    sequence: inout UInt64, into deliveries: Deliveries
  ) {
    sequence += 1
    let frame = FrameWriter(device: device, time: time, sequence: sequence)
    var start = 0
    while start < shares.count {
      let client = shares[start].client
      var end = start
      var isMeant = false
      while end < shares.count, shares[end].client == client {
        isMeant = isMeant || isGranted(touch.phase, to: shares[end])
        end += 1
      }
      if isMeant {
        let first = deliveries.records.count
        write(touch, touches, shares, start..<end, into: deliveries.records)
        frame.finish(client, from: first, in: deliveries)
      }
      start = end
    }
  }

  /// Writes one client's records of a frame; its other touches rest in it. Rule T3.
  private func write(
    _ touch: LiveTouch, _ touches: ReusableList<LiveTouch>, _ shares: ReusableList<Share>,
    _ group: Range<Int>,
    into records: ReusableList<Deliveries.Record>
  ) {
    if touch.phase.isFinal { write(touch, shares, group, into: records) }
    for share in group {
      if isGranted(touch.phase, to: shares[share]) {
        if touch.phase == .moved { records.append(Deliveries.Record(shares[share], touch)) }
      } else if shares[share].hears.contains(.moved) {
        let other = touches[shares[share].touchIndex]
        if other.phase == .began { continue }
        records.append(Deliveries.Record(shares[share], other.rested()))
      }
    }
    if touch.phase == .began { write(touch, shares, group, into: records) }
  }

  private func write(
    _ touch: LiveTouch, _ shares: ReusableList<Share>, _ group: Range<Int>,
    into records: ReusableList<Deliveries.Record>
  ) {
    for share in group where isGranted(touch.phase, to: shares[share]) {
      records.append(Deliveries.Record(shares[share], touch))
    }
  }

  private func isGranted(_ phase: TouchPhase, to share: Share) -> Bool {
    share.touchIndex == index && share.gained.contains(TouchPhases(phase))
  }
}
