public import Wire
package import Gestures
public import Layout
public import TouchModel

/// Decides who gets which touch: frames of touches and the clients' requests in, deliveries out. It
/// knows no socket, device or clock; time comes in with the events.
///
/// A touch is hit-tested and routed once, when it begins (rules H1 and R4); after that a frame
/// costs one pass over the device's touches and the attachments that get them, and allocates
/// nothing.
public struct Router: ~Copyable {
  /// The number of that layout: 1 for the first, one more whenever it is replaced.
  public private(set) var generation: UInt32 = 1

  /// Limits and times; a change holds for what comes after it.
  public var options: RouterOptions {
    didSet {
      live.configure(options)
      gestures.configure(options)
    }
  }

  /// Which screens are dark. Rules D1 to D6.
  public private(set) var screens: ScreenPower
  /// Which screens are locked. Rule D9.
  public private(set) var locks: TouchLocks
  private var context: RoutingContext
  private var live: LiveTouches
  private var hitTester: HitTester
  private var gestures: GestureStage
  private var feedback = TouchFeedback()
  /// The walk up the chain that was followed last.
  private var walk = ChainWalk()

  /// A router for a layout, without clients and touches.
  ///
  /// - Parameters:
  ///   - layout: The layout in force.
  ///   - gestures: The recognizers, each of a view or screen of it.
  ///   - options: Limits and times.
  package init(
    layout: Layout, gestures: [RecognizerSpec] = [], options: RouterOptions = RouterOptions()
  ) {
    self.options = options
    screens = ScreenPower(layout.screens)
    locks = TouchLocks(layout.screens)
    context = RoutingContext(layout)
    live = LiveTouches(options)
    self.gestures = GestureStage(gestures, in: layout, options)
    hitTester = HitTester(layout, isToChange: true)
  }

  /// The layout in force; see ``replaceLayout(_:prepared:gestures:at:into:)``.
  public var layout: Layout { _read { yield context.layout } }

  /// What happened to touches until now.
  ///
  /// Two sums hold at every moment. `began = ended + cancelled + orphaned` and those that are still
  /// to be counted as one of these, see ``pendingTouchCount``. `began = delivered` and those
  /// discarded for every reason but `declined`: what everybody declined was delivered before.
  public var counters: Wire.Counters { live.counters }

  /// Who holds what.
  public var attachments: AttachmentTable { _read { yield context.attachments } }

  /// How many attachments have ended by now.
  var removalCount: Int { context.attachments.removalCount }

  /// Whether observers are told.
  var isObserved: Bool {
    get { live.isObserved }
    set {
      gestures.observe(newValue)
      live.isObserved = newValue
    }
  }

  /// Whether somebody listens for feedback. Rule D11.
  var wantsFeedback: Bool = false {
    didSet {
      gestures.givesFeedback = wantsFeedback
      if !wantsFeedback { feedback.removeAll() }
    }
  }

  // MARK: Frames

  /// Routes what a device reported up to its frame mark. Rules H1, R4, T2, T8, T9 and T12.
  ///
  /// - Parameters:
  ///   - frame: The sequencer's.
  ///   - flags: What is special about the touches that begin with it, such as `injected`.
  ///   - deliveries: What must be sent is added to it.
  public mutating func route(
    _ frame: TouchFrame, flags: TouchFlags = [], into deliveries: Deliveries
  ) {
    deliveries.note(frame)
    let device = live.open(frame)
    if !screens.areAllOn || locks.isLocked { wake(by: frame, into: deliveries) }
    let isWatched = !gestures.isIdle
    if isWatched { show(frame, on: device, into: deliveries) }
    let firstBegan = live.apply(frame, on: device, holdingEndsOf: gestures.heldEnds)
    if !gestures.heldEnds.isEmpty { noteHeldEnds(of: device, in: deliveries) }
    for index in firstBegan..<frame.touches.count where frame.touches[index].phase == .began {
      begin(
        frame.touches[index], flags: flags, on: device, at: frame.time, into: deliveries)
    }
    if firstBegan < frame.touches.count, isWatched || !gestures.isIdle {
      arbitrate(frame, on: device, into: deliveries)
    }
    live.finishFrame(of: device, in: context.layout, into: deliveries)
    if feedback.isPending { feedback.review(in: context.layout, into: deliveries) }
  }

