import Layout
import TouchModel

/// Who keeps a touch and who declines it. Rule R5.
extension DeviceTouches {
  /// What became of a decline.
  enum Decline: Equatable {
    /// The client does not have the touch.
    case unknown
    /// It accepted the touch before, or the time is over.
    case late
    /// It is out of the touch.
    case done
  }

  /// Takes a client's word that it keeps a touch; false where it does not have it.
  mutating func accept(_ touch: TouchID, by client: ClientID) -> Bool {
    var isKnown = false
    for index in shares.indices
    where shares[index].touch == touch && shares[index].client == client && shares[index].isActive {
      isKnown = true
      shares[index].standing = .accepted
      setNeedsSweep()
    }
    return isKnown
  }

  /// Takes a client's word that it does not want the touch at a place.
  mutating func decline(touchAt place: Int, by client: ClientID, at time: Timestamp) -> Decline {
    var result = Decline.unknown
    for index in shares.indices
    where shares[index].place == place && shares[index].client == client && shares[index].isActive {
      if let deadline = shares[index].deadline, time < deadline {
        shares[index].retire(.declined)
        setNeedsSweep()
        result = .done
      } else if result == .unknown {
        result = .late
      }
    }
    return result
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
  /// where nobody would handle `began` then. Returns whether somebody was granted something.
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
      guard isHandled else {
        shares[index].gained = []
        continue
      }
      isGranted = true
      shares[index].phases.formUnion(shares[index].gained)
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
