public import Wire
package import Gestures
public import Layout
public import TouchModel

/// The way of a touch, from what the devices report to what their clients are sent: sequencer,
/// router and checker in one value, with what they want sent.
///
/// Whatever is asked of it adds to ``deliveries``. Its owner takes them by ``takeDeliveries()`` and
/// sends them, in order: what is asked next goes into empty ones. Before that they are checked, or
/// by ``finishDeliveries()`` at once. It knows no socket, device or clock; time comes in with the
/// events.
public struct TouchPipeline: ~Copyable {
  /// Makes frames of what the devices report.
  public private(set) var sequencer = TouchSequencer()
  /// Decides who gets which touch.
  public private(set) var router: Router
  /// Holds what is sent to rule T5.
  public private(set) var checker = StreamChecker()
  /// What must be sent. Once it is taken, it can be read until something further is asked.
  public let deliveries = Deliveries()
  /// Who is told that nobody touches something.
  public private(set) var idle = IdleWatches()
  private var stage = Stage.finished
  /// The layout in force.
  public private(set) var layout: Layout
  /// When it must be told the time, as of the latest ``finishDeliveries()``. Rules R5 and G15.
  public private(set) var nextDeadline: Timestamp?
  /// Whether ``Deliveries/observations`` is filled.
  public var isObserved = false { didSet { router.isObserved = isObserved } }

  /// Whether somebody listens for feedback. Rule D11.
  public var wantsFeedback: Bool {
    get { router.wantsFeedback }
    set { router.wantsFeedback = newValue }
  }

  private let report: (Violation) -> Void

  /// How far the deliveries are.
  private enum Stage {
    /// To be taken: what is asked adds to them.
    case growing
    /// Taken, and not checked.
    case taken
    /// Checked.
    case finished
  }

  /// A pipeline without clients and touches.
  ///
  /// - Parameters:
  ///   - layout: The layout in force.
  ///   - gestures: The recognizers, each of a view or screen of it.
  ///   - options: Limits and times.
  ///   - report: Is told each mistake of ours that the checker finds.
  package init(
    layout: Layout, gestures: [RecognizerSpec] = [], options: RouterOptions = RouterOptions(),
    report: @escaping (Violation) -> Void = { _ in }
  ) {
    self.layout = layout
    router = Router(layout: layout, gestures: gestures, options: options)
    self.report = report
  }

  // MARK: Devices

  /// Makes frames of what devices report, and routes them. Rules T2 and R4.
  ///
  /// - Parameters:
  ///   - events: In the order in which they happened.
  ///   - flags: What is special about the touches that begin with them, such as `injected`.
  public mutating func consume(_ events: ReusableArray<DeviceEvent>, flags: TouchFlags = []) {
    open()
    var next = 0
    while sequencer.takeFrame(of: events, from: &next) {
      // Lifts come first in a frame, and begans last (T3): of moves alone no more is asked.
      if !idle.isEmpty, sequencer.frame.touches.first?.phase.isFinal == true {
        noteActivity(where: \.isFinal, flags)
      }
      router.route(sequencer.frame, flags: flags, into: deliveries)
      if !idle.isEmpty, sequencer.frame.touches.last?.phase == .began {
        noteActivity(where: { $0 == .began }, flags)
      }
    }
  }

  /// What says whether clients may still watch and inhibit what they do: the layout, and how many
  /// attachments have ended.
  public struct IdleBasis: Equatable, BitwiseCopyable {
    fileprivate let generation: UInt32
    fileprivate let removalCount: Int
  }

  /// What says whether clients may still watch and inhibit what they do; nil where none does.
  public var idleBasis: IdleBasis? {
    guard idle.mayOutlive else { return nil }
    return IdleBasis(generation: router.generation, removalCount: router.removalCount)
  }

  /// Notes that fingers have come down or were lifted with the frame at hand. Rule D7.
  private mutating func noteActivity(where isMeant: (TouchPhase) -> Bool, _ flags: TouchFlags) {
    let frame = sequencer.frame
    for touch in frame.touches where isMeant(touch.phase) {
      idle.note(
        at: frame.time, screen: layout.screenName(frame.screen),
        window: idle.hasWindows ? router.window(of: touch.id, on: frame.device) : nil,
        isInjected: flags.contains(.injected))
    }
    tellIdle()
  }

  private mutating func tellIdle() {
    if idle.changes.isEmpty { return }
    for change in idle.changes { deliveries.entries.append(.idle(change)) }
    idle.removeChanges()
  }

  // MARK: Deliveries

  /// Whether something was asked of which the ``deliveries`` are yet to be taken.
  public var hasUntaken: Bool { stage == .growing }

  /// Gives away what must be sent of what was asked since the last time. It can be read until
  /// something further is asked, which goes into empty ``deliveries``.
  @inline(__always)
  public mutating func takeDeliveries() -> Deliveries {
    open()
    if !deliveries.gestures.isEmpty { findOrigins() }
    stage = .taken
    return deliveries
  }