  /// Finds out once and for all who gets a touch.
  ///
  /// - Parameter time: That of the frame.
  private mutating func begin(
    _ touch: Touch, flags: TouchFlags, on device: DeviceTouches, at time: Timestamp,
    into deliveries: Deliveries
  ) {
    guard live.isNew(touch, on: device) else { return }
    let assignment = assign(touch, on: device, at: time, into: deliveries)
    live.begin(touch, flags: flags, on: device, assignment, walk, in: context.layout)
    if wantsFeedback, assignment.fate == .delivered { feedback.begin(touch.id, on: device) }
    if gestures.isEmpty { return }
    switch assignment.fate {
    case .delivered, .discarded(.unhandled), .discarded(.noWindow):
      gestures.begin(
        touch, on: assignment.target, of: device, in: context, into: deliveries)
    case .discarded, .dead: break
    }
  }

  /// Hit-tests a touch that begins, and walks up its target's chain; the links are then those of
  /// ``walk``. Rules H1, H7, R4, T8, T10 and T13.
  private mutating func assign(
    _ touch: Touch, on device: DeviceTouches, at time: Timestamp, into deliveries: Deliveries
  ) -> LiveTouch.Assignment {
    if !screens.takesTouches(begunAt: time) || locks.isLocked,
      let assignment = keepOut(touch, on: device, at: time, into: deliveries)
    {
      return assignment
    }
    guard context.layout.contains(touch.location, on: device.screen) else {
      return LiveTouch.Assignment(fate: .discarded(.outsideScreen))
    }
    if live.isFull { return LiveTouch.Assignment(fate: .discarded(.limit)) }
    guard let target = hitTester.hitTest(touch.location, on: device.screen) else {
      return LiveTouch.Assignment(fate: .discarded(.noWindow))
    }
    if let reason = live.reasonToKeepOut(touchesOf: target, of: context.layout) {
      return LiveTouch.Assignment(target: target, fate: .discarded(reason))
    }
    context.followChain(of: target, by: &walk)
    live.keepChain(walk, of: touch.id, in: context.layout)
    guard walk.granted.contains(.began) else {
      return LiveTouch.Assignment(target: target, fate: .discarded(.unhandled))
    }
    return LiveTouch.Assignment(
      target: target, tapCount: live.tapCount(of: touch, on: target, of: device),
      fate: .delivered)
  }

  // MARK: Dark and locked screens, rules D1 to D6 and D9

  /// Keeps a touch that begins from everybody if its screen is dark or locked, and shows it to what
  /// ends that; nil where it goes its way. Rules D3, D4 and D9.
  private mutating func keepOut(
    _ touch: Touch, on device: DeviceTouches, at time: Timestamp, into deliveries: Deliveries
  ) -> LiveTouch.Assignment? {
    let layout = context.layout
    guard layout.contains(device.screen) else { return nil }
    let isOutside = !layout.contains(touch.location, on: device.screen)
    let target = isOutside ? nil : hitTester.hitTest(touch.location, on: device.screen)
    let isAlwaysOn = target.map { layout.window(of: $0).isAlwaysOn } ?? false
    if !isAlwaysOn, screens.keepsOut(touchBegunAt: time, on: device.screen) {
      screens.begin(touch, of: device.device, on: device.screen, at: time)
      tellScreens(into: deliveries)
      return LiveTouch.Assignment(target: target, fate: .discarded(.dark))
    }
    guard locks.keepsOut(touchOn: target.map(layout.path(of:)), on: device.screen) else {
      return nil
    }
    locks.begin(touch, of: device.device, on: device.screen, at: time)
    tellScreens(into: deliveries)
    return LiveTouch.Assignment(target: target, fate: .discarded(.locked))
  }

