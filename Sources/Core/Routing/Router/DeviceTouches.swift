import Wire
import Layout
import TouchModel

/// The touches of one device and who gets them, kept so that a frame of moves is one pass over two
/// arrays.
///
/// A frame is ``open(screen:time:)``, what changes in it, ``write(sequence:into:)`` and
/// ``close(keepingLifted:)``.
final class DeviceTouches {
  let device: DeviceID
  /// The screen of the latest frame.
  private(set) var screen = ScreenIndex(0)
  /// The time of the latest frame.
  private(set) var time = Timestamp(microseconds: 0)
  private let touches = TouchList()
  /// Who gets them, by index.
  private let shares = ShareList()
  /// The moves of touches that may yet be declined.
  private let moveBuffers = MoveBuffers()
  /// The taps that a further one may follow.
  private let tapCounter = TapCounter()
  /// Whether a touch has ended or was cancelled with the frame at hand.
  private var hasFinal = false
  /// Whether a share has lost its part, so that there may be something to forget.
  private var needsSweep = false
  /// When silence becomes consent for a touch; found anew where that may have changed. Rule R5.
  private(set) var nextDeadline: Timestamp?
  private var isDeadlineStale = false
  /// Whether the frame at hand is said ahead, without what is held back; see ``openAhead(time:)``.
  private(set) var isAhead = false

  init(device: DeviceID) { self.device = device }

  // MARK: A frame

  /// Begins a frame, and gives its time: not before that of the frame before.
  @inline(__always)
  func open(screen: ScreenIndex? = nil, time: Timestamp) {
    self.screen = screen ?? self.screen
    self.time = max(self.time, time)
  }

  /// Has the frame at hand said before all is decided that it brings. What clients do not hear of
  /// yet waits until ``close(keepingLifted:)`` is called once more.
  func openAhead(time: Timestamp) {
    open(time: time)
    isAhead = true
  }

  /// Takes what a frame says of touches that have begun before. Rule T3.
  ///
  /// - Returns: Where in the frame the first touch begins, or its end.
  @inline(__always)
  func apply(
    _ changes: ReusableArray<Touch>, holdingEndsOf held: ReusableArray<TouchID>,
    _ options: RouterOptions, _ counters: inout Wire.Counters
  ) -> Int {
    var next = 0
    var firstBegan = changes.count
    while true {
      next = touches.applyMoves(changes, from: next)
      guard next < changes.count else { return firstBegan }
      if changes[next].phase == .began {
        firstBegan = min(firstBegan, next)
      } else {
        apply(changes[next], holdingEndsOf: held, options, &counters)
      }
      next += 1
    }
  }

  private func apply(
    _ touch: Touch, holdingEndsOf held: ReusableArray<TouchID>, _ options: RouterOptions,
    _ counters: inout Wire.Counters
  ) {
    if touch.phase == .stationary { return }
    if touch.phase == .ended, held.contains(touch.id), let index = touches.find(touch.id),
      touches[index].fate == .delivered
    {
      return holdEnd(touch, at: index, options, &counters)
    }
    hasFinal = hasFinal || touch.phase.isFinal
    guard let index = touches.find(touch.id) else { return counters[.strayEvents] += 1 }
    touches[index].change(touch)
    guard touch.phase.isFinal else {
      return moveBuffers.keep(touches[index], limit: options.maximumKeptMoves)
    }
    guard touches[index].fate != .dead else { return }
    guard touch.phase == .ended else { return counters[.cancelled] += 1 }
    counters[.ended] += 1
    if touches[index].fate == .delivered { tapCounter.add(touches[index], options) }
  }

  /// Takes in the end of a touch that a recognizer may take: to clients it rests. Rule G10.
  private func holdEnd(
    _ touch: Touch, at index: Int, _ options: RouterOptions, _ counters: inout Wire.Counters
  ) {
    counters[.ended] += 1
    var ended = touches[index]
    ended.change(touch)
    tapCounter.add(ended, options)
    touches.holdEnd(touch, at: index)
  }

  /// Counts a tap for a touch that begins. Rule T10.
  func tapCount(of touch: Touch, on target: ViewIndex, _ options: RouterOptions) -> UInt16 {
    tapCounter.count(of: touch, on: target, options)
  }

