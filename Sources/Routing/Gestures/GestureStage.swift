import Gestures
import Layout
import TouchModel
import Wire

/// Shows touches to recognizers before clients get them, and carries out what that means for the
/// clients. Rules G2, G4 and G9 to G13.
struct GestureStage: ~Copyable {
  private(set) var table = GestureTable()
  private var engine = Gestures()
  private var observer = RecognizerObserver()
  /// Those that went with the latest change, of which something may yet be told.
  private var gone: [RecognizerID: RecognizerSpec] = [:]
  /// The number of the next that is new.
  var nextID: UInt32 = 1
  /// The recognizers that a touch that begins is offered to.
  private var offered: ReusableArray<Int> = []
  /// The views of such a touch to which clients have added some, from its target up.
  private var addingViews: ReusableArray<ViewIndex> = []
  /// The touches whose end the frame at hand brings, and clients do not hear yet. Rule G10.
  private(set) var heldEnds: ReusableArray<TouchID> = []
  /// Whether no recognizer has a touch, or waits for one: then only
  /// ``begin(_:on:of:in:into:)`` need be called.
  private(set) var isIdle = true

  /// The recognizers of a layout.
  init(_ specs: [RecognizerSpec], in layout: Layout) { move(to: layout, specs) }

  /// Whether there is no recognizer.
  @inline(__always)
  var isEmpty: Bool { table.isEmpty }

  /// When ``advance(to:of:into:)`` must be called, though nothing happens. Rule G15.
  @inline(__always)
  var nextDeadline: Timestamp? { isIdle ? nil : engine.nextDeadline }

  /// What a recognizer is, or was before the latest change.
  func spec(of recognizer: RecognizerID) -> RecognizerSpec? {
    table.spec(of: recognizer) ?? gone[recognizer]
  }

  /// The kind and the path of the recognizer that an event is of.
  func origin(of event: GestureEvent) -> (kind: GestureKind, path: String)? {
    if let origin = table.origin(of: event) { return origin }
    return spec(of: event.recognizer).map { ($0.description.kind, $0.path) }
  }

  /// Takes in that somebody observes from now on.
  mutating func beginObserving() { observer.begin(with: engine.activeRecognizers) }

  // MARK: Frames

  /// Shows what a frame says of touches that have begun before. Rule G4.
  mutating func take(
    _ frame: TouchFrame, of live: inout LiveTouches, into deliveries: inout Deliveries
  ) {
    if frame.time.microseconds > 0 {
      let before = Timestamp(microseconds: frame.time.microseconds - 1)
      advance(to: before, of: &live, into: &deliveries)
    }
    engine.take(frame)
    tellEvents(of: &live, at: frame.time, ahead: frame, into: &deliveries)
    // What a touch that begins makes recognizers tell comes before what is replayed. Rule G11.
    let begins = frame.touches.last?.phase == .began
    if !begins { release(of: &live, at: frame.time, into: &deliveries) }
    // Only now those are possible anew that nothing keeps.
    heldEnds.removeAll()
    holdEnds(of: frame, live.devices.touches(of: frame.device))
  }

  /// Notes which ends, with which a frame begins, clients do not hear yet. Rule G10.
  private mutating func holdEnds(of frame: TouchFrame, _ device: DeviceTouches) {
    for position in frame.touches.indices {
      let phase = frame.touches[position].phase
      guard phase.isFinal else { return }
      let touch = frame.touches[position].id
      if phase == .ended,
        engine.delaysEnd(of: touch, of: frame.device) || device.isHeldBack(touch)
      {
        heldEnds.append(touch)
      }
    }
  }

  /// Tells the checker which ends of the frame at hand clients do not hear yet, and forgets them.
  mutating func noteHeldEnds(of device: DeviceTouches, in deliveries: inout Deliveries) {
    for touch in heldEnds where device.holdsEnd(of: touch) { deliveries.note(.endHeld(touch)) }
    heldEnds.removeAll()
  }