  /// Shows what wakes dark screens, and what ends locks, what fingers do that began there, and the
  /// time, which a timer may tell later.
  private mutating func wake(by frame: TouchFrame, into deliveries: Deliveries) {
    if frame.time.microseconds > 0 {
      let before = Timestamp(microseconds: frame.time.microseconds - 1)
      screens.advance(to: before)
      locks.advance(to: before)
    }
    if context.layout.contains(frame.screen) {
      screens.take(frame)
      locks.take(frame)
    }
    tellScreens(into: deliveries)
  }

  /// Makes a screen dark, or on. As it goes dark, the touches on it are cancelled. Rules D2 and D3.
  ///
  /// - Returns: Whether it was something else before.
  mutating func setScreen(
    _ screen: ScreenIndex, isOn: Bool, at time: Timestamp, into deliveries: Deliveries
  ) -> Bool {
    guard screens.set(screen, isOn: isOn, at: time) else { return false }
    if !isOn {
      let layout = layout
      cancelTouches(on: screen, .dark, at: time, into: deliveries) {
        !layout.window(of: $0).isAlwaysOn
      }
    }
    tellScreens(into: deliveries)
    return true
  }

  /// Locks a screen: touches on it are cancelled, but for those on views that it leaves out.
  /// Rule D9.
  mutating func lock(
    _ screen: ScreenIndex, _ request: TouchLocks.Request, at time: Timestamp,
    into deliveries: Deliveries
  ) {
    locks.lock(screen, request, of: layout.screens, at: time)
    let layout = layout
    cancelTouches(on: screen, .locked, at: time, into: deliveries) {
      !request.spares(layout.path(of: $0))
    }
    tellScreens(into: deliveries)
  }

  /// Ends a screen's lock; false where it has none.
  mutating func unlock(
    _ screen: ScreenIndex, _ cause: LockCause, into deliveries: Deliveries
  ) -> Bool {
    let isNews = locks.unlock(screen, cause)
    tellScreens(into: deliveries)
    return isNews
  }

  /// Takes in whether somebody hears that a finger wakes a screen. Rule D5.
  mutating func setScreen(
    _ screen: ScreenIndex, isAttended: Bool, at time: Timestamp, into deliveries: Deliveries
  ) {
    screens.setAttended(screen, isAttended, at: time)
    tellScreens(into: deliveries)
  }

  /// Makes a screen what it was to the daemon before, before the first touch. Rule D6.
  mutating func restoreScreen(
    _ screen: ScreenIndex, _ state: ScreenState, at time: Timestamp
  ) {
    screens.restore(screen, state, at: time)
  }

  /// Cancels the touches on a screen that hit nothing, or a view that fulfils the condition, and
  /// the gestures with them.
  private mutating func cancelTouches(
    on screen: ScreenIndex, _ reason: CancelReason, at time: Timestamp,
    into deliveries: Deliveries, where isMeant: (ViewIndex) -> Bool
  ) {
    let lost = live.touches(on: screen, where: isMeant)
    if !gestures.isIdle {
      for (touch, device) in lost { gestures.cancel(touch, of: device, reason, at: time) }
      carryOut(at: time, into: deliveries)
    }
    live.cancel(reason, at: time, in: context.layout, into: deliveries) { lost[$0.touch] != nil }
  }

  private mutating func tellScreens(into deliveries: Deliveries) {
    for change in screens.changes { deliveries.entries.append(.screen(change)) }
    if !screens.changes.isEmpty { screens.removeChanges() }
    for change in locks.changes { deliveries.entries.append(.lock(change)) }
    if !locks.changes.isEmpty { locks.removeChanges() }
  }

  // MARK: What recognizers decide, rules G4 and G9 to G13

