import Wire
import Layout
import TouchModel

/// The touches of all devices, what clients and observers are told of them, and what was counted.
///
/// It alone changes and counts them, and decides nothing: the router says what becomes of a touch.
struct LiveTouches: ~Copyable {
  /// What happened to touches until now.
  private(set) var counters = Wire.Counters()
  /// The number of the latest frame.
  private(set) var sequence: UInt64 = 0
  private var options: RouterOptions
  private var devices = DeviceTable()
  /// Tells observers, where there are any.
  private var observer = ObservationBuilder()

  /// Without touches yet.
  init(_ options: RouterOptions) { self.options = options }

  /// Takes other limits and times for what comes from now on.
  mutating func configure(_ options: RouterOptions) { self.options = options }

  /// Whether observers are told.
  var isObserved: Bool {
    get { observer.isObserved }
    set { observer.isObserved = newValue }
  }

  /// Goes on behind the frame of that number, which an earlier router has numbered.
  mutating func goOn(after sequence: UInt64) { self.sequence = sequence }

  // MARK: Frames

  /// Begins a device's frame: silence until then is consent. Rule R5.
  @inline(__always)
  mutating func open(_ frame: TouchFrame) -> DeviceTouches {
    settle(to: frame.time)
    let device = devices.touches(of: frame.device)
    device.open(screen: frame.screen, time: frame.time)
    return device
  }

  /// Takes what a frame says of touches that have begun before. Rule T3.
  ///
  /// - Parameter held: The touches whose end clients do not hear yet. Rule G10.
  /// - Returns: Where in the frame the first touch begins, or its end.
  @inline(__always)
  mutating func apply(
    _ frame: TouchFrame, on device: DeviceTouches, holdingEndsOf held: ReusableArray<TouchID>
  ) -> Int {
    device.apply(frame.touches, holdingEndsOf: held, options, &counters)
  }

  /// Whether as many touches live as may.
  var isFull: Bool { devices.liveTouchCount >= options.maximumLiveTouches }

  /// Counts a tap for a touch that begins. Rule T10.
  func tapCount(of touch: Touch, on target: ViewIndex, of device: DeviceTouches) -> UInt16 {
    device.tapCount(of: touch, on: target, options)
  }

  /// Whether a touch that begins is new; otherwise it is counted as a stray.
  mutating func isNew(_ touch: Touch, on device: DeviceTouches) -> Bool {
    if !device.contains(touch.id) { return true }
    counters[.strayEvents] += 1
    return false
  }

  /// Takes in a touch that begins with the frame at hand, and counts what becomes of it.
  ///
  /// - Parameter walk: The one up its target's chain.
  mutating func begin(
    _ touch: Touch, flags: TouchFlags, on device: DeviceTouches,
    _ assignment: LiveTouch.Assignment, _ walk: borrowing ChainWalk, in layout: Layout
  ) {
    counters[.began] += 1
    if flags.contains(.injected) { counters[.injected] += 1 }
    if case .discarded(let reason) = assignment.fate {
      if let counter = Wire.Counter(reason) { counters[counter] += 1 }
    } else {
      counters[.delivered] += 1
    }
    let placement = assignment.target.map { layout.placement(of: $0) }
    device.begin(touch, flags: flags, assignment, at: placement, walk, options)
  }

  /// Keeps the chain of a touch that begins for observers, where there are any.
  mutating func keepChain(_ walk: borrowing ChainWalk, of touch: TouchID, in layout: Layout) {
    observer.keep(walk, of: touch, in: layout)
  }

  /// Says the frame at hand of a device to everybody, and ends it. A touch of which the last share
  /// was cancelled is cancelled for good, though its finger stays on the glass.
  @inline(__always)
  mutating func finishFrame(
    of device: DeviceTouches, in layout: Layout, into deliveries: Deliveries
  ) {
    sequence += 1
    device.write(sequence: sequence, into: deliveries)
    if isObserved {
      observer.tell(of: device, sequence: sequence, in: layout, into: deliveries.observations)
    }
    close(device)
  }

  /// Forgets what is over of a device's frame at hand.
  @inline(__always)
  private mutating func close(_ device: DeviceTouches) {
    let cancelled = device.close(keepingLifted: options.maximumLiveTouches)
    if cancelled > 0 { counters[.cancelled] += UInt64(cancelled) }
  }

  // MARK: Cancelling

  /// Cancels the shares that fulfil the condition: a frame for each device that has one.
  ///
  /// - Parameter open: The device of which the frame at hand has yet to be said, if one has.
  mutating func cancel(
    _ reason: CancelReason, at time: Timestamp, open: DeviceTouches? = nil,
    in layout: Layout, into deliveries: Deliveries, where isMeant: (Share) -> Bool
  ) {
    for device in devices.devices {
      if device.cancel(reason, where: isMeant) {
        if device === open { device.openAhead(time: time) } else { device.open(time: time) }
        finishFrame(of: device, in: layout, into: deliveries)
      } else if device !== open {
        close(device)
      }
    }
  }