  /// Offers a touch that begins to the recognizers of its target, of its superviews and of its
  /// screen, but to those whose events nobody would get. Rules G2 and G13.
  mutating func begin(
    _ touch: Touch, on target: ViewIndex?, of device: DeviceTouches,
    in live: borrowing LiveTouches, into deliveries: inout Deliveries
  ) {
    offered.removeAll()
    let secureTarget = live.layout.isSecure(target) ? target : nil
    offerConfigured(touch, on: target, live, secureTarget: secureTarget, into: &deliveries)
    offerAdded(touch, live, secureTarget: secureTarget, into: &deliveries)
    let level = target.map { live.layout.window(of: $0).level } ?? .min
    for index in table.recognizers(on: device.screen) where table.members[index].level >= level {
      offer(touch, to: index, live, secureTarget: secureTarget, into: &deliveries)
    }
    if offered.isEmpty { return }
    engine.begin(
      touch.id, at: touch.location, of: device.device, for: offered, time: touch.time)
    share(touch.id, on: target, of: device.device, in: live)
    isIdle = engine.isIdle
  }

  /// Bounds for how long those that a touch was offered to may hold it back, where other clients
  /// may hear of it than their own: those that hold a responder of its target's chain. Rule G17.
  private mutating func share(
    _ touch: TouchID, on target: ViewIndex?, of device: DeviceID, in live: borrowing LiveTouches
  ) {
    guard let target else { return }
    let holders = ChainHolders(of: target, in: live.layout, live.attachments)
    for position in offered.indices {
      let index = offered[position]
      guard let recipient = table.members[index].recipient,
        let client = live.attachments[recipient]?.client, holders.areOther(than: client)
      else { continue }
      engine.share(touch, of: device, with: index, upTo: live.options.holdLimitMilliseconds)
    }
  }

  /// Offers a touch to the recognizers of its target and of its superviews that are configured, and
  /// notes the views that have others.
  private mutating func offerConfigured(
    _ touch: Touch, on target: ViewIndex?, _ live: borrowing LiveTouches, secureTarget: ViewIndex?,
    into deliveries: inout Deliveries
  ) {
    addingViews.removeAll()
    var view = target
    while let current = view {
      var hasAdded = false
      for index in table.recognizers(in: current) {
        if table.members[index].adder != nil {
          hasAdded = true
        } else {
          offer(touch, to: index, live, secureTarget: secureTarget, into: &deliveries)
        }
      }
      if hasAdded { addingViews.append(current) }
      view = live.layout[current].parent
    }
  }

  /// Offers a touch to the recognizers that clients have added to its views: the outermost views'
  /// first, up to a limit, so that who holds something in a view shuts out none of that view's.
  /// Rule G2.
  private mutating func offerAdded(
    _ touch: Touch, _ live: borrowing LiveTouches, secureTarget: ViewIndex?,
    into deliveries: inout Deliveries
  ) {
    var left = live.options.maximumAddedRecognizersPerTouch
    for position in addingViews.indices.reversed() {
      for index in table.recognizers(in: addingViews[position])
      where table.members[index].adder != nil {
        if left == 0 { return }
        left -= 1
        offer(touch, to: index, live, secureTarget: secureTarget, into: &deliveries)
      }
    }
  }

  /// Offers a touch to a recognizer, if somebody gets its events.
  ///
  /// - Parameter secureTarget: Its target where that is in a secure view: then only if its events
  ///   go to somebody who may learn of it. Rule F8.
  private mutating func offer(
    _ touch: Touch, to index: Int, _ live: borrowing LiveTouches, secureTarget: ViewIndex?,
    into deliveries: inout Deliveries
  ) {
    let member = table.members[index]
    if !engine.isActive(at: index) {
      table.setRecipient(
        member.recipient(in: live.layout, live.attachments, without: live.unresponsive), at: index)
    }
    guard let recipient = table.members[index].recipient else {
      if member.isEnabled {
        observer.tellPassedBy(
          member.id, touch, isSecure: secureTarget != nil, live, into: &deliveries)
      }
      return
    }
    if let secureTarget {
      guard member.mayRead(secureTarget, for: recipient, live) else { return }
      table.noteSecure(at: index)
    }
    offered.append(index)
  }