  /// Shows recognizers what a frame says of touches that have begun before. Rule G4.
  private mutating func show(
    _ frame: TouchFrame, on device: DeviceTouches, into deliveries: Deliveries
  ) {
    if frame.time.microseconds > 0 {
      let before = Timestamp(microseconds: frame.time.microseconds - 1)
      advanceGestures(to: before, into: deliveries)
    }
    gestures.take(frame)
    tellGestures(at: frame.time, ahead: frame, into: deliveries)
    // What a touch that begins makes recognizers tell comes before what is replayed. Rule G11.
    let begins = frame.touches.last?.phase == .began
    if !begins { release(at: frame.time, into: deliveries) }
    gestures.noteHeldEnds(of: frame, on: device)
  }

  /// Tells the checker which ends of the frame at hand clients do not hear yet. Rule G10.
  private mutating func noteHeldEnds(of device: DeviceTouches, in deliveries: Deliveries) {
    for touch in gestures.heldEnds where device.holdsEnd(of: touch) {
      deliveries.note(.endHeld(touch, at: device.time))
    }
    gestures.forgetHeldEnds()
  }

  /// Lets recognizers decide on the touches that begin with a frame, and keeps those from clients
  /// that recognizers have or may have. Rules G7, G9 and G11.
  private mutating func arbitrate(
    _ frame: TouchFrame, on device: DeviceTouches, into deliveries: Deliveries
  ) {
    gestures.decide(on: device.device, at: frame.time, in: context, into: deliveries)
    live.discardTaken(of: frame, on: device, by: gestures)
    live.holdBack(frame, on: device, for: gestures)
    tellGestures(at: frame.time, open: device, into: deliveries)
    if gestures.hasRefusals {
      gestures.offerAgain(frame, of: device, in: context, into: deliveries)
      gestures.decide(on: device.device, at: frame.time, in: context, into: deliveries)
      live.holdBack(frame, on: device, for: gestures)
      tellGestures(at: frame.time, open: device, into: deliveries)
    }
    release(at: frame.time, open: device, into: deliveries)
  }

  /// Lets recognizers decide on what is due until that time. Rule G15.
  private mutating func advanceGestures(to time: Timestamp, into deliveries: Deliveries) {
    while let deadline = gestures.nextDeadline, deadline <= time {
      // Those that hold touches for too long come behind what else is due then. Rule G17.
      while let next = gestures.nextDeadline, next <= deadline {
        gestures.advance(to: deadline)
        tellGestures(at: deadline, into: deliveries)
      }
      release(at: deadline, into: deliveries)
    }
  }

  /// Carries out what recognizers have decided, in order: what clients lose, what is told, and what
  /// they hear now that nobody wants it.
  private mutating func carryOut(at time: Timestamp, into deliveries: Deliveries) {
    tellGestures(at: time, into: deliveries)
    release(at: time, into: deliveries)
  }

  /// Tells what recognizers have decided, and takes from clients the touches that they lose. What
  /// that lets go of is for ``release(at:open:into:)``.
  ///
  /// - Parameters:
  ///   - open: The device of which the frame at hand has yet to be said, if one has.
  ///   - frame: The frame that clients' touches have yet to take in, if there is one.
  private mutating func tellGestures(
    at time: Timestamp, open: DeviceTouches? = nil, ahead frame: TouchFrame? = nil,
    into deliveries: Deliveries
  ) {
    while let lost = gestures.tell(at: time, in: context, into: deliveries) {
      // They are cancelled where the frame has them. Rule T4.
      if let frame { live.locate(frame, among: lost) }
      live.cancel(.gesture, at: time, open: open, in: context.layout, into: deliveries) {
        lost.contains($0.touch)
      }
    }
  }

  /// Gives clients what no recognizer holds back any more. It comes behind all that recognizers
  /// tell at that time. Rules G10 and G11.
  private mutating func release(
    at time: Timestamp, open: DeviceTouches? = nil, into deliveries: Deliveries
  ) {
    live.release(from: gestures, at: time, open: open, in: context.layout, into: deliveries)
    // Of a frame at hand it is given once that is said.
    if feedback.isPending, open == nil {
      feedback.review(in: context.layout, into: deliveries)
    }
  }

  // MARK: Keeping and declining, rule R5