  private func findOrigins() {
    for index in deliveries.gestures.indices {
      deliveries.origins.append(router.origin(of: deliveries.gestures[index].event))
    }
  }

  /// Checks what was delivered. It is done by itself before the next is asked, but its owner asks
  /// for ``nextDeadline`` behind it. Rule T5.
  public mutating func finishDeliveries() {
    if stage == .finished { return }
    if router.holdsTouches {
      let held = router.heldEnds
      checker.check(deliveries, isEndHeld: held.contains, report: report)
    } else {
      checker.check(deliveries, isEndHeld: { _ in false }, report: report)
    }
    nextDeadline = router.nextDeadline
    if let due = idle.nextDeadline { nextDeadline = nextDeadline.map { min($0, due) } ?? due }
    stage = .finished
  }

  /// Before anything is asked.
  @inline(__always)
  private mutating func open() {
    if stage == .growing { return }
    finishDeliveries()
    deliveries.removeAll()
    stage = .growing
  }

  // MARK: Clients

  /// Gives a responder to a client: ``Router/attach(_:by:as:at:into:)``.
  public mutating func attach(
    _ request: AttachRequest, by client: ClientID, as number: AttachmentID? = nil,
    at time: Timestamp
  ) throws(RoutingError) -> Attachment {
    open()
    return try router.attach(request, by: client, as: number, at: time, into: deliveries)
  }

  /// Ends an attachment at its client's wish: ``Router/detach(_:by:at:into:)``.
  public mutating func detach(
    _ attachment: AttachmentID, by client: ClientID, at time: Timestamp
  ) throws(RoutingError) {
    open()
    try router.detach(attachment, by: client, at: time, into: deliveries)
  }

  /// Ends an attachment that its client may no longer have: ``Router/revoke(_:at:into:)``.
  public mutating func revoke(_ attachment: Attachment, at time: Timestamp) {
    open()
    router.revoke(attachment, at: time, into: deliveries)
  }

  /// Takes a client's word that it keeps a touch: ``Router/accept(_:through:by:)``.
  public mutating func accept(
    _ touch: TouchID, through attachment: AttachmentID, by client: ClientID, at time: Timestamp
  ) {
    open()
    router.accept(touch, through: attachment, by: client, at: time, into: deliveries)
  }

  /// Takes a client's word that it does not want a touch:
  /// ``Router/decline(_:through:by:at:into:)``.
  @discardableResult
  public mutating func decline(
    _ touch: TouchID, through attachment: AttachmentID, by client: ClientID, at time: Timestamp
  ) -> Bool {
    open()
    return router.decline(touch, through: attachment, by: client, at: time, into: deliveries)
  }

  /// Takes silence until now for consent: ``Router/advance(to:)``.
  public mutating func advance(to time: Timestamp) {
    open()
    router.advance(to: time, into: deliveries)
    if idle.isEmpty { return }
    idle.advance(to: time) { router.isTouched($0, ignoresInjected: $1) }
    tellIdle()
  }

  /// Forgets a client that is gone: ``Router/clientWentAway(_:at:into:)``.
  public mutating func gone(_ client: ClientID, at time: Timestamp) {
    open()
    router.clientWentAway(client, at: time, into: deliveries)
    idle.removeAll(of: client)
  }

  /// Takes note that a client reads nothing, or does again:
  /// ``Router/setUnresponsive(_:_:at:into:)``.
  public mutating func setUnresponsive(
    _ client: ClientID, _ isUnresponsive: Bool, at time: Timestamp
  ) {
    open()
    router.setUnresponsive(client, isUnresponsive, at: time, into: deliveries)
  }

  /// Who may learn of touches on secure views; see ``reviewReaders(at:)`` for those that live.
  package var readers: SecureReaders {
    get { router.readers }
    set { router.readers = newValue }
  }

  /// Ends what those have of touches on secure views who may no longer learn of them. Rule F8.
  package mutating func reviewReaders(at time: Timestamp) {
    open()
    router.reviewReaders(at: time, into: deliveries)
  }

  // MARK: Touches and layouts

  /// Cancels a touch for everybody, as `requested`; whether somebody had it.
  @discardableResult
  public mutating func cancel(_ touch: TouchID, at time: Timestamp) -> Bool {
    open()
    return router.cancel(touch, at: time, into: deliveries)
  }

  /// Cancels every touch for everybody. Rule R9.
  public mutating func cancelAll(_ reason: CancelReason, at time: Timestamp) {
    open()
    router.cancelAll(reason, at: time, into: deliveries)
  }

  /// Makes a screen dark, or on: ``Router/setScreen(_:isOn:at:into:)``.
  package mutating func setScreen(
    _ screen: ScreenIndex, isOn: Bool, at time: Timestamp
  ) -> Bool {
    open()
    return router.setScreen(screen, isOn: isOn, at: time, into: deliveries)
  }

