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

  private var live: LiveTouches
  private var hitTester: HitTester
  private var gestures: GestureStage

  /// A router for a layout, without clients and touches.
  ///
  /// - Parameters:
  ///   - layout: The layout in force.
  ///   - gestures: The recognizers, each of a view or screen of it.
  ///   - options: Limits and times.
  package init(
    layout: Layout, gestures: [RecognizerSpec] = [], options: RouterOptions = RouterOptions()
  ) {
    live = LiveTouches(layout, options)
    self.gestures = GestureStage(gestures, in: layout)
    hitTester = HitTester(layout, isToChange: true)
  }

  /// The layout in force; see
  /// ``replaceLayout(_:prepared:gestures:at:into:)``.
  public var layout: Layout { _read { yield live.layout } }

  /// Limits and times; a change holds for what comes after it.
  public var options: RouterOptions {
    _read { yield live.options }
    _modify { yield &live.options }
  }

  /// What happened to touches until now.
  ///
  /// Two sums hold at every moment. `began = ended + cancelled + orphaned` and those that are still
  /// to be counted as one of these, see ``pendingTouchCount``. `began = delivered` and those
  /// discarded for every reason but `declined`: what everybody declined was delivered before.
  public var counters: Wire.Counters { live.counters }

  /// Who holds what.
  public var attachments: AttachmentTable { _read { yield live.attachments } }

  /// Whether observers are told.
  var isObserved: Bool {
    get { live.observer.isObserved }
    set {
      if newValue, !isObserved { gestures.beginObserving() }
      live.observer.isObserved = newValue
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
    _ frame: TouchFrame, flags: TouchFlags = [], into deliveries: inout Deliveries
  ) {
    deliveries.note(frame)
    live.settle(to: frame.time)
    let device = live.devices.touches(of: frame.device)
    device.open(screen: frame.screen, time: frame.time)
    let isWatched = !gestures.isIdle
    if isWatched { gestures.take(frame, of: &live, into: &deliveries) }
    let firstBegan = device.apply(
      frame.touches, holdingEndsOf: gestures.heldEnds, live.options, &live.counters)
    if !gestures.heldEnds.isEmpty { gestures.noteHeldEnds(of: device, in: &deliveries) }
    for index in firstBegan..<frame.touches.count where frame.touches[index].phase == .began {
      begin(frame.touches[index], flags: flags, on: device, into: &deliveries)
    }
    if firstBegan < frame.touches.count, isWatched || !gestures.isIdle {
      gestures.holdBack(frame, on: device, of: &live, into: &deliveries)
    }
    live.finishFrame(of: device, into: &deliveries)
  }

  /// Finds out once and for all who gets a touch.
  private mutating func begin(
    _ touch: Touch, flags: TouchFlags, on device: DeviceTouches, into deliveries: inout Deliveries
  ) {
    guard !device.contains(touch.id) else {
      live.counters[.strayEvents] += 1
      return
    }
    live.counters[.began] += 1
    if flags.contains(.injected) { live.counters[.injected] += 1 }
    let assignment = assign(touch, on: device)
    if case .discarded(let reason) = assignment.fate {
      if let counter = Wire.Counter(reason) { live.counters[counter] += 1 }
    } else {
      live.counters[.delivered] += 1
    }
    let placement = assignment.target.map { layout.placement(of: $0) }
    device.begin(touch, flags: flags, assignment, at: placement, live.walk, options)
    if gestures.isEmpty { return }
    switch assignment.fate {
    case .delivered, .discarded(.unhandled), .discarded(.noWindow):
      gestures.begin(
        touch, on: assignment.target, of: device, in: live, into: &deliveries)
    case .discarded, .dead: break
    }
  }

  /// Hit-tests a touch that begins, and walks up its target's chain; the links are then those of
  /// ``walk``. Rules H1, H7, R4, T8, T10 and T13.
  private mutating func assign(_ touch: Touch, on device: DeviceTouches) -> LiveTouch.Assignment {
    guard layout.contains(touch.location, on: device.screen) else {
      return LiveTouch.Assignment(fate: .discarded(.outsideScreen))
    }
    guard live.devices.liveTouchCount < options.maximumLiveTouches else {
      return LiveTouch.Assignment(fate: .discarded(.limit))
    }
    guard let target = hitTester.hitTest(touch.location, on: device.screen) else {
      return LiveTouch.Assignment(fate: .discarded(.noWindow))
    }
    if let reason = live.devices.reasonToKeepOut(touchesOf: target, of: layout) {
      return LiveTouch.Assignment(target: target, fate: .discarded(reason))
    }
    live.followChain(of: target)
    live.observer.keep(live.walk, of: touch.id, in: layout)
    guard live.walk.granted.contains(.began) else {
      return LiveTouch.Assignment(target: target, fate: .discarded(.unhandled))
    }
    return LiveTouch.Assignment(
      target: target, tapCount: device.tapCount(of: touch, on: target, options), fate: .delivered)
  }

  // MARK: Keeping and declining, rule R5

  /// When ``advance(to:into:)`` wants to be called; nil where nothing is waited for.
  public var nextDeadline: Timestamp? {
    guard let deadline = gestures.nextDeadline else { return live.devices.nextDeadline }
    return live.devices.nextDeadline.map { min($0, deadline) } ?? deadline
  }

  /// Takes silence until now for consent, as a frame of that time or later does too.
  public mutating func advance(to time: Timestamp, into deliveries: inout Deliveries) {
    live.settle(to: time)
    gestures.advance(to: time, of: &live, into: &deliveries)
  }

  /// Takes note that a client keeps a touch that came through one of its attachments: it can no
  /// longer decline it there.
  public mutating func accept(
    _ touch: TouchID, through attachment: AttachmentID, by client: ClientID, at time: Timestamp,
    into deliveries: inout Deliveries
  ) {
    for device in live.devices.devices
    where device.accept(touch, through: attachment, by: client) {
      live.close(device)
      return gestures.accept(touch, of: device, of: &live, at: time, into: &deliveries)
    }
    live.counters[.unknownTouches] += 1
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
    into deliveries: inout Deliveries
  ) -> Bool {
    for device in live.devices.devices {
      switch device.decline(touch, through: attachment, by: client, at: time) {
      case .unknown: continue
      case .late:
        live.counters[.lateDeclines] += 1
        return false
      case .done:
        deliveries.note(.declined(touch, attachment))
        live.passOn(touch, on: device, at: time, into: &deliveries)
        return true
      }
    }
    live.counters[.unknownTouches] += 1
    return false
  }

  // MARK: Clients

  /// Gives a responder to a client, which gets touches that begin from now on; who is pushed out
  /// loses its own, and is told. Rules R2, R3 and R6.
  ///
  /// - Parameter number: The attachment's, of those below ``numbers``; nil for the next.
  /// - Throws: ``RoutingError``; then nothing has changed.
  public mutating func attach(
    _ request: AttachRequest, by client: ClientID, as number: AttachmentID? = nil,
    at time: Timestamp, into deliveries: inout Deliveries
  ) throws(RoutingError) -> Attachment {
    try request.check()
    guard let responder = layout.responder(at: request.path) else {
      throw .noResponder(path: request.path, nearest: layout.nearestPath(to: request.path))
    }
    let limit = options.maximumAttachmentsPerClient
    if let holder = try attachments.check(request, of: responder, by: client, limit: limit) {
      end(holder, .takenOver, at: time, into: &deliveries)
      deliveries.entries.append(.detached(holder.client, holder.id, .takenOver))
    }
    let attachment = live.attachments.add(request, responder: responder, client: client, as: number)
    deliveries.note(.attached(attachment.id, client))
    return attachment
  }

  /// Ends an attachment at its client's wish; its touches are cancelled as `requested`, so that
  /// what began there ends there (rule T5).
  ///
  /// - Throws: ``RoutingError/notAttached(_:)``.
  public mutating func detach(
    _ id: AttachmentID, by client: ClientID, at time: Timestamp, into deliveries: inout Deliveries
  ) throws(RoutingError) {
    guard let attachment = attachments[id], attachment.client == client else {
      throw .notAttached(id)
    }
    end(attachment, .requested, at: time, into: &deliveries)
    deliveries.note(.detached(id))
  }

  /// Ends an attachment that its client may no longer have; its touches are cancelled as
  /// `requested`. Rule F6.
  public mutating func revoke(
    _ attachment: Attachment, at time: Timestamp, into deliveries: inout Deliveries
  ) {
    end(attachment, .requested, at: time, into: &deliveries)
    deliveries.entries.append(.detached(attachment.client, attachment.id, .notAllowed))
  }

  private mutating func end(
    _ attachment: Attachment, _ reason: CancelReason, at time: Timestamp,
    into deliveries: inout Deliveries
  ) {
    live.cancel(reason, at: time, into: &deliveries) { $0.attachment.id == attachment.id }
    gestures.end(of: [attachment], reason, of: &live, at: time, into: &deliveries)
    live.attachments.remove(attachment.id)
  }

  /// Forgets a client that is gone: its attachments, its touches, and only then its gestures, which
  /// let go of what they held back. Rule R7.
  public mutating func clientWentAway(
    _ client: ClientID, at time: Timestamp, into deliveries: inout Deliveries
  ) {
    deliveries.note(.wentAway(client))
    let held = gestures.isIdle ? [] : attachments.all.filter { $0.client == client }
    live.attachments.removeAll(of: client)
    live.unresponsive.remove(client)
    for device in live.devices.devices {
      live.counters[.orphaned] += UInt64(device.drop { $0.client == client })
    }
    gestures.end(of: held, .requested, of: &live, at: time, into: &deliveries)
  }

  /// Takes note that a client reads nothing, or does again. Its touches are cancelled, and while it
  /// does not read, its responders are not there for touches that begin. Rules F3 and R4.
  public mutating func setUnresponsive(
    _ client: ClientID, _ isUnresponsive: Bool, at time: Timestamp,
    into deliveries: inout Deliveries
  ) {
    if !isUnresponsive {
      live.unresponsive.remove(client)
    } else if live.unresponsive.insert(client).inserted {
      live.cancel(.clientUnresponsive, at: time, into: &deliveries) { $0.client == client }
    }
    guard isUnresponsive, !gestures.isIdle else { return }
    let held = attachments.all.filter { $0.client == client }
    gestures.end(of: held, .clientUnresponsive, of: &live, at: time, into: &deliveries)
  }

  /// Who may learn of touches on secure views.
  package var readers: SecureReaders {
    get { live.readers }
    set { live.readers = newValue }
  }

  /// Ends the touches and gestures on secure views for those who may no longer learn of them.
  /// Rule F8.
  mutating func reviewReaders(at time: Timestamp, into deliveries: inout Deliveries) {
    if live.layout.hasNoSecureView { return }
    live.cancelUnreadable(at: time, into: &deliveries)
    gestures.endUnreadable(of: &live, at: time, into: &deliveries)
  }

  // MARK: Cancelling, rule R9

  /// Cancels a touch for everybody, as `requested`. Returns whether somebody had it.
  @discardableResult
  public mutating func cancel(
    _ touch: TouchID, at time: Timestamp, into deliveries: inout Deliveries
  ) -> Bool {
    let isHeld = live.devices.devices.contains { $0.touch(touch)?.isLive ?? false }
    gestures.cancel(touch, of: &live, at: time, into: &deliveries)
    if isHeld { live.cancel(.requested, at: time, into: &deliveries) { $0.touch == touch } }
    return isHeld
  }

  /// Cancels every touch for everybody. What the fingers on the glass do further goes to nobody.
  public mutating func cancelAll(
    _ reason: CancelReason, at time: Timestamp, into deliveries: inout Deliveries
  ) {
    gestures.cancelAll(reason, of: &live, at: time, into: &deliveries)
    live.cancel(reason, at: time, into: &deliveries) { _ in true }
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
    at time: Timestamp, into deliveries: inout Deliveries
  ) {
    let change = prepared?.change ?? LayoutChange(from: layout, to: new)
    precondition(change.old === layout, "a layout is prepared to replace the one in force")
    gestures.prepare(for: change, specs, of: &live, at: time, into: &deliveries)
    removeAttachments(by: change, at: time, into: &deliveries)
    let kept = attachments.all
    live.attachments.move(by: change)
    live.layout = new
    generation &+= 1  // A program that does nothing else gets to the last number within days.
    if let prepared { prepared.move(&hitTester) } else { hitTester.move(to: new) }
    gestures.move(by: change, specs, of: live, at: time, into: &deliveries)
    for device in live.devices.devices { device.move(by: change, attachments) }
    for attachment in kept where change.isGeometryChanged(of: attachment.responder) {
      deliveries.entries.append(.layout(attachment.client, attachment.id))
    }
  }

  /// Adds a recognizer behind all others, or puts it in the place of the one of its path.
  package mutating func put(
    _ gesture: RecognizerSpec, as number: RecognizerID? = nil, at time: Timestamp,
    into deliveries: inout Deliveries
  ) { gestures.put(gesture, as: number, of: &live, at: time, into: &deliveries) }

  /// Gives other numbers to recognizers that have these, before the first touch. Rule R9.
  package mutating func vacate(_ ids: Set<RecognizerID>) { gestures.vacate(ids, in: layout) }

  /// Takes a recognizer away; what it has begun is cancelled as `targetRemoved`.
  package mutating func remove(
    _ gesture: RecognizerID, at time: Timestamp, into deliveries: inout Deliveries
  ) { gestures.remove(gesture, of: &live, at: time, into: &deliveries) }

  /// Ends the touches and gestures that a change of the layout ends, and the attachments of
  /// responders that it removes.
  private mutating func removeAttachments(
    by change: LayoutChange, at time: Timestamp, into deliveries: inout Deliveries
  ) {
    let removed = attachments.all.filter { change.counterpart(of: $0.responder) == nil }
    live.cancelTouches(by: change, without: removed, at: time, into: &deliveries)
    gestures.end(of: removed, .targetRemoved, of: &live, at: time, into: &deliveries)
    gestures.release(of: &live, at: time, into: &deliveries)
    for attachment in removed {
      live.attachments.remove(attachment.id)
      deliveries.entries.append(.detached(attachment.client, attachment.id, .removed))
    }
  }

  // MARK: Asking

  /// What a recognizer is, or was before the latest change.
  package func recognizer(_ id: RecognizerID) -> RecognizerSpec? { gestures.spec(of: id) }

  /// The kind and the path of the recognizer that an event is of.
  package func origin(of event: GestureEvent) -> (kind: GestureKind, path: String)? {
    gestures.origin(of: event)
  }

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

  /// Whether a client counts as one that reads nothing.
  public func isUnresponsive(_ client: ClientID) -> Bool { live.unresponsive.contains(client) }

  /// The touches that somebody gets.
  public var liveTouchCount: Int { live.devices.liveTouchCount }

  /// The touches that an attachment gets.
  public func liveTouchCount(of attachment: AttachmentID) -> Int {
    live.devices.devices.reduce(0) { $0 + $1.touchCount(of: attachment) }
  }

  /// The touches that a client gets, each counted once however many attachments it comes through.
  public func liveTouchCount(of client: ClientID) -> Int {
    live.devices.devices.reduce(0) { $0 + $1.touchCount(of: client) }
  }

  /// The touches on the glass that were neither cancelled for everybody nor orphaned; discarded
  /// ones are among them. `began = ended + cancelled + orphaned + pending`.
  public var pendingTouchCount: Int { live.devices.devices.reduce(0) { $0 + $1.pendingCount } }

  /// Where the next frame, the next attachment and the next layout go on. To set the numbers of an
  /// earlier router is for the time before the first of each.
  public var numbers: Numbers {
    get {
      Numbers(
        sequence: live.sequence, attachment: attachments.nextID, generation: generation,
        recognizer: gestures.nextID)
    }
    set {
      live.sequence = newValue.sequence
      live.attachments.nextID = newValue.attachment
      generation = newValue.generation
      gestures.nextID = max(gestures.nextID, newValue.recognizer)
    }
  }
}