  /// Lets recognizers decide on the touches that begin with a frame, and keeps those from clients
  /// that recognizers have or may have. Rules G9 and G11.
  mutating func holdBack(
    _ frame: TouchFrame, on device: DeviceTouches, of live: inout LiveTouches,
    into deliveries: inout Deliveries
  ) {
    observer.review(engine, table, live, at: frame.time, into: &deliveries)
    engine.decide(device.device, at: frame.time)
    for touch in frame.touches where touch.phase == .began {
      if engine.isTaken(touch.id, of: device.device) {
        let count: UInt64 = device.isHeld(touch.id) ? 1 : 0
        live.counters[.delivered] -= count
        live.counters[.discardedGesture] += count
        device.discard(touch.id, .gesture)
      }
    }
    holdBackBegun(frame, on: device, live.options)
    tellEvents(of: &live, at: frame.time, open: device, into: &deliveries)
    if !engine.refusals.isEmpty {
      offerAgain(frame, of: device, in: live, into: &deliveries)
      observer.review(engine, table, live, at: frame.time, into: &deliveries)
      engine.decide(device.device, at: frame.time)
      holdBackBegun(frame, on: device, live.options)
      tellEvents(of: &live, at: frame.time, open: device, into: &deliveries)
    }
    release(of: &live, at: frame.time, open: device, into: &deliveries)
  }

  private func holdBackBegun(
    _ frame: TouchFrame, on device: DeviceTouches, _ options: RouterOptions
  ) {
    for touch in frame.touches
    where touch.phase == .began && engine.delaysBeginning(of: touch.id, of: device.device) {
      device.holdBack(touch.id, options)
    }
  }

  /// Offers touches that begin with a frame to those recognizers that waited when they came, and
  /// wait no more. Rule G7.
  private mutating func offerAgain(
    _ frame: TouchFrame, of device: DeviceTouches, in live: borrowing LiveTouches,
    into deliveries: inout Deliveries
  ) {
    // Before the first of them is taken: then they are active again.
    let idle = Set(engine.refusals.map(\.recognizer).filter { !engine.isActive($0) })
    for touch in frame.touches where touch.phase == .began {
      offered.removeAll()
      for refusal in engine.refusals
      where refusal.touch == touch.id && idle.contains(refusal.recognizer) {
        guard let index = table.index(of: refusal.recognizer) else { continue }
        let target = device.touch(touch.id)?.target
        offer(
          touch, to: index, live, secureTarget: live.layout.isSecure(target) ? target : nil,
          into: &deliveries)
      }
      engine.begin(
        touch.id, at: touch.location, of: device.device, for: offered, time: touch.time)
      share(touch.id, on: device.touch(touch.id)?.target, of: device.device, in: live)
    }
    engine.removeRefusals()
  }

  // MARK: Time and clients

  /// Takes in that it is that time, and that all events up to it have come. Rule G15.
  mutating func advance(
    to time: Timestamp, of live: inout LiveTouches, into deliveries: inout Deliveries
  ) {
    while let deadline = nextDeadline, deadline <= time {
      // Those that hold touches for too long come behind what else is due then. Rule G17.
      while let next = nextDeadline, next <= deadline {
        engine.advance(to: deadline)
        tellEvents(of: &live, at: deadline, into: &deliveries)
      }
      release(of: &live, at: deadline, into: &deliveries)
    }
  }

  /// Takes a client's word that it keeps a touch. Rule G8.
  mutating func accept(
    _ touch: TouchID, of device: DeviceTouches, of live: inout LiveTouches, at time: Timestamp,
    into deliveries: inout Deliveries
  ) {
    if isIdle { return }
    engine.accept(touch, of: device.device, at: time)
    tell(of: &live, at: time, into: &deliveries)
  }