  /// Takes in whether somebody hears that a finger wakes a screen. Rule D5.
  package mutating func setScreen(
    _ screen: ScreenIndex, isAttended: Bool, at time: Timestamp
  ) {
    open()
    router.setScreen(screen, isAttended: isAttended, at: time, into: deliveries)
  }

  /// Makes a screen what it was to the daemon before, before the first touch. Rule D6.
  package mutating func restoreScreen(
    _ screen: ScreenIndex, _ state: ScreenState, at time: Timestamp
  ) {
    router.restoreScreen(screen, state, at: time)
  }

  /// Locks a screen: ``Router/lock(_:_:at:into:)``.
  package mutating func lock(
    _ screen: ScreenIndex, _ request: TouchLocks.Request, at time: Timestamp
  ) {
    open()
    router.lock(screen, request, at: time, into: deliveries)
  }

  /// Ends a screen's lock; false where it has none.
  package mutating func unlock(_ screen: ScreenIndex, _ cause: LockCause) -> Bool {
    open()
    return router.unlock(screen, cause, into: deliveries)
  }

  // MARK: Idleness, rules D7 and D8

  /// Has a client told once nobody has touched something for so long; returns the watch's number.
  package mutating func watchIdle(
    _ request: IdleWatches.Request, for client: ClientID, at time: Timestamp
  ) -> UInt32 {
    open()
    return idle.add(request, for: client, at: time)
  }

  /// Goes on with a watch of an earlier pipeline, by its number.
  package mutating func resumeIdle(
    _ watch: UInt32, _ request: IdleWatches.Request, isIdle: Bool, for client: ClientID,
    at time: Timestamp
  ) {
    open()
    idle.resume(watch, request, isIdle: isIdle, for: client, at: time)
  }

  /// Ends a watch; false where the client has no such one.
  package mutating func unwatchIdle(_ watch: UInt32, of client: ClientID) -> Bool {
    open()
    return idle.remove(watch, of: client)
  }

  /// Ends the watches that fulfil a condition.
  package mutating func endIdle(
    where isMeant: (_ client: ClientID, _ scope: IdleWatches.Scope) -> Bool
  ) {
    open()
    idle.removeAll(where: isMeant)
  }

  /// Keeps others from being told that windows are idle, by the attachments to these; nil for no
  /// longer.
  package mutating func setInhibitors(
    _ windows: [AttachmentID: IdleWatches.InhibitedWindow?], at time: Timestamp
  ) {
    open()
    idle.setInhibitors(windows, at: time)
    tellIdle()
  }

  /// Puts another layout in force, and other recognizers where they are given:
  /// ``Router/replaceLayout(_:prepared:gestures:at:into:)``.
  package mutating func replaceLayout(
    _ layout: Layout, prepared: PreparedLayout? = nil, gestures: [RecognizerSpec]? = nil,
    at time: Timestamp
  ) {
    open()
    router.replaceLayout(
      layout, prepared: prepared, gestures: gestures, at: time, into: deliveries)
    self.layout = layout
    if idle.isEmpty { return }
    idle.layoutChanged(at: time) { router.isTouched($0, ignoresInjected: $1) }
    tellIdle()
  }

  /// Has recognizers leave these numbers: ``Router/vacate(_:)``.
  package mutating func vacate(_ numbers: Set<RecognizerID>) { router.vacate(numbers) }

  /// Adds a recognizer, or puts it in the place of another one: ``Router/put(_:as:at:into:)``.
  package mutating func put(
    _ gesture: RecognizerSpec, as number: RecognizerID? = nil, at time: Timestamp
  ) {
    open()
    router.put(gesture, as: number, at: time, into: deliveries)
  }

  /// Takes a recognizer away: ``Router/remove(_:at:into:)``.
  package mutating func remove(_ gesture: RecognizerID, at time: Timestamp) {
    open()
    router.remove(gesture, at: time, into: deliveries)
  }

  // MARK: Settings

  /// What has happened on the way of the touches until now.
  public var counters: Wire.Counters {
    var counters = router.counters
    counters[.frames] += sequencer.frameCount
    counters[.strayEvents] += sequencer.strayEventCount
    counters[.violations] += checker.violationCount
    return counters
  }

  /// Limits and times; a change holds for what comes after it.
  public var options: RouterOptions {
    get { router.options }
    set { router.options = newValue }
  }

  /// Where the next frame, attachment and layout go on: ``Router/numbers``.
  public var numbers: Router.Numbers {
    get { router.numbers }
    set { router.numbers = newValue }
  }

  /// Goes on with the touches' ids where an earlier pipeline stopped; before the first event.
  public mutating func setNextTouch(_ id: UInt64) { sequencer = TouchSequencer(nextID: id) }
}
