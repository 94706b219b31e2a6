import Gestures
import Layout
import TouchModel
import Wire

/// Shows touches to recognizers before clients get them, and says what that means for clients:
/// which touches recognizers have taken, hold back and let go of. Rules G2, G4 and G9 to G13.
///
/// It changes no touch: the router carries out what it says.
struct GestureStage: ~Copyable {
  private(set) var table = GestureTable()
  private var engine = Gestures()
  private var options: RouterOptions
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
  /// The next of the engine's events to be told.
  private var nextEvent = 0
  /// Whether somebody listens for feedback. Rule D11.
  var givesFeedback = false
  /// Whether clients have lost the touches that the next event takes.
  private var isCarriedOut = false

  /// The recognizers of a layout.
  init(_ specs: [RecognizerSpec], in layout: Layout, _ options: RouterOptions) {
    self.options = options
    move(to: layout, specs)
  }

  /// Takes other limits and times for what comes from now on.
  mutating func configure(_ options: RouterOptions) { self.options = options }

  /// Whether there is no recognizer.
  @inline(__always)
  var isEmpty: Bool { table.isEmpty }

  /// When ``advance(to:)`` must be called, though nothing happens. Rule G15.
  @inline(__always)
  var nextDeadline: Timestamp? { isIdle ? nil : engine.nextDeadline }

  /// What a recognizer is, or was before the latest change.
  func spec(of recognizer: RecognizerID) -> RecognizerSpec? {
    table.spec(of: recognizer) ?? gone[recognizer]
  }

  /// The kind and the path of an event's recognizer, also if the latest change removed it.
  func origin(of event: GestureEvent) -> GestureOrigin {
    table.origin(of: event) ?? spec(of: event.recognizer).map(GestureOrigin.init) ?? .unknown
  }

  /// Takes in whether somebody observes from now on.
  mutating func observe(_ isObserved: Bool) {
    observer.observe(isObserved, with: engine.activeRecognizers)
  }

  // MARK: Frames

  /// Shows what a frame says of touches that have begun before. Rule G4.
  mutating func take(_ frame: TouchFrame) { engine.take(frame) }

  /// Notes which ends, with which a frame begins, clients do not hear yet. Rule G10.
  ///
  /// - Parameter device: The frame's, whose touches have yet to take it in.
  mutating func noteHeldEnds(of frame: TouchFrame, on device: DeviceTouches) {
    // Only now those are possible anew that nothing keeps.
    heldEnds.removeAll()
    for position in frame.touches.indices {
      let phase = frame.touches[position].phase
      guard phase.isFinal else { return }
      let touch = frame.touches[position].id
      if phase == .ended, holdsEnd(of: touch, of: frame.device) || device.isHeldBack(touch) {
        heldEnds.append(touch)
      }
    }
  }

  /// Forgets which ends the frame at hand has and clients do not hear yet.
  mutating func forgetHeldEnds() { heldEnds.removeAll() }

  /// Offers a touch that begins to the recognizers of its target, of its superviews and of its
  /// screen, but to those whose events nobody would get. Rules G2 and G13.
  mutating func begin(
    _ touch: Touch, on target: ViewIndex?, of device: DeviceTouches,
    in context: borrowing RoutingContext, into deliveries: Deliveries
  ) {
    offered.removeAll()
    let secureTarget = context.secureTarget(target)
    offerConfigured(touch, on: target, context, secureTarget: secureTarget, into: deliveries)
    offerAdded(touch, context, secureTarget: secureTarget, into: deliveries)
    let level = target.map { context.layout.window(of: $0).level } ?? .min
    for index in table.recognizers(on: device.screen) where table.members[index].level >= level {
      offer(touch, to: index, context, secureTarget: secureTarget, into: deliveries)
    }
    if offered.isEmpty { return }
    engine.begin(
      touch.id, at: touch.location, of: device.device, for: offered, time: touch.time)
    share(touch.id, on: target, of: device.device, in: context)
    isIdle = engine.isIdle
  }