  /// When ``advance(to:into:)`` wants to be called; nil where nothing is waited for.
  public var nextDeadline: Timestamp? {
    var deadline = live.nextDeadline
    if let due = gestures.nextDeadline { deadline = deadline.map { min($0, due) } ?? due }
    if let due = screenDeadline { deadline = deadline.map { min($0, due) } ?? due }
    return deadline
  }

  /// Takes silence until now for consent, as a frame of that time or later does too.
  public mutating func advance(to time: Timestamp, into deliveries: Deliveries) {
    live.settle(to: time)
    advanceGestures(to: time, into: deliveries)
    screens.advance(to: time)
    locks.advance(to: time)
    tellScreens(into: deliveries)
  }

  /// Takes note that a client keeps a touch that came through one of its attachments: it can no
  /// longer decline it there.
  public mutating func accept(
    _ touch: TouchID, through attachment: AttachmentID, by client: ClientID, at time: Timestamp,
    into deliveries: Deliveries
  ) {
    guard let device = live.accept(touch, through: attachment, by: client),
      !gestures.isIdle
    else { return }
    gestures.accept(touch, of: device.device, at: time)
    carryOut(at: time, into: deliveries)
  }

  /// Takes a client's word that it does not want a touch that came through one of its attachments.
  /// That attachment gets nothing more of it, and the next responder up the chain gets it replayed:
  /// `began`, the moves kept meanwhile, and `ended` if it has ended. Where there is none, the touch
  /// is discarded.
  ///
  /// - Returns: Whether it is out of the touch; false where it has it not, or may not decline.
  @discardableResult
  public mutating func decline(
    _ touch: TouchID, through attachment: AttachmentID, by client: ClientID, at time: Timestamp,
    into deliveries: Deliveries
  ) -> Bool {
    guard let device = live.decline(touch, through: attachment, by: client, at: time) else {
      return false
    }
    deliveries.note(.declined(touch, attachment))
    live.passOn(touch, on: device, at: time, by: &walk, in: context, into: deliveries)
    return true
  }

  // MARK: Clients

  /// Gives a responder to a client, which gets touches that begin from now on; who is pushed out
  /// loses its own, and is told. Rules R2, R3 and R6.
  ///
  /// - Parameter number: The attachment's, of those below ``numbers``; nil for the next.
  /// - Throws: ``RoutingError``; then nothing has changed.
  public mutating func attach(
    _ request: AttachRequest, by client: ClientID, as number: AttachmentID? = nil,
    at time: Timestamp, into deliveries: Deliveries
  ) throws(RoutingError) -> Attachment {
    try request.check()
    guard let responder = layout.responder(at: request.path) else {
      throw .noResponder(path: request.path, nearest: layout.nearestPath(to: request.path))
    }
    let limit = options.maximumAttachmentsPerClient
    if let holder = try attachments.check(request, of: responder, by: client, limit: limit) {
      end(holder, .takenOver, at: time, into: deliveries)
      deliveries.entries.append(.detached(holder.client, holder.id, .takenOver))
    }
    let attachment = context.attachments.add(
      request, responder: responder, client: client, as: number)
    deliveries.note(.attached(attachment.id, client))
    return attachment
  }

  /// Ends an attachment at its client's wish; its touches are cancelled as `requested`, so that
  /// what began there ends there (rule T5).
  ///
  /// - Throws: ``RoutingError/notAttached(_:)``.
  public mutating func detach(
    _ id: AttachmentID, by client: ClientID, at time: Timestamp, into deliveries: Deliveries
  ) throws(RoutingError) {
    guard let attachment = attachments[id], attachment.client == client else {
      throw .notAttached(id)
    }
    end(attachment, .requested, at: time, into: deliveries)
    deliveries.note(.detached(id))
  }

  /// Ends an attachment that its client may no longer have; its touches are cancelled as
  /// `requested`. Rule F6.
  public mutating func revoke(
    _ attachment: Attachment, at time: Timestamp, into deliveries: Deliveries
  ) {
    end(attachment, .requested, at: time, into: deliveries)
    deliveries.entries.append(.detached(attachment.client, attachment.id, .notAllowed))
  }