  /// Takes in a touch that begins, at its target's placement if it has one; the links of the walk
  /// up its target's chain become shares.
  @inline(__always)
  func begin(
    _ touch: Touch, flags: TouchFlags, _ assignment: LiveTouch.Assignment,
    at placement: Layout.Placement?, _ walk: borrowing ChainWalk, _ options: RouterOptions
  ) {
    touches.append(LiveTouch(touch, screen: screen, flags: flags, assignment, at: placement))
    guard assignment.fate == .delivered, let target = assignment.target else { return }
    let timeout = options.decisionTimeoutMilliseconds
    // Only where somebody could get more than it does is it worth keeping what happens.
    let canBeDeclined = timeout > 0 && !walk.missing.isEmpty
    if canBeDeclined {
      touches[touches.count - 1].moveBuffer = moveBuffers.open(limit: options.maximumKeptMoves)
      isDeadlineStale = true
    }
    let deadline = time.adding(milliseconds: timeout)
    var position = 0
    for index in walk.links.indices where walk.links[index].hasClient {
      let link = walk.links[index]
      guard let attachment = link.attachment else { continue }
      if canBeDeclined || !link.phases.isEmpty {
        shares.insert(
          Share(
            link, attachment, of: touch.id, at: touches.count - 1, on: target, position: position,
            deadline: deadline))
      }
      position += 1
    }
  }

  /// Writes the frame at hand to every client for which something changed. Rules T2 and T3.
  @inline(__always)
  func write(sequence: UInt64, into deliveries: Deliveries) {
    let first = deliveries.records.count
    writeFrame(sequence, into: deliveries)
    if shares.hasUntold { shares.noteTold(with: deliveries.records, from: first) }
  }

  @inline(__always)
  private func writeFrame(_ sequence: UInt64, into deliveries: Deliveries) {
    FrameWriter(device: device, time: time, sequence: sequence)
      .write(touches.touches, shares.shares, into: deliveries)
  }

  /// Ends the frame at hand: forgets touches that are over, and shares that were cancelled.
  ///
  /// - Parameter limit: So many that ended are kept for who may still decline them (rule F5).
  /// - Returns: How many touches on the glass nobody has any longer; each is marked dead.
  @inline(__always)
  func close(keepingLifted limit: Int) -> Int {
    let isOver = hasFinal
    if isOver { liftFinal(limit: limit) }
    if isAhead {
      closeAhead()
    } else {
      touches.rest()
      if isOver { removeTouches { $0.phase.isFinal } }
    }
    if !needsSweep && !isDeadlineStale { return 0 }
    if needsSweep { _ = shares.drop { $0.cancelReason != nil } }
    return sweep()
  }

  /// Ends the frame at hand, but for the touches that are held back.
  private func closeAhead() {
    isAhead = false
    touches.rest { !$0.isHeldBack }
    removeTouches { $0.phase.isFinal && !$0.isHeldBack }
    hasFinal = touches.touches.contains(where: \.phase.isFinal)
  }

  /// Keeps touches that ended where they may yet be declined.
  private func liftFinal(limit: Int) {
    hasFinal = false
    for index in touches.indices
    where touches[index].phase == .ended && isUndecided(touchAt: index)
      && touches.touches.count(where: \.isLifted) < limit
    {
      touches[index].lift()
      shares.mute(touchAt: index)
    }
  }

  // MARK: Deciding, rule R5

  /// Takes a client's word that it keeps a touch; false where its attachment does not have it.
  func accept(_ touch: TouchID, through attachment: AttachmentID, by client: ClientID) -> Bool {
    guard shares.accept(touch, through: attachment, by: client) else { return false }
    needsSweep = true
    return true
  }

  /// Takes a client's word that it does not want a touch.
  func decline(
    _ touch: TouchID, through attachment: AttachmentID, by client: ClientID, at time: Timestamp
  ) -> ShareList.Decline {
    let outcome = shares.decline(touch, through: attachment, by: client, at: time)
    needsSweep = needsSweep || outcome == .done
    return outcome
  }

  /// Takes silence until now for consent.
  func settle(at time: Timestamp) { needsSweep = shares.settle(at: time) || needsSweep }

  /// Gives what a decline left of a touch to those further up its chain, who may decline it until
  /// `deadline`, and says to them what of it there was. Returns whether somebody gets it anew.
  func passOn(
    _ touch: TouchID, deadline: Timestamp, sequence: inout UInt64, into deliveries: Deliveries
  ) -> Bool {
    guard let index = touches.find(touch) else { return false }
    let isLifted = touches[index].isLifted
    guard shares.grantFurther(touchAt: index, isLifted: isLifted, deadline: deadline) else {
      return false
    }
    let first = deliveries.records.count
    replay(touchAt: index, isOpen: false, sequence: &sequence, into: deliveries)
    shares.finishReplay(ofTouchAt: index, isLifted: isLifted)
    shares.noteTold(with: deliveries.records, from: first)
    return true
  }

  private func replay(
    touchAt index: Int, isOpen: Bool, sequence: inout UInt64, into deliveries: Deliveries
  ) {
    var moves = moveBuffers.moves(of: touches[index])
    if isOpen, touches[index].phase == .moved { _ = moves.popLast() }
    Replay(index: index, device: device, time: time).write(
      moves, touches.touches, shares.shares, sequence: &sequence, into: deliveries)
  }

