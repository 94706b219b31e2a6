import Layout
public import TouchModel

/// Keeping and declining touches. Rule R5.
extension Router {
  /// Takes note that a client keeps a touch that came through one of its attachments: it can't
  /// decline it there any more.
  public mutating func accept(
    _ touch: TouchID, through attachment: AttachmentID, by client: ClientID
  ) {
    var isKnown = false
    for index in devices.indices
    where devices[index].accept(touch, through: attachment, by: client) {
      isKnown = true
      closeFrame(ofDeviceAt: index)
    }
    if !isKnown { counters.unknownTouches += 1 }
    refreshDeadline()
  }

  /// Takes a client's word that it does not want a touch that came through one of its attachments.
  /// That attachment gets nothing more of it, and the next responder up the chain gets it replayed:
  /// `began`, the moves kept meanwhile, and `ended` if it has ended. Where there is none, the touch
  /// is discarded.
  ///
  /// - Returns: Whether the attachment is out of the touch; false where it does not have it, or may
  ///   decline it any more.
  @discardableResult
  public mutating func decline(
    _ touch: TouchID, through attachment: AttachmentID, by client: ClientID, at time: Timestamp,
    into deliveries: inout Deliveries
  ) -> Bool {
    for index in devices.indices {
      switch devices[index].decline(touch, through: attachment, by: client, at: time) {
      case .unknown: break
      case .late:
        counters.lateDeclines += 1
        return false
      case .done(let place):
        handOver(touchAt: place, onDeviceAt: index, at: time, into: &deliveries)
        refreshDeadline()
        return true
      }
    }
    counters.unknownTouches += 1
    return false
  }

  /// Takes silence until now for consent. To be called when ``nextDeadline`` is reached; a frame of
  /// that time or later does it too.
  public mutating func advance(to time: Timestamp) {
    guard let deadline = nextDeadline, deadline <= time else { return }
    for index in devices.indices {
      devices[index].settle(at: time)
      closeFrame(ofDeviceAt: index)
    }
    refreshDeadline()
  }

  /// Brings ``nextDeadline`` up to date.
  mutating func refreshDeadline() {
    nextDeadline = nil
    for device in devices {
      guard let deadline = device.nextDeadline else { continue }
      nextDeadline = min(nextDeadline ?? deadline, deadline)
    }
  }

  private mutating func handOver(
    touchAt place: Int, onDeviceAt index: Int, at time: Timestamp,
    into deliveries: inout Deliveries
  ) {
    devices[index].open(time: time)
    let deadline = time.adding(milliseconds: options.decisionTimeoutMilliseconds)
    let isGranted = devices[index].redistribute(touchAt: place, deadline: deadline)
    if isGranted {
      counters.handedOver += 1
      devices[index].replay(touchAt: place, sequence: &sequence, into: &deliveries)
      devices[index].finishReplay(ofTouchAt: place)
    }
    let isHad = devices[index].shares.contains { $0.place == place && $0.isActive }
    if isObserved {
      observeDecline(
        ofTouchAt: place, onDeviceAt: index, isHad: isHad, into: &deliveries.observations)
    }
    if !isHad {
      counters[.declined] += 1
      devices[index].discard(touchAt: place, .declined)
    }
    closeFrame(ofDeviceAt: index)
  }
}