  private mutating func end(
    _ attachment: Attachment, _ reason: CancelReason, at time: Timestamp,
    into deliveries: Deliveries
  ) {
    live.cancel(reason, at: time, in: context.layout, into: deliveries) {
      $0.attachment.id == attachment.id
    }
    endGestures(of: [attachment], reason, at: time, into: deliveries)
    context.attachments.remove(attachment.id)
  }

  /// Cuts the gestures short that some attachments hear of. Rule G12.
  private mutating func endGestures(
    of attachments: [Attachment], _ reason: CancelReason, at time: Timestamp,
    into deliveries: Deliveries
  ) {
    if gestures.isIdle { return }
    gestures.end(of: attachments, reason, at: time)
    carryOut(at: time, into: deliveries)
  }

  /// Forgets a client that is gone: its attachments, its touches, and only then its gestures, which
  /// let go of what they held back. Rule R7.
  public mutating func clientWentAway(
    _ client: ClientID, at time: Timestamp, into deliveries: Deliveries
  ) {
    deliveries.note(.wentAway(client))
    let held = gestures.isIdle ? [] : attachments.all.filter { $0.client == client }
    context.remove(client)
    live.drop(client)
    endGestures(of: held, .requested, at: time, into: deliveries)
  }

  /// Takes note that a client reads nothing, or does again. Its touches are cancelled, and while it
  /// does not read, its responders are not there for touches that begin. Rules F3 and R4.
  public mutating func setUnresponsive(
    _ client: ClientID, _ isUnresponsive: Bool, at time: Timestamp,
    into deliveries: Deliveries
  ) {
    if !isUnresponsive {
      context.removeUnresponsive(client)
    } else if context.addUnresponsive(client) {
      live.cancel(.clientUnresponsive, at: time, in: context.layout, into: deliveries) {
        $0.client == client
      }
    }
    guard isUnresponsive, !gestures.isIdle else { return }
    let held = attachments.all.filter { $0.client == client }
    endGestures(of: held, .clientUnresponsive, at: time, into: deliveries)
  }

  /// Who may learn of touches on secure views.
  package var readers: SecureReaders {
    get { context.readers }
    set { context.readers = newValue }
  }

  /// Ends the touches and gestures on secure views for those who may no longer learn of them.
  /// Rule F8.
  mutating func reviewReaders(at time: Timestamp, into deliveries: Deliveries) {
    if layout.hasNoSecureView { return }
    live.cancelUnreadable(at: time, in: context, into: deliveries)
    if gestures.isIdle { return }
    gestures.endUnreadable(live.secureTargets(in: context), at: time, in: context)
    carryOut(at: time, into: deliveries)
  }

  // MARK: Cancelling, rule R9

  /// Cancels a touch for everybody, as `requested`. Returns whether somebody had it.
  @discardableResult
  public mutating func cancel(
    _ touch: TouchID, at time: Timestamp, into deliveries: Deliveries
  ) -> Bool {
    let isLive = live.isLive(touch)
    if !gestures.isIdle {
      for device in live.deviceIDs { gestures.cancel(touch, of: device, .requested, at: time) }
      carryOut(at: time, into: deliveries)
    }
    if isLive {
      live.cancel(.requested, at: time, in: context.layout, into: deliveries) { $0.touch == touch }
    }
    return isLive
  }

  /// Cancels every touch for everybody. What the fingers on the glass do further goes to nobody.
  public mutating func cancelAll(
    _ reason: CancelReason, at time: Timestamp, into deliveries: Deliveries
  ) {
    if !gestures.isIdle {
      gestures.cancelAll(reason, at: time)
      carryOut(at: time, into: deliveries)
    }
    live.cancel(reason, at: time, in: context.layout, into: deliveries) { _ in true }
  }

  // MARK: Layouts