  /// Ends a touch that everybody declined.
  func discard(_ touch: TouchID, _ reason: DiscardReason) {
    guard let index = touches.find(touch) else { return }
    touches[index].fate = .discarded(reason)
    moveBuffers.close(&touches[index])
    shares.removeAll(touchAt: index)
    needsSweep = true
  }

  // MARK: Held back for recognizers, rules G10 and G11

  /// Lets clients hear nothing of a touch that has begun with the frame at hand.
  func holdBack(_ touch: TouchID, _ options: RouterOptions) {
    guard let index = touches.find(touch), touches[index].fate == .delivered else { return }
    if touches[index].moveBuffer == nil {
      touches[index].moveBuffer = moveBuffers.open(limit: options.maximumKeptMoves)
    }
    touches.holdBack(at: index)
    shares.holdBack(touchAt: index)
    isDeadlineStale = true
  }

  /// Takes touches that clients lose ahead of a frame to where it has them. Rule T4.
  func locate(_ changes: ReusableArray<Touch>, among lost: Set<TouchID>) {
    touches.locate(changes, among: lost)
  }

  /// Whether clients hear nothing of a touch yet.
  func isHeldBack(_ touch: TouchID) -> Bool {
    holdsTouches && touches.find(touch).map { touches[$0].isHeldBack } ?? false
  }

  /// Whether the end of a touch is held back.
  func holdsEnd(of touch: TouchID) -> Bool {
    touches.find(touch).map { touches[$0].holdsEnd } ?? false
  }

  /// The touches whose ends are held back.
  var heldEnds: [TouchID] { touches.touches.filter(\.holdsEnd).map(\.id) }

  /// Whether clients may not hear yet of a touch, or of its end.
  var holdsTouches: Bool { touches.holdsTouches }

  /// Ends with the frame at hand those of which the end alone was held back; whether there are any.
  func releaseEnds(where isHeld: (TouchID) -> Bool) -> Bool {
    let isReleased = touches.releaseEnds(where: isHeld)
    hasFinal = hasFinal || isReleased
    return isReleased
  }

  /// Replays touches that were held back to those who get them, who may decline them until
  /// `deadline`; what the frame at hand has, if that `isOpen`, comes with it as it is.
  func release(
    where isHeld: (TouchID) -> Bool, butEndsWhere keepsEnd: (TouchID) -> Bool, isOpen: Bool,
    deadline: Timestamp, sequence: inout UInt64, into deliveries: Deliveries
  ) {
    for index in touches.indices where touches[index].isHeldBack && !isHeld(touches[index].id) {
      let keepsEnd = keepsEnd(touches[index].id)
      let endsNow = isOpen && !keepsEnd && touches[index].heldEnd == time
      touches[index].release(keepingEnd: keepsEnd || endsNow)
      shares.release(touchAt: index, deadline: deadline)
      if let end = touches[index].heldEnd {
        deliveries.note(.endHeld(touches[index].id, at: end))
      }
      replay(touchAt: index, isOpen: isOpen, sequence: &sequence, into: deliveries)
      shares.finishReplay(ofTouchAt: index, isLifted: touches[index].isLifted)
      if endsNow { touches[index].releaseEnd() }
      (hasFinal, needsSweep) = (hasFinal || endsNow, true)
    }
    touches.reviewHeld()
    isDeadlineStale = true
  }

  // MARK: Ending

  /// Cancels the shares that fulfil the condition with the frame at hand; whether that is said, as
  /// it is not of touches that ended, or that only wait.
  func cancel(_ reason: CancelReason, where isMeant: (Share) -> Bool) -> Bool {
    let isSaid = shares.cancel(reason, where: isMeant) {
      touches[$0].isLifted || touches[$0].isHeldBack
    }
    needsSweep = needsSweep || isSaid != nil
    return isSaid ?? false
  }

  /// Drops the shares that fulfil the condition; how many touches it marks dead for that.
  func drop(where isMeant: (Share) -> Bool) -> Int {
    needsSweep = shares.drop(where: isMeant) || needsSweep
    return sweep()
  }

  /// Forgets touches that nobody has, and shares that got nothing and moves of those that nobody
  /// may decline any more. Returns the touches on the glass that it marks dead.
  private func sweep() -> Int {
    defer { findDeadline() }
    guard needsSweep else { return 0 }
    needsSweep = false
    var deadCount = 0
    for index in touches.indices where touches[index].fate == .delivered {
      let isHeld = shares.isHeld(touchAt: index)
      if isHeld && isUndecided(touchAt: index) { continue }
      moveBuffers.close(&touches[index])
      shares.removeInactive(touchAt: index)
      if isHeld { continue }
      touches[index].fate = .dead
      if !touches[index].isUp { deadCount += 1 }
    }
    removeTouches { $0.isUp && ($0.isLifted ? $0.moveBuffer == nil : $0.fate == .dead) }
    return deadCount
  }