  /// Bounds for how long those that a touch was offered to may hold it back, where other clients
  /// may hear of it than their own: those that hold a responder of its target's chain. Rule G17.
  private mutating func share(
    _ touch: TouchID, on target: ViewIndex?, of device: DeviceID,
    in context: borrowing RoutingContext
  ) {
    guard let target else { return }
    let holders = ChainHolders(of: target, in: context.layout, context.attachments)
    for position in offered.indices {
      let index = offered[position]
      guard let recipient = table.members[index].recipient,
        let client = context.attachments[recipient]?.client, holders.areOther(than: client)
      else { continue }
      engine.share(touch, of: device, with: index, upTo: options.holdLimitMilliseconds)
    }
  }

  /// Offers a touch to the recognizers of its target and of its superviews that are configured, and
  /// notes the views that have others.
  private mutating func offerConfigured(
    _ touch: Touch, on target: ViewIndex?, _ context: borrowing RoutingContext,
    secureTarget: SecureTarget?,
    into deliveries: Deliveries
  ) {
    addingViews.removeAll()
    var view = target
    while let current = view {
      var hasAdded = false
      for index in table.recognizers(in: current) {
        if table.members[index].adder != nil {
          hasAdded = true
        } else {
          offer(touch, to: index, context, secureTarget: secureTarget, into: deliveries)
        }
      }
      if hasAdded { addingViews.append(current) }
      view = context.layout[current].parent
    }
  }

  /// Offers a touch to the recognizers that clients have added to its views: the outermost views'
  /// first, up to a limit, so that who holds something in a view shuts out none of that view's.
  /// Rule G2.
  private mutating func offerAdded(
    _ touch: Touch, _ context: borrowing RoutingContext, secureTarget: SecureTarget?,
    into deliveries: Deliveries
  ) {
    var left = options.maximumAddedRecognizersPerTouch
    for position in addingViews.indices.reversed() {
      for index in table.recognizers(in: addingViews[position])
      where table.members[index].adder != nil {
        if left == 0 { return }
        left -= 1
        offer(touch, to: index, context, secureTarget: secureTarget, into: deliveries)
      }
    }
  }

  /// Offers a touch to a recognizer, if somebody gets its events.
  ///
  /// - Parameter secureTarget: Its target where that is in a secure view: then only if its events
  ///   go to somebody who may learn of it. Rule F8.
  private mutating func offer(
    _ touch: Touch, to index: Int, _ context: borrowing RoutingContext, secureTarget: SecureTarget?,
    into deliveries: Deliveries
  ) {
    let member = table.members[index]
    if !engine.isActive(at: index) {
      table.setRecipient(
        member.recipient(in: context.layout, context.attachments, without: context.unresponsive),
        at: index)
    }
    guard let recipient = table.members[index].recipient else {
      if member.isEnabled {
        observer.tellPassedBy(
          member.id, touch, isSecure: secureTarget != nil, into: deliveries)
      }
      return
    }
    if let secureTarget {
      guard member.mayRead(secureTarget, for: recipient, context) else { return }
      table.noteSecure(at: index)
    }
    offered.append(index)
  }

  /// Lets recognizers decide on the touches that begin with a frame of a device.
  mutating func decide(
    on device: DeviceID, at time: Timestamp, in context: borrowing RoutingContext,
    into deliveries: Deliveries
  ) {
    review(at: time, in: context, into: deliveries)
    engine.decide(device, at: time)
  }

  /// Whether recognizers that waited when touches began wait no more: see
  /// ``offerAgain(_:of:in:into:)``.
  var hasRefusals: Bool { !engine.refusals.isEmpty }