  /// Puts another layout in force, between two frames. Rules L6 and R8.
  ///
  /// A touch lives on where its target is still there, by path, on the same screen and in a window
  /// of the same application, and where each responder that gets it is there too; otherwise it is
  /// cancelled as `targetRemoved` for everybody that had it. So is a gesture whose view is gone, or
  /// the recognizer another one. An attachment of which the responder is gone ends with `detached`.
  /// Then comes `layout` for every attachment of which the geometry is another.
  ///
  /// - Parameter prepared: What was made ahead for it, beside the loop.
  package mutating func replaceLayout(
    _ new: Layout, prepared: PreparedLayout? = nil, gestures specs: [RecognizerSpec]? = nil,
    at time: Timestamp, into deliveries: Deliveries
  ) {
    let change = prepared?.change ?? LayoutChange(from: layout, to: new)
    precondition(change.old === layout, "a layout is prepared to replace the one in force")
    if gestures.prepare(for: change, specs, at: time) {
      tellGestures(at: time, into: deliveries)
    }
    removeAttachments(by: change, at: time, into: deliveries)
    if new.screens != layout.screens {
      screens.replace(new.screens)
      locks.replace(new.screens)
    }
    let kept = attachments.all
    context.move(by: change)
    generation &+= 1  // A program that does nothing else gets to the last number within days.
    if let prepared { prepared.move(&hitTester) } else { hitTester.move(to: new) }
    gestures.move(by: change, specs, at: time, in: context, into: deliveries)
    live.move(by: change, context.attachments)
    for attachment in kept where change.isGeometryChanged(of: attachment.responder) {
      deliveries.entries.append(.layout(attachment.client, attachment.id))
    }
    if specs != nil { reconsiderGestures(at: time, into: deliveries) }
  }

  /// Adds a recognizer behind all others, or puts it in the place of the one of its path.
  package mutating func put(
    _ gesture: RecognizerSpec, as number: RecognizerID? = nil, at time: Timestamp,
    into deliveries: Deliveries
  ) {
    if gestures.disable(forPutting: gesture, as: number, at: time) {
      carryOut(at: time, into: deliveries)
    }
    gestures.put(gesture, as: number, at: time, in: context, into: deliveries)
    reconsiderGestures(at: time, into: deliveries)
  }

  /// Lets recognizers go on that wait for nobody any more, as others were put or replaced. Rule G7.
  private mutating func reconsiderGestures(at time: Timestamp, into deliveries: Deliveries) {
    if gestures.isIdle { return }
    gestures.reconsider(at: time)
    carryOut(at: time, into: deliveries)
  }

  /// Gives other numbers to recognizers that have these, before the first touch. Rule R9.
  package mutating func vacate(_ ids: Set<RecognizerID>) { gestures.vacate(ids, in: layout) }

  /// Takes a recognizer away; what it has begun is cancelled as `targetRemoved`.
  package mutating func remove(
    _ gesture: RecognizerID, at time: Timestamp, into deliveries: Deliveries
  ) {
    guard gestures.interrupt(gesture, at: time) else { return }
    carryOut(at: time, into: deliveries)
    gestures.remove(gesture)
  }

  /// Ends the touches and gestures that a change of the layout ends, and the attachments of
  /// responders that it removes.
  private mutating func removeAttachments(
    by change: LayoutChange, at time: Timestamp, into deliveries: Deliveries
  ) {
    let removed = attachments.all.filter { change.counterpart(of: $0.responder) == nil }
    live.cancelTouches(by: change, without: removed, at: time, into: deliveries)
    endGestures(of: removed, .targetRemoved, at: time, into: deliveries)
    release(at: time, into: deliveries)
    for attachment in removed {
      context.attachments.remove(attachment.id)
      deliveries.entries.append(.detached(attachment.client, attachment.id, .removed))
    }
  }

  // MARK: Activity, rule D7

  /// The name of the window that a touch is on, if it is on one.
  func window(of touch: TouchID, on device: DeviceID) -> String? {
    live.target(of: touch, on: device).map { context.layout.window(of: $0).name }
  }

