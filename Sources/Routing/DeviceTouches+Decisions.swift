import Layout
import TouchModel

/// Who keeps a touch and who declines it. Rule R5.
extension DeviceTouches {
  /// What became of a decline.
  enum Decline: Equatable {
    /// The attachment does not have the touch, or is not the client's.
    case unknown
    /// It accepted the touch before, or the time is over.
    case late
    /// The attachment is out of the touch, which is at this place.
    case done(place: Int)
  }

  /// Takes a client's word that it keeps a touch; false where its attachment does not have it.
  mutating func accept(
    _ touch: TouchID, through attachment: AttachmentID, by client: ClientID
  ) -> Bool {
    guard let index = activeShare(of: touch, through: attachment, by: client) else { return false }
    shares[index].standing = .accepted
    setNeedsSweep()
    return true
  }

  /// Takes a client's word that it does not want a touch.
  mutating func decline(
    _ touch: TouchID, through attachment: AttachmentID, by client: ClientID, at time: Timestamp
  ) -> Decline {
    guard let index = activeShare(of: touch, through: attachment, by: client) else {
      return .unknown
    }
    guard let deadline = shares[index].deadline, time < deadline else { return .late }
    shares[index].retire(.declined)
    setNeedsSweep()
    return .done(place: shares[index].place)
  }

  private func activeShare(
    of touch: TouchID, through attachment: AttachmentID, by client: ClientID
  ) -> Int? {
    shares.firstIndex {
      $0.touch == touch && $0.attachment == attachment && $0.client == client && $0.isActive
    }
  }

  /// Takes silence until now for consent.
  mutating func settle(at time: Timestamp) {
    for index in shares.indices {
      guard let deadline = shares[index].deadline, deadline <= time else { continue }
      shares[index].standing = .accepted
      setNeedsSweep()
    }
  }

  /// Grants what a decline left free to those further up the chain, as ``Share/gained``; nothing
  /// where nobody would handle `began` then. Who is granted `began` gets the touch from its
  /// beginning, whatever of it was passed on to it before: what begins must end after that (rule
  /// T5). Who was passed the end already is granted nothing else. Returns whether somebody was
  /// granted something.
  mutating func redistribute(touchAt place: Int, deadline: Timestamp) -> Bool {
    var left = TouchPhases.all
    var position = 0
    var isHandled = false
    while let index = shares.firstIndex(where: { $0.place == place && $0.position == position }) {
      position += 1
      if !shares[index].stopsPhases { continue }
      if shares[index].standing != .gone {
        shares[index].gained = left.intersection(shares[index].handles)
          .subtracting(shares[index].phases)
        isHandled =
          isHandled
          || shares[index].phases.union(shares[index].gained).contains(.began)
      }
      left.subtract(shares[index].handles.subtracting(shares[index].passes))
    }
    var isGranted = false
    for index in shares.indices where shares[index].place == place && !shares[index].gained.isEmpty
    {
      let isOver = touches[place].isLifted && shares[index].phases.contains(.ended)
      guard isHandled, !isOver || shares[index].gained.contains(.began) else {
        shares[index].gained = []
        continue
      }
      isGranted = true
      shares[index].phases.formUnion(shares[index].gained)
      if shares[index].gained.contains(.began) { shares[index].gained = shares[index].phases }
      if shares[index].standing == .waiting { shares[index].standing = .undecided(until: deadline) }
    }
    return isGranted
  }

  /// Ends a replay: who was granted something gets it as it happens from now on.
  mutating func finishReplay(ofTouchAt place: Int) {
    for index in shares.indices where shares[index].place == place && !shares[index].gained.isEmpty
    {
      shares[index].gained = []
      shares[index].hears = touches[place].isLifted ? [] : shares[index].phases
    }
  }
}