  /// Cancels the touches on secure views for those who may no longer learn of them. Rule F8.
  mutating func cancelUnreadable(
    at time: Timestamp, in context: borrowing RoutingContext, into deliveries: Deliveries
  ) {
    let targets = secureTargets(in: context)
    if targets.isEmpty { return }
    let (layout, attachments) = (context.layout, context.attachments)
    cancel(.requested, at: time, in: layout, into: deliveries) { share in
      guard let target = targets[share.touch] else { return false }
      return !target.mayRead(share.client, in: layout, attachments)
    }
  }

  /// Cancels the touches that a change of the layout ends, and those that attachments have part in
  /// which it removes. Rule R8.
  mutating func cancelTouches(
    by change: LayoutChange, without removed: [Attachment], at time: Timestamp,
    into deliveries: Deliveries
  ) {
    let ids = Set(removed.map(\.id))
    let lost = devices.touchesLost(by: change, without: ids)
    cancel(.targetRemoved, at: time, in: change.old, into: deliveries) {
      lost.contains($0.touch)
    }
    for device in devices.devices {
      // Those that had a part were cancelled; what is left only waits for a decline.
      _ = device.drop { ids.contains($0.attachment.id) }
    }
  }

  /// Drops the shares of a client that has disconnected, without a word. Rule R7.
  mutating func drop(_ client: ClientID) {
    for device in devices.devices {
      counters[.orphaned] += UInt64(device.drop { $0.client == client })
    }
  }

  // MARK: Keeping and declining, rule R5

  /// When ``settle(to:)`` makes a difference; nil where nothing is waited for.
  @inline(__always)
  var nextDeadline: Timestamp? { devices.nextDeadline }

  /// Takes silence until now for consent, where that makes a difference.
  @inline(__always)
  mutating func settle(to time: Timestamp) {
    if let deadline = devices.nextDeadline, deadline <= time { settle(at: time) }
  }

  private mutating func settle(at time: Timestamp) {
    for device in devices.devices {
      device.settle(at: time)
      close(device)
    }
  }

  /// Takes a client's word that it keeps a touch. Returns the touch's device; nil where the
  /// attachment does not have it.
  mutating func accept(
    _ touch: TouchID, through attachment: AttachmentID, by client: ClientID
  ) -> DeviceTouches? {
    for device in devices.devices
    where device.accept(touch, through: attachment, by: client) {
      close(device)
      return device
    }
    counters[.unknownTouches] += 1
    return nil
  }

  /// Takes a client's word that it does not want a touch. Returns the touch's device; nil where the
  /// attachment does not have it, or may not decline.
  mutating func decline(
    _ touch: TouchID, through attachment: AttachmentID, by client: ClientID, at time: Timestamp
  ) -> DeviceTouches? {
    for device in devices.devices {
      switch device.decline(touch, through: attachment, by: client, at: time) {
      case .unknown: continue
      case .late:
        counters[.lateDeclines] += 1
        return nil
      case .done: return device
      }
    }
    counters[.unknownTouches] += 1
    return nil
  }

  /// Gives what a decline left of a touch to those further up its chain.
  ///
  /// - Parameter walk: Is used to tell observers of its chain.
  mutating func passOn(
    _ touch: TouchID, on device: DeviceTouches, at time: Timestamp, by walk: inout ChainWalk,
    in context: borrowing RoutingContext, into deliveries: Deliveries
  ) {
    device.open(time: time)
    let deadline = decisionDeadline(from: time)
    if device.passOn(touch, deadline: deadline, sequence: &sequence, into: deliveries) {
      counters[.passedOn] += 1
    }
    if isObserved, let declined = device.touch(touch), let target = declined.target {
      context.followChain(of: target, by: &walk)
      observer.tell(
        ofDeclined: declined, on: device, walk, sequence: sequence, in: context.layout,
        into: deliveries.observations)
    }
    if !device.isHeld(touch) {
      counters[.discardedDeclined] += 1
      device.discard(touch, .declined)
    }
    close(device)
  }

  /// When the decision on a touch that a client gets at that time is due.
  private func decisionDeadline(from time: Timestamp) -> Timestamp {
    time.adding(milliseconds: options.decisionTimeoutMilliseconds)
  }

  // MARK: What recognizers decide, rules G9 to G11

  /// Takes the touches that clients lose to a recognizer ahead to where a frame has them. Rule T4.
  mutating func locate(_ frame: TouchFrame, among lost: Set<TouchID>) {
    devices.touches(of: frame.device).locate(frame.touches, among: lost)
  }