  /// Takes in that a touch is over for everybody, though its finger may stay. Rule G12.
  mutating func cancel(
    _ touch: TouchID, of live: inout LiveTouches, at time: Timestamp,
    into deliveries: inout Deliveries
  ) {
    if isIdle { return }
    for device in live.devices.devices {
      engine.cancel(touch, of: device.device, .requested, at: time)
      engine.decide(device.device, at: time)
    }
    tell(of: &live, at: time, into: &deliveries)
  }

  /// Cuts all gestures short. Rule G12.
  mutating func cancelAll(
    _ reason: CancelReason, of live: inout LiveTouches, at time: Timestamp,
    into deliveries: inout Deliveries
  ) {
    if isIdle { return }
    engine.cancelAll(reason, at: time)
    tell(of: &live, at: time, into: &deliveries)
  }

  /// Cuts the gestures short that some attachments hear of. Rule G12.
  mutating func end(
    of attachments: [Attachment], _ reason: CancelReason, of live: inout LiveTouches,
    at time: Timestamp, into deliveries: inout Deliveries
  ) {
    if isIdle { return }
    let ended = Set(attachments.map(\.id))
    for recognizer in engine.activeRecognizers {
      guard let recipient = table[recognizer]?.recipient, ended.contains(recipient.id) else {
        continue
      }
      engine.interrupt(recognizer, reason)
    }
    engine.decide(at: time)
    tell(of: &live, at: time, into: &deliveries)
  }

  /// Cuts the gestures short that have a touch of which those who hear of them may no longer learn.
  /// Rule F8.
  mutating func endUnreadable(
    of live: inout LiveTouches, at time: Timestamp, into deliveries: inout Deliveries
  ) {
    if isIdle { return }
    for recognizer in engine.activeRecognizers {
      guard let member = table[recognizer], let recipient = member.recipient else { continue }
      var isReadable = true
      engine.forEachTouch(of: recognizer) { touch in
        for device in live.devices.devices {
          guard let target = device.touch(touch)?.target, live.layout.isSecure(target) else {
            continue
          }
          isReadable = isReadable && member.mayRead(target, for: recipient, live)
        }
      }
      if !isReadable { engine.interrupt(recognizer, .requested) }
    }
    engine.decide(at: time)
    tell(of: &live, at: time, into: &deliveries)
  }

  // MARK: Other recognizers

  /// Adds a recognizer, or puts it in the place of the one of its path. Its number is that which
  /// that one has, or the one given, or the next. What others there are does not matter for what it
  /// costs.
  mutating func put(
    _ spec: RecognizerSpec, as number: RecognizerID?, of live: inout LiveTouches,
    at time: Timestamp, into deliveries: inout Deliveries
  ) {
    let id = table.id(of: spec.path) ?? number ?? RecognizerID(nextID)
    nextID = max(nextID, id.rawValue &+ 1)
    if let old = table.spec(of: id), old.description != spec.description {
      engine.disable(id)
      engine.decide(at: time)
      tell(of: &live, at: time, into: &deliveries)
    }
    table.put(spec, id, in: live.layout)
    if let entry = table.entry(of: id, in: live.layout) { engine.put(entry) }
    isIdle = engine.isIdle
    observer.review(engine, table, live, at: time, into: &deliveries)
  }

  /// Gives other numbers to those that have one of these, which programs of the daemon before know
  /// as theirs: a configuration may have more recognizers since. Nothing has touches yet. Rule R9.
  mutating func vacate(_ numbers: Set<RecognizerID>, in layout: Layout) {
    let others = table.recognizers(leaving: numbers, for: &nextID)
    table = GestureTable(others, in: layout, like: table)
    engine.replace(table.entries(in: layout))
  }