  /// Whether a finger rests on what may be idle.
  func isTouched(_ scope: IdleWatches.Scope, ignoresInjected: Bool) -> Bool {
    live.hasContact { touch in
      if ignoresInjected, touch.flags.contains(.injected) { return false }
      return switch scope {
      case .seat: true
      case .screen(let name): context.layout.screenName(touch.screen) == name
      case .window(let name): touch.target.map { context.layout.window(of: $0).name } == name
      }
    }
  }

  // MARK: Asking

  /// What a recognizer is, or was before the latest change.
  package func recognizer(_ id: RecognizerID) -> RecognizerSpec? { gestures.spec(of: id) }

  /// The kind and the path of an event's recognizer.
  func origin(of event: GestureEvent) -> GestureOrigin { gestures.origin(of: event) }

  /// The recognizers in force.
  package var recognizers: GestureTable { _read { yield gestures.table } }

  /// Whether a client that handles gestures would hear of a recognizer. Rule G13.
  package func isHeard(_ id: RecognizerID) -> Bool {
    gestures.table[id]?.isHeard(in: layout, attachments) ?? false
  }

  /// Whether so many recognizers of clients come before one that no touch is offered to it (G2).
  package func isCrowdedOut(_ id: RecognizerID) -> Bool {
    gestures.table.isCrowdedOut(id, limit: options.maximumAddedRecognizersPerTouch, in: layout)
  }

  /// Why nobody hears of a recognizer, in words.
  package func lackOfHearers(of id: RecognizerID) -> String {
    gestures.table.lackOfHearers(of: id, in: layout, attachments)
  }

  /// When a recognizer must be asked again, though nothing happens. Rule G15.
  package var gestureDeadline: Timestamp? { gestures.nextDeadline }

  /// When a screen or its lock must be asked again. Rules D4 and D9.
  package var screenDeadline: Timestamp? {
    guard let screen = screens.nextDeadline else { return locks.nextDeadline }
    return locks.nextDeadline.map { min($0, screen) } ?? screen
  }

  /// Whether a client counts as one that reads nothing.
  public func isUnresponsive(_ client: ClientID) -> Bool { context.unresponsive.contains(client) }

  /// Whether clients may not hear yet of a touch, or of its end. Rules G10 and G11.
  var holdsTouches: Bool { live.holdsTouches }

  /// The touches whose ends are held back. Rule G10.
  var heldEnds: [TouchID] { live.heldEnds }

  /// Whether a touch is in a secure view. Rule F7.
  package func isSecure(_ touch: TouchID) -> Bool {
    live.secureTargets(in: context)[touch] != nil
  }

  /// Whether a touch that began there would be in a secure view. Rule F7.
  package func isSecure(_ point: Point, on screen: ScreenIndex) -> Bool {
    context.isSecure(hitTester.hitTest(point, on: screen))
  }

  /// The view that is hit at a point, in points of the screen; nil where none is. Rule H1.
  package func view(at point: Point, on screen: ScreenIndex) -> ViewIndex? {
    hitTester.hitTest(point, on: screen)
  }

  /// The touches that somebody gets.
  public var liveTouchCount: Int { live.liveTouchCount }

  /// The touches that an attachment gets.
  public func liveTouchCount(of attachment: AttachmentID) -> Int {
    live.liveTouchCount(of: attachment)
  }

  /// The touches that a client gets, each counted once however many attachments it comes through.
  public func liveTouchCount(of client: ClientID) -> Int {
    live.liveTouchCount(of: client)
  }

  /// The touches on the glass that were neither cancelled for everybody nor orphaned; discarded
  /// ones are among them. `began = ended + cancelled + orphaned + pending`.
  public var pendingTouchCount: Int { live.pendingTouchCount }

  /// Where the next frame, the next attachment and the next layout go on. To set the numbers of an
  /// earlier router is for the time before the first of each.
  public var numbers: Numbers {
    get {
      Numbers(
        sequence: live.sequence, attachment: attachments.nextID, generation: generation,
        recognizer: gestures.nextID)
    }
    set {
      live.goOn(after: newValue.sequence)
      context.attachments.nextID = newValue.attachment
      generation = newValue.generation
      gestures.nextID = max(gestures.nextID, newValue.recognizer)
    }
  }
}