  /// Offers touches that begin with a frame to those recognizers that waited when they came, and
  /// wait no more. Rule G7.
  mutating func offerAgain(
    _ frame: TouchFrame, of device: DeviceTouches, in context: borrowing RoutingContext,
    into deliveries: Deliveries
  ) {
    // Before the first of them is taken: then they are active again.
    let idle = Set(engine.refusals.map(\.recognizer).filter { !engine.isActive($0) })
    for touch in frame.touches where touch.phase == .began {
      offered.removeAll()
      let target = device.touch(touch.id)?.target
      let secureTarget = context.secureTarget(target)
      for refusal in engine.refusals
      where refusal.touch == touch.id && idle.contains(refusal.recognizer) {
        guard let index = table.index(of: refusal.recognizer) else { continue }
        offer(touch, to: index, context, secureTarget: secureTarget, into: deliveries)
      }
      engine.begin(
        touch.id, at: touch.location, of: device.device, for: offered, time: touch.time)
      share(touch.id, on: target, of: device.device, in: context)
    }
    engine.removeRefusals()
  }

  // MARK: Verdicts

  /// Whether a touch that begins is for recognizers alone. Rule G9.
  func takes(_ touch: TouchID, of device: DeviceID) -> Bool {
    engine.isTaken(touch, of: device)
  }

  /// Whether clients hear nothing of a touch yet. Rule G11.
  func holdsBack(_ touch: TouchID, of device: DeviceID) -> Bool {
    engine.delaysBeginning(of: touch, of: device)
  }

  /// Whether clients do not hear of the end of a touch yet. Rule G10.
  func holdsEnd(of touch: TouchID, of device: DeviceID) -> Bool {
    engine.delaysEnd(of: touch, of: device)
  }

  /// Tells what recognizers have decided, up to the next that takes touches from clients.
  ///
  /// - Returns: The touches that clients lose now, before it is called again; nil once all is told.
  ///   Rule G9.
  @inline(__always)
  mutating func tell(
    at time: Timestamp, in context: borrowing RoutingContext, into deliveries: Deliveries
  ) -> Set<TouchID>? {
    repeat {
      while nextEvent < engine.events.count {
        if !isCarriedOut, let taken = touchesTaken(byEventAt: nextEvent) {
          isCarriedOut = true
          return taken
        }
        isCarriedOut = false
        tell(nextEvent, in: context, into: deliveries)
        nextEvent += 1
      }
      nextEvent = 0
      engine.removeEvents(at: time)
    } while !engine.events.isEmpty
    isIdle = engine.isIdle
    review(at: time, in: context, into: deliveries)
    return nil
  }

  @inline(__always)
  private func touchesTaken(byEventAt position: Int) -> Set<TouchID>? {
    let index = engine.events[position].index
    guard table.members[index].cancelsTouches, engine.events[position].change.hasRecognized else {
      return nil
    }
    var taken: Set<TouchID> = []
    engine.forEachTouch(of: table.members[index].id) { taken.insert($0) }
    return taken
  }

  /// Tells observers, where there are any, which recognizers take part now.
  @inline(__always)
  private mutating func review(
    at time: Timestamp, in context: borrowing RoutingContext, into deliveries: Deliveries
  ) {
    if observer.isObserved {
      observer.review(engine, table, context, at: time, into: deliveries)
    }
  }

  /// Tells one of the engine's events, by its position.
  @inline(__always)
  private func tell(
    _ position: Int, in context: borrowing RoutingContext, into deliveries: Deliveries
  ) {
    if observer.isObserved {
      observer.tell(engine.events[position], of: engine, table, context, into: deliveries)
    }
    guard let recipient = table.members[engine.events[position].index].recipient,
      let client = context.attachments[recipient]?.client
    else { return }
    deliveries.add(engine.events[position], to: recipient.id, of: client)
    if givesFeedback, engine.events[position].change.hasRecognized {
      giveFeedback(for: position, in: context.layout, into: deliveries)
    }
  }

  /// Gives the feedback of a recognizer that has recognized or begun, where it has one and no touch
  /// in a secure view. Rules D10 and D12.
  private func giveFeedback(
    for position: Int, in layout: Layout, into deliveries: Deliveries
  ) {
    let event = engine.events[position]
    guard !table.members[event.index].isSecure, let spec = table.spec(of: event.recognizer),
      let name = spec.feedbackName, let screen = table.screen(at: event.index, in: layout)
    else { return }
    deliveries.add(Feedback(.gesture, on: screen, at: event.time, name: name, target: spec.path))
  }