  /// Takes a recognizer away, and cuts short what it has begun. What others there are does not
  /// matter for what it costs.
  mutating func remove(
    _ id: RecognizerID, of live: inout LiveTouches, at time: Timestamp,
    into deliveries: inout Deliveries
  ) {
    guard let spec = table.spec(of: id) else { return }
    engine.interrupt(id, .targetRemoved)
    engine.decide(at: time)
    tell(of: &live, at: time, into: &deliveries)
    gone = [id: spec]
    table.remove(id)
    engine.remove(id)
    isIdle = engine.isIdle
  }

  // MARK: Another layout

  /// Cuts the gestures short that another layout, or other recognizers, will not have, or will have
  /// otherwise. What that lets go of is for ``release(of:at:open:into:)``, once the touches and
  /// attachments that go are gone.
  ///
  /// - Parameter specs: The recognizers from then on; nil for the same.
  mutating func prepare(
    for change: LayoutChange, _ specs: [RecognizerSpec]?, of live: inout LiveTouches,
    at time: Timestamp, into deliveries: inout Deliveries
  ) {
    if isIdle || specs == nil && change.keepsViews { return }
    let later = table(of: specs, in: change.new)
    for recognizer in engine.activeRecognizers {
      guard let kept = later[recognizer], kept.hasOwner else {
        engine.interrupt(recognizer, .targetRemoved)
        continue
      }
      if later.spec(of: recognizer)?.description != table.spec(of: recognizer)?.description {
        engine.disable(recognizer)
      }
    }
    engine.decide(at: time)
    tellEvents(of: &live, at: time, into: &deliveries)
  }

  /// Goes over to another layout, or to other recognizers. Where it has the same views and
  /// recognizers, this costs a look at each view that has some, and more for those that moved.
  mutating func move(
    by change: LayoutChange, _ specs: [RecognizerSpec]?, of live: borrowing LiveTouches,
    at time: Timestamp, into deliveries: inout Deliveries
  ) {
    guard specs == nil, change.keepsViews else {
      move(to: change.new, specs)
      return observer.review(engine, table, live, at: time, into: &deliveries)
    }
    table.forEachRecognizer(ofViewsWhere: change.isMoved) { index in
      guard let orientation = table.orientation(at: index, in: change.new) else { return }
      engine.turn(table.members[index].id, to: orientation)
    }
  }

  private mutating func move(to new: Layout, _ specs: [RecognizerSpec]?) {
    if specs == nil && table.isEmpty { return }
    let later = table(of: specs, in: new)
    gone = [:]
    for (id, spec) in table.recognizers {
      if later.index(of: id) == nil { gone[id] = spec }
    }
    table = later
    nextID = max(nextID, (table.recognizers.map(\.id.rawValue).max() ?? 0) &+ 1)
    engine.replace(table.entries(in: new))
    isIdle = engine.isIdle
  }

  /// The recognizers with their numbers, in a layout: by their paths the same as now, or new ones.
  private func table(of specs: [RecognizerSpec]?, in layout: Layout) -> GestureTable {
    guard let specs else { return GestureTable(table.recognizers, in: layout, like: table) }
    var next = nextID
    let numbered = specs.map { spec in
      if let id = table.id(of: spec.path) { return (id, spec) }
      // Programs are refused long before: only a configuration comes here with great numbers.
      defer { next &+= 1 }
      return (RecognizerID(next), spec)
    }
    return GestureTable(numbered, in: layout, like: table)
  }

  // MARK: What it means for clients

  /// Carries out what recognizers have decided, in order: what clients lose, what is told, and what
  /// they hear now that nobody wants it. Rules G9 to G13.
  private mutating func tell(
    of live: inout LiveTouches, at time: Timestamp, into deliveries: inout Deliveries
  ) {
    tellEvents(of: &live, at: time, into: &deliveries)
    release(of: &live, at: time, into: &deliveries)
  }

