import Layout
import TouchModel

/// The shares of one device's touches: client by client, in the order in which their first touch
/// came, and of one client by touch, so that a client's message is one stretch of them.
final class ShareList {
  /// What became of a decline.
  enum Decline {
    /// The attachment does not have the touch, or is not the client's.
    case unknown
    /// It accepted the touch before, or the time is over.
    case late
    /// The attachment is out of the touch.
    case done
  }

  let shares = ReusableList<Share>()
  /// Whether somebody who gets something of a touch was not told its target's path yet, as few are
  /// whom `began` is not granted.
  private(set) var hasUntold = false

  /// Takes a share in, behind its client's others of older touches.
  @inline(__always)
  func insert(_ share: Share) {
    hasUntold = hasUntold || share.isUntold
    guard let first = shares.firstIndex(where: { $0.client == share.client }) else {
      return shares.append(share)
    }
    var index = first
    while index < shares.count, shares[index].client == share.client,
      shares[index].touch <= share.touch
    {
      index += 1
    }
    shares.insert(share, at: index)
  }

  // MARK: Naming targets

  /// Marks who was told the path of a target with the records from there on, and leaves it out
  /// where it was told with an earlier one of them.
  func noteTold(
    with records: ReusableList<Deliveries.Record>, from first: Int
  ) {
    for record in first..<records.count where records[record].namesTarget {
      let (touch, attachment) = (records[record].id, records[record].attachment)
      let index = shares.firstIndex { $0.touch == touch && $0.attachment.id == attachment }
      guard let index else { continue }
      if shares[index].isTold, records[record].phase != .began {
        records[record].namesTarget = false
      }
      shares[index].noteTold()
    }
    hasUntold = shares.contains(where: \.isUntold)
  }

  // MARK: Deciding, rule R5

  /// Takes a client's word that it keeps a touch; false where its attachment does not have it.
  func accept(
    _ touch: TouchID, through attachment: AttachmentID, by client: ClientID
  ) -> Bool {
    guard let index = activeIndex(of: touch, through: attachment, by: client) else { return false }
    shares[index].accept()
    return true
  }

  /// Takes a client's word that it does not want a touch.
  func decline(
    _ touch: TouchID, through attachment: AttachmentID, by client: ClientID, at time: Timestamp
  ) -> Decline {
    guard let index = activeIndex(of: touch, through: attachment, by: client) else {
      return .unknown
    }
    guard let deadline = shares[index].deadline, time < deadline else { return .late }
    shares[index].decline()
    return .done
  }

  /// Takes silence until now for consent; false where nobody's time was over.
  func settle(at time: Timestamp) -> Bool {
    var isSettled = false
    for index in shares.indices {
      guard let deadline = shares[index].deadline, deadline <= time else { continue }
      shares[index].accept()
      isSettled = true
    }
    return isSettled
  }

  /// Grants what a decline left free to those further up the chain, as ``Share/gained``; nothing
  /// where nobody would handle `began` then. Who is granted `began` gets the touch from its
  /// beginning, whatever of it was passed on to it before: what begins must end after that (rule
  /// T5). Who was passed the end already is granted nothing else.
  ///
  /// - Parameters:
  ///   - index: The touch's in ``DeviceTouches``.
  ///   - isLifted: Whether it has ended.
  ///   - deadline: Until when those who get it now may decline it.
  /// - Returns: Whether somebody was granted something.
  func grantFurther(touchAt index: Int, isLifted: Bool, deadline: Timestamp) -> Bool {
    let isHandled = offerFurther(touchAt: index)
    var isGranted = false
    for share in shares.indices
    where shares[share].touchIndex == index && !shares[share].gained.isEmpty {
      let isOver = isLifted && shares[share].phases.contains(.ended)
      guard isHandled, !isOver || shares[share].gained.contains(.began) else {
        shares[share].forgetGained()
        continue
      }
      isGranted = true
      shares[share].keepGained(deadline: deadline)
    }
    return isGranted
  }

  /// Walks a touch's shares up the chain once more, as rule R4 does; returns whether somebody
  /// handles `began`.
  private func offerFurther(touchAt index: Int) -> Bool {
    var left = TouchPhases.all
    var position = 0
    var isHandled = false
    while let share = shares.firstIndex(where: {
      $0.touchIndex == index && $0.position == position
    }) {
      position += 1
      if !shares[share].stopsPhases { continue }
      shares[share].gain(&left)
      if shares[share].standing != .gone {
        isHandled =
          isHandled || shares[share].phases.union(shares[share].gained).contains(.began)
      }
    }
    return isHandled
  }

  /// Ends a replay: who was granted something gets it as it happens from now on.
  func finishReplay(ofTouchAt index: Int, isLifted: Bool) {
    for share in shares.indices
    where shares[share].touchIndex == index && !shares[share].gained.isEmpty {
      shares[share].finishReplay(isLifted: isLifted)
    }
  }

  /// When silence becomes consent for the first of those touches of which it makes a difference.
  func earliestDeadline(where canBeDeclined: (Int) -> Bool) -> Timestamp? {
    var earliest: Timestamp?
    for share in shares where share.isActive && canBeDeclined(share.touchIndex) {
      guard let deadline = share.deadline else { continue }
      earliest = min(earliest ?? deadline, deadline)
    }
    return earliest
  }