  // MARK: Time and clients

  /// Takes in that it is that time, and that all events up to it have come. Rule G15.
  mutating func advance(to time: Timestamp) { engine.advance(to: time) }

  /// Takes a client's word that it keeps a touch. Rule G8.
  mutating func accept(_ touch: TouchID, of device: DeviceID, at time: Timestamp) {
    engine.accept(touch, of: device, at: time)
  }

  /// Takes in that a touch is over for everybody, though its finger may stay. Rule G12.
  mutating func cancel(
    _ touch: TouchID, of device: DeviceID, _ reason: CancelReason, at time: Timestamp
  ) {
    engine.cancel(touch, of: device, reason, at: time)
    engine.decide(device, at: time)
  }

  /// Cuts all gestures short. Rule G12.
  mutating func cancelAll(_ reason: CancelReason, at time: Timestamp) {
    engine.cancelAll(reason, at: time)
  }

  /// Cuts the gestures short that some attachments hear of. Rule G12.
  mutating func end(of attachments: [Attachment], _ reason: CancelReason, at time: Timestamp) {
    let ended = Set(attachments.map(\.id))
    for recognizer in engine.activeRecognizers {
      guard let recipient = table[recognizer]?.recipient, ended.contains(recipient.id) else {
        continue
      }
      engine.interrupt(recognizer, reason)
    }
    engine.decide(at: time)
  }

  /// Cuts the gestures short that have a touch of which those who hear of them may no longer learn.
  /// Rule F8.
  ///
  /// - Parameter targets: The touches that hit a view in a secure one, with that view.
  mutating func endUnreadable(
    _ targets: [TouchID: SecureTarget], at time: Timestamp, in context: borrowing RoutingContext
  ) {
    for recognizer in engine.activeRecognizers {
      guard let index = table.index(of: recognizer), let recipient = table.members[index].recipient
      else { continue }
      let member = table.members[index]
      var isReadable = true
      engine.forEachTouch(of: recognizer) { touch in
        guard let target = targets[touch] else { return }
        // The view may have become secure since the touch was offered.
        table.noteSecure(at: index)
        isReadable = isReadable && member.mayRead(target, for: recipient, context)
      }
      if !isReadable { engine.interrupt(recognizer, .requested) }
    }
    engine.decide(at: time)
  }

  // MARK: Other recognizers

  /// Cuts short what a recognizer has begun in whose place another one is to be put.
  ///
  /// - Returns: Whether there is one; then what that comes to must be told before
  ///   ``put(_:as:at:in:into:)``.
  mutating func disable(
    forPutting spec: RecognizerSpec, as number: RecognizerID?, at time: Timestamp
  ) -> Bool {
    guard let id = table.id(of: spec.path) ?? number, let old = table.spec(of: id),
      old.description != spec.description
    else { return false }
    engine.disable(id)
    engine.decide(at: time)
    return true
  }

  /// Adds a recognizer, or puts it in the place of the one of its path. Its number is that which
  /// that one has, or the one given, or the next. What others there are does not matter for what it
  /// costs.
  mutating func put(
    _ spec: RecognizerSpec, as number: RecognizerID?, at time: Timestamp,
    in context: borrowing RoutingContext, into deliveries: Deliveries
  ) {
    let id = table.id(of: spec.path) ?? number ?? RecognizerID(nextID)
    nextID = max(nextID, id.rawValue &+ 1)
    if table.change(spec, id, in: context.layout) {
      table.entry(of: id, withNames: false, in: context.layout).map { engine.change($0) }
    } else {
      table.put(spec, id, in: context.layout)
      table.entry(of: id, in: context.layout).map { engine.put($0) }
    }
    isIdle = engine.isIdle
    review(at: time, in: context, into: deliveries)
  }

  /// Lets those go on that wait for nobody any more, as others were put or replaced. Rule G7.
  mutating func reconsider(at time: Timestamp) { engine.reconsider(at: time) }