  /// Tells what recognizers have decided. What that lets go of is for
  /// ``release(of:at:open:into:)``.
  ///
  /// - Parameters:
  ///   - open: The device of which the frame at hand has yet to be said, if one has.
  ///   - frame: The frame that clients' touches have yet to take in, if there is one.
  private mutating func tellEvents(
    of live: inout LiveTouches, at time: Timestamp, open: DeviceTouches? = nil,
    ahead frame: TouchFrame? = nil, into deliveries: inout Deliveries
  ) {
    repeat {
      for position in engine.events.indices {
        tell(position, of: &live, at: time, open: open, ahead: frame, into: &deliveries)
      }
      engine.removeEvents(at: time)
    } while !engine.events.isEmpty
    isIdle = engine.isIdle
    observer.review(engine, table, live, at: time, into: &deliveries)
  }

  /// Gives clients what no recognizer holds back any more. It comes behind all that recognizers
  /// tell at that time. Rules G10 and G11.
  func release(
    of live: inout LiveTouches, at time: Timestamp, open: DeviceTouches? = nil,
    into deliveries: inout Deliveries
  ) {
    for device in live.devices.devices where device.holdsTouches {
      release(on: device, isOpen: device === open, of: &live, at: time, into: &deliveries)
      if device !== open { live.close(device) }
    }
  }

  /// Tells one of the engine's events, by its position.
  private func tell(
    _ position: Int, of live: inout LiveTouches, at time: Timestamp, open: DeviceTouches?,
    ahead frame: TouchFrame?, into deliveries: inout Deliveries
  ) {
    let index = engine.events[position].index
    if table.members[index].cancelsTouches, engine.events[position].change.hasRecognized {
      var lost: Set<TouchID> = []
      engine.forEachTouch(of: table.members[index].id) { lost.insert($0) }
      // They are cancelled where the frame has them. Rule T4.
      if let frame { live.devices.touches(of: frame.device).locate(frame.touches, among: lost) }
      live.cancel(.gesture, at: time, open: open, into: &deliveries) { lost.contains($0.touch) }
    }
    if live.observer.isObserved {
      observer.tell(engine.events[position], of: engine, table, live, into: &deliveries)
    }
    guard let recipient = table.members[index].recipient,
      let client = live.attachments[recipient]?.client
    else { return }
    deliveries.add(engine.events[position], to: recipient.id, of: client)
  }

  private func release(
    on device: DeviceTouches, isOpen: Bool, of live: inout LiveTouches, at time: Timestamp,
    into deliveries: inout Deliveries
  ) {
    let isReleased = device.releaseEnds(where: { engine.delaysEnd(of: $0, of: device.device) })
    device.open(time: time)
    // Of a frame at hand that has yet to be said they are a part.
    if isReleased, !isOpen { live.finishFrame(of: device, into: &deliveries) }
    device.release(
      where: { engine.delaysBeginning(of: $0, of: device.device) },
      butEndsWhere: { engine.delaysEnd(of: $0, of: device.device) }, isOpen: isOpen,
      deadline: time.adding(milliseconds: live.options.decisionTimeoutMilliseconds),
      sequence: &live.sequence, into: &deliveries)
  }
}

extension GestureEvent.Change {
  /// Whether a recognizer has recognized with it: then clients may lose its touches. Rule G9.
  fileprivate var hasRecognized: Bool {
    switch self {
    case .recognized, .began: true
    case .changed, .ended, .cancelled, .failed: false
    }
  }
}

extension Layout {
  /// Whether a touch on a view is in a secure one. Rule F7.
  fileprivate func isSecure(_ view: ViewIndex?) -> Bool {
    view.map { secureRoot(of: $0) != nil } ?? false
  }
}

extension GestureTable.Member {
  /// Whether who gets its events may learn by them of a touch that hit a view in a secure one. A
  /// screen's must say so itself. Rule F8.
  fileprivate func mayRead(
    _ target: ViewIndex, for recipient: AttachmentTable.Place, _ live: borrowing LiveTouches
  ) -> Bool {
    if isOfScreen { return seesSecure }
    guard let client = live.attachments[recipient]?.client else { return false }
    return live.mayRead(target, client)
  }
}