  // MARK: Held back for recognizers, rule G11

  /// Says nothing of a touch until ``release(touchAt:deadline:)``.
  func holdBack(touchAt index: Int) {
    for share in shares.indices where shares[share].touchIndex == index { shares[share].holdBack() }
  }

  /// Grants all of a touch that was held back to those who have a part in it.
  func release(touchAt index: Int, deadline: Timestamp) {
    for share in shares.indices where shares[share].touchIndex == index {
      shares[share].release(deadline: deadline)
    }
  }

  // MARK: Ending

  /// Cancels the shares that fulfil the condition with the frame at hand; those of touches that
  /// were lifted, or that only wait, are dropped without a word. Nil where no share is meant;
  /// otherwise whether there is something to say.
  func cancel(
    _ reason: CancelReason, where isMeant: (Share) -> Bool, isLifted: (Int) -> Bool
  ) -> Bool? {
    var isSaid: Bool?
    for index in shares.indices where isMeant(shares[index]) {
      if shares[index].isActive, !isLifted(shares[index].touchIndex) {
        shares[index].cancel(reason)
        isSaid = true
      } else {
        shares[index].drop()
        isSaid = isSaid ?? false
      }
    }
    return isSaid
  }

  /// Drops the shares that fulfil the condition without a word; returns whether there were any.
  func drop(where isMeant: (Share) -> Bool) -> Bool {
    var isDropped = false
    for index in shares.indices where isMeant(shares[index]) {
      shares[index].drop()
      isDropped = true
    }
    return isDropped
  }

  /// Says nothing more of a touch that was lifted, and may yet be declined.
  func mute(touchAt index: Int) {
    for share in shares.indices where shares[share].touchIndex == index { shares[share].mute() }
  }

  /// Forgets the shares of a touch that have no part in it.
  func removeInactive(touchAt index: Int) {
    shares.removeAll { $0.touchIndex == index && !$0.isActive }
  }

  /// Forgets all shares of a touch.
  func removeAll(touchAt index: Int) {
    shares.removeAll { $0.touchIndex == index }
  }

  /// Forgets all shares of a touch that is removed from before the others.
  func removeTouch(at index: Int) {
    removeAll(touchAt: index)
    for share in shares.indices where shares[share].touchIndex > index {
      shares[share].touchIndex -= 1
    }
  }

  /// Goes over to another layout: the targets' indices in it. What declined or was cut off is over,
  /// whatever the layout. Whatever has lost its target or its attachment was dropped before, by
  /// ``LiveTouches/cancelTouches(by:without:at:into:)``. Rule R8.
  func move(to layout: Layout, _ attachments: AttachmentTable, target: (Int) -> ViewIndex?) {
    for index in shares.indices where shares[index].isActive || shares[index].standing == .waiting {
      guard let target = target(shares[index].touchIndex),
        let attachment = attachments[shares[index].attachment.id],
        let targetIndex = layout.targetIndex(of: target, in: attachment.responder)
      else { preconditionFailure("a share outlived its target or its attachment (rule R8)") }
      shares[index].move(to: target, targetIndex, of: attachment)
    }
  }

  // MARK: Asking

  /// Whether somebody has a part in a touch.
  func isHeld(touchAt index: Int) -> Bool {
    shares.contains { $0.touchIndex == index && $0.isActive }
  }

  /// Whether somebody may still decline a touch.
  func isUndecided(touchAt index: Int) -> Bool {
    shares.contains { $0.touchIndex == index && $0.isActive && $0.deadline != nil }
  }

  /// Why a touch is cancelled for everybody with the frame at hand, if it is.
  func cancelReasonForAll(ofTouchAt index: Int) -> CancelReason? {
    var reason: CancelReason?
    for share in shares where share.touchIndex == index && share.isActive {
      guard let own = share.cancelReason else { return nil }
      reason = own
    }
    return reason
  }

  /// The share that an attachment has of a touch.
  func share(ofTouchAt index: Int, through attachment: AttachmentID?) -> Share? {
    shares.first { $0.touchIndex == index && $0.attachment.id == attachment }
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

  /// The touches that an attachment gets.
  func touchCount(of attachment: AttachmentID) -> Int {
    shares.count { $0.attachment.id == attachment && !$0.hears.isEmpty }
  }

  private func activeIndex(
    of touch: TouchID, through attachment: AttachmentID, by client: ClientID
  ) -> Int? {
    shares.firstIndex {
      $0.touch == touch && $0.attachment.id == attachment && $0.client == client && $0.isActive
        && !$0.isHeldBack
    }
  }

  /// The touches that do not live on: their target is gone, or somebody's that has a
  /// part in them.
  func touchesLost(
    by change: LayoutChange, without removed: Set<AttachmentID>
  ) -> Set<TouchID> {
    var lost: Set<TouchID> = []
    for share in shares
    where share.isActive
      && (removed.contains(share.attachment.id) || !change.keepsTouches(of: share.target))
    {
      lost.insert(share.touch)
    }
    return lost
  }
}