  /// Gives other numbers to those that have one of these, which programs of the daemon before know
  /// as theirs: a configuration may have more recognizers since. Nothing has touches yet. Rule R9.
  mutating func vacate(_ numbers: Set<RecognizerID>, in layout: Layout) {
    let others = table.recognizers(leaving: numbers, for: &nextID)
    table = GestureTable(others, in: layout, like: table)
    engine.replace(table.entries(in: layout))
  }

  /// Cuts short what a recognizer has begun that is to be taken away.
  ///
  /// - Returns: Whether it is there; then what that comes to must be told before ``remove(_:)``.
  mutating func interrupt(_ id: RecognizerID, at time: Timestamp) -> Bool {
    guard table.spec(of: id) != nil else { return false }
    engine.interrupt(id, .targetRemoved)
    engine.decide(at: time)
    return true
  }

  /// Takes a recognizer away. What others there are does not matter for what it costs.
  mutating func remove(_ id: RecognizerID) {
    guard let spec = table.spec(of: id) else { return }
    gone = [id: spec]
    table.remove(id)
    engine.remove(id)
    isIdle = engine.isIdle
  }

  // MARK: Another layout

  /// Cuts the gestures short that another layout, or other recognizers, will not have, or will have
  /// otherwise.
  ///
  /// - Parameter specs: The recognizers from then on; nil for the same.
  /// - Returns: Whether something may have to be told of it.
  mutating func prepare(
    for change: LayoutChange, _ specs: [RecognizerSpec]?, at time: Timestamp
  ) -> Bool {
    if isIdle || specs == nil && change.keepsViews { return false }
    if specs == nil, mayMoveAlong(change) {
      for recognizer in engine.activeRecognizers where !table.isKept(recognizer, by: change) {
        engine.interrupt(recognizer, .targetRemoved)
      }
      engine.decide(at: time)
      return true
    }
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
    return true
  }

  /// Goes over to another layout, or to other recognizers. Where it has the same views and
  /// recognizers, this costs a look at each view that has some, and more for those that moved.
  /// Where it has other views, it costs a look at each recognizer.
  mutating func move(
    by change: LayoutChange, _ specs: [RecognizerSpec]?, at time: Timestamp,
    in context: borrowing RoutingContext, into deliveries: Deliveries
  ) {
    guard specs == nil, change.keepsViews else {
      if specs == nil, mayMoveAlong(change) {
        moveAlong(change)
      } else {
        move(to: change.new, specs)
      }
      return review(at: time, in: context, into: deliveries)
    }
    table.forEachRecognizer(ofViewsWhere: change.isMoved) { index in
      guard let orientation = table.orientation(at: index, in: change.new) else { return }
      engine.turn(at: index, to: orientation)
    }
  }

  /// Whether the recognizers of another layout are those of this one, but for those whose views go.
  private func mayMoveAlong(_ change: LayoutChange) -> Bool {
    change.old.screens == change.new.screens && table.withoutOwner.isEmpty
  }

  /// Has recognizers go along with their views, and those go whose views go.
  private mutating func moveAlong(_ change: LayoutChange) {
    gone = [:]
    table.forEachTurned(by: change) { engine.turn(at: $0, to: $1) }
    table.move(by: change) { engine.remove($0) }
    engine.renumber { owner in
      if owner < 0 { return owner }
      return change.counterpart(of: ViewIndex(Int32(owner))).map { Int($0.rawValue) } ?? owner
    }
    isIdle = engine.isIdle
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

extension GestureTable.Member {
  /// Whether who gets its events may learn by them of a touch that hit a view in a secure one. A
  /// screen's must say so itself. Rule F8.
  fileprivate func mayRead(
    _ target: SecureTarget, for recipient: AttachmentTable.Place,
    _ context: borrowing RoutingContext
  ) -> Bool {
    if isOfScreen { return seesSecure }
    guard let client = context.attachments[recipient]?.client else { return false }
    return target.mayRead(client, in: context.layout, context.attachments)
  }
}