  private func findDeadline() {
    isDeadlineStale = false
    nextDeadline =
      moveBuffers.isUnused
      ? nil
      : shares.earliestDeadline {
        touches[$0].moveBuffer != nil && !touches[$0].isHeldBack
      }
  }

  private func removeTouches(where isOver: (LiveTouch) -> Bool) {
    isDeadlineStale = isDeadlineStale || nextDeadline != nil
    for index in touches.indices.reversed() where isOver(touches[index]) {
      moveBuffers.close(&touches[index])
      touches.remove(at: index)
      shares.removeTouch(at: index)
    }
  }

  // MARK: Another layout, rule R8

  /// The touches that do not live on.
  func touchesLost(by change: LayoutChange, without removed: Set<AttachmentID>) -> Set<TouchID> {
    shares.touchesLost(by: change, without: removed)
  }

  /// Goes over to another layout.
  func move(by change: LayoutChange, _ attachments: AttachmentTable) {
    tapCounter.move { change.counterpart(of: $0) }
    for index in touches.indices {
      guard let target = touches[index].target else { continue }
      touches[index].move(to: change.counterpart(of: target), of: change.new)
    }
    shares.move(to: change.new, attachments) { touches[$0].target }
  }

  // MARK: Asking

  /// Whether it has no touch, not even one that may yet be declined.
  var isEmpty: Bool { touches.isEmpty }

  /// How many it has, those included that may yet be declined.
  var count: Int { touches.count }

  /// Whether it has that touch.
  func contains(_ touch: TouchID) -> Bool { touches.find(touch) != nil }

  /// The touch of that number.
  func touch(_ id: TouchID) -> LiveTouch? { touches.touches.first { $0.id == id } }

  /// Whether somebody has a part in a touch.
  func isHeld(_ touch: TouchID) -> Bool {
    touches.find(touch).map { shares.isHeld(touchAt: $0) } ?? false
  }

  /// The part that an attachment has in a touch.
  func share(of touch: TouchID, through attachment: AttachmentID?) -> Share? {
    touches.find(touch).flatMap { shares.share(ofTouchAt: $0, through: attachment) }
  }

  /// Adds each touch that changed with the frame at hand, as observers see it.
  func observeChanged(in layout: Layout, into records: ReusableList<Observation.Record>) {
    for index in touches.indices where !isAhead || !touches[index].isHeldBack {
      // Only what is swept out behind the frame may be cancelled for everybody.
      let reason = needsSweep ? shares.cancelReasonForAll(ofTouchAt: index) : nil
      if reason == nil && touches[index].phase == .stationary { continue }
      records.append(Observation.Record(touches[index], cancelled: reason, in: layout))
    }
  }

  /// Calls `body` with each touch that has a target, and with that, in the layout in force.
  func forEachTarget(_ body: (TouchID, ViewIndex) -> Void) {
    for index in touches.indices {
      if let target = touches[index].target { body(touches[index].id, target) }
    }
  }

  /// Whether a contact is on the glass that fulfils the condition.
  func hasContact(where isMeant: (LiveTouch) -> Bool) -> Bool {
    touches.touches.contains { !$0.isUp && isMeant($0) }
  }

  /// Calls `body` with each touch on a screen, and its target in the layout in force if it has one.
  func forEachTouch(on screen: ScreenIndex, _ body: (TouchID, ViewIndex?) -> Void) {
    for index in touches.indices where touches[index].screen == screen {
      body(touches[index].id, touches[index].target)
    }
  }

  /// Calls `body` with each touch that somebody gets.
  @inline(__always)
  func forEachLiveTouch(_ body: (LiveTouch) -> Void) {
    for index in touches.indices where touches[index].isLive { body(touches[index]) }
  }

  /// The touches on the glass that were neither cancelled for everybody nor orphaned.
  var pendingCount: Int { touches.touches.count { $0.fate != .dead && !$0.isUp } }

  /// The touches that a client gets, each counted once.
  func touchCount(of client: ClientID) -> Int { shares.touchCount(of: client) }

  /// Those that an attachment gets.
  func touchCount(of attachment: AttachmentID) -> Int { shares.touchCount(of: attachment) }

  /// Whether somebody may still decline a touch, and somebody else would get it then.
  private func isUndecided(touchAt index: Int) -> Bool {
    touches[index].moveBuffer != nil && shares.isUndecided(touchAt: index)
  }
}
