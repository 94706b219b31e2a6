import TouchModel

extension DeviceTouches {
  /// Why the touch at a place is cancelled for everybody with the frame at hand, if it is.
  func cancelReasonOfAllShares(at place: Int) -> CancelReason? {
    var reason: CancelReason?
    for share in shares where share.place == place && share.isActive {
      guard let own = share.cancelReason else { return nil }
      reason = own
    }
    return reason
  }

  /// The touches that a client gets, each counted once.
  func touchCount(of client: ClientID) -> Int {
    var count = 0
    var latest: TouchID?
    for share in shares
    where share.client == client && !share.hears.isEmpty && share.touch != latest {
      count += 1
      latest = share.touch
    }
    return count
  }

  /// When silence becomes consent for the first touch of which it makes a difference. Rule R5.
  var nextDeadline: Timestamp? {
    var next: Timestamp?
    for share in shares where share.isActive && touches[share.place].keep != nil {
      guard let deadline = share.deadline else { continue }
      next = min(next ?? deadline, deadline)
    }
    return next
  }
}