  /// Discards the touches that begin with the frame at hand and that a recognizer has taken.
  mutating func discardTaken(
    of frame: TouchFrame, on device: DeviceTouches, by gestures: borrowing GestureStage
  ) {
    for touch in frame.touches
    where touch.phase == .began && gestures.takes(touch.id, of: device.device) {
      if device.isHeld(touch.id) {
        counters[.delivered] -= 1
        counters[.discardedGesture] += 1
      }
      device.discard(touch.id, .gesture)
    }
  }

  /// Lets clients hear nothing of the touches that begin with the frame at hand and that a
  /// recognizer may take.
  func holdBack(
    _ frame: TouchFrame, on device: DeviceTouches, for gestures: borrowing GestureStage
  ) {
    for touch in frame.touches
    where touch.phase == .began && gestures.holdsBack(touch.id, of: device.device) {
      device.holdBack(touch.id, options)
    }
  }

  /// Gives clients what no recognizer holds back any more.
  ///
  /// - Parameter open: The device of which the frame at hand has yet to be said, if one has.
  mutating func release(
    from gestures: borrowing GestureStage, at time: Timestamp, open: DeviceTouches?,
    in layout: Layout, into deliveries: Deliveries
  ) {
    for device in devices.devices where device.holdsTouches {
      let isOpen = device === open
      let isReleased = device.releaseEnds { gestures.holdsEnd(of: $0, of: device.device) }
      device.open(time: time)
      // Of a frame at hand that has yet to be said they are a part.
      if isReleased, !isOpen { finishFrame(of: device, in: layout, into: deliveries) }
      device.release(
        where: { gestures.holdsBack($0, of: device.device) },
        butEndsWhere: { gestures.holdsEnd(of: $0, of: device.device) }, isOpen: isOpen,
        deadline: decisionDeadline(from: time), sequence: &sequence, into: deliveries)
      if !isOpen { close(device) }
    }
  }

  // MARK: Another layout, rule R8

  /// Goes over to another layout, without the touches that it ends.
  func move(by change: LayoutChange, _ attachments: AttachmentTable) {
    for device in devices.devices { device.move(by: change, attachments) }
  }

  // MARK: Asking

  /// The devices that are known.
  var deviceIDs: [DeviceID] { devices.devices.map(\.device) }

  /// Whether somebody gets what a touch does from now on.
  func isLive(_ touch: TouchID) -> Bool {
    devices.devices.contains { $0.touch(touch)?.isLive ?? false }
  }

  /// Whether clients may not hear yet of a touch, or of its end.
  var holdsTouches: Bool { devices.devices.contains { $0.holdsTouches } }

  /// The touches whose ends are held back. Rule G10.
  var heldEnds: [TouchID] { devices.devices.flatMap(\.heldEnds) }

  /// The touches that somebody gets.
  var liveTouchCount: Int { devices.liveTouchCount }

  /// The touches that an attachment gets.
  func liveTouchCount(of attachment: AttachmentID) -> Int {
    devices.devices.reduce(0) { $0 + $1.touchCount(of: attachment) }
  }

  /// The touches that a client gets, each counted once.
  func liveTouchCount(of client: ClientID) -> Int {
    devices.devices.reduce(0) { $0 + $1.touchCount(of: client) }
  }

  /// The touches on the glass that were neither cancelled for everybody nor orphaned.
  var pendingTouchCount: Int { devices.devices.reduce(0) { $0 + $1.pendingCount } }

  /// The touches that hit a view in a secure one, with that view. Rule F8.
  func secureTargets(in context: borrowing RoutingContext) -> [TouchID: SecureTarget] {
    let (readers, layout) = (context.readers, context.layout)
    var targets: [TouchID: SecureTarget] = [:]
    for device in devices.devices {
      device.forEachTarget { touch, target in
        targets[touch] = readers.target(target, in: layout)
      }
    }
    return targets
  }

  /// The touches on a screen that hit nothing, or a view that fulfils the condition, with their
  /// devices. One that has ended may be of a device that is on another screen by now.
  func touches(
    on screen: ScreenIndex, where isMeant: (ViewIndex) -> Bool
  ) -> [TouchID: DeviceID] {
    var touches: [TouchID: DeviceID] = [:]
    for device in devices.devices {
      device.forEachTouch(on: screen) { touch, target in
        if target.map(isMeant) ?? true { touches[touch] = device.device }
      }
    }
    return touches
  }

  /// Whether a contact is on the glass that fulfils the condition; with its target if it has one.
  func hasContact(where isMeant: (LiveTouch) -> Bool) -> Bool {
    devices.devices.contains { $0.hasContact(where: isMeant) }
  }

  /// The target of a touch, if it has one.
  func target(of touch: TouchID, on device: DeviceID) -> ViewIndex? {
    devices.devices.first { $0.device == device }?.touch(touch)?.target
  }

  /// Why a view gets no further touch for now, if it does not. Rule T13.
  func reasonToKeepOut(touchesOf target: ViewIndex, of layout: Layout) -> DiscardReason? {
    devices.reasonToKeepOut(touchesOf: target, of: layout)
  }
}
