import Gestures
import Layout
import TouchModel
import Wire

/// Shows touches to recognisers before clients get them, and carries out what that means for the
/// clients. Rules G2, G4 and G9 to G13.
struct GestureStage: ~Copyable {
  private var recognizers: [NumberedRecognizer] = []
  /// Those that went with the latest change, of which something may yet be told.
  private var gone: [NumberedRecognizer] = []
  /// The number of the next that is new.
  var nextID: UInt32 = 1
  /// The numbers that new ones of these paths get.
  var numbers: [String: RecognizerID] = [:]
  private var table: GestureTable
  private var engine = Gestures()
  /// Who gets the events of each recogniser of the table: fixed when it gets its first touch. Rule
  /// G13.
  private var recipients: [AttachmentID?] = []
  /// Whether each recogniser of the table has had a touch in a secure view, since its first one.
  /// Rule F7.
  private var secrets: [Bool] = []
  /// The recognisers that a touch that begins is offered to.
  private var offered: ReusableArray<RecognizerID> = []
  /// The touches whose end the frame at hand brings, and clients do not hear yet. Rule G10.
  private(set) var heldEnds: ReusableArray<TouchID> = []
  /// Whether no recogniser has a touch, or waits for one: then only
  /// ``begin(_:on:of:in:)`` need be called.
  private(set) var isIdle = true

  /// The recognisers of a layout.
  init(_ specs: [RecognizerSpec], in layout: Layout) {
    table = GestureTable([], in: layout)
    move(to: layout, specs)
  }

  /// Whether there is no recogniser.
  @inline(__always)
  var isEmpty: Bool { table.isEmpty }

  /// When ``advance(to:of:into:)`` must be called, though nothing happens. Rule G15.
  @inline(__always)
  var nextDeadline: Timestamp? { isIdle ? nil : engine.nextDeadline }

  /// What a recogniser is, or was before the latest change.
  func spec(of recognizer: RecognizerID) -> RecognizerSpec? {
    if let index = table.index(of: recognizer) { return table.members[index].spec }
    return (recognizers.first { $0.id == recognizer } ?? gone.first { $0.id == recognizer })?.spec
  }

  /// The number of the recogniser of that path.
  func number(of path: String) -> RecognizerID? {
    recognizers.first { $0.spec.path == path }?.id
  }

  // MARK: Frames

  /// Shows what a frame says of touches that have begun before. Rule G4.
  mutating func take(
    _ frame: TouchFrame, of live: inout LiveTouches, into deliveries: inout Deliveries
  ) {
    if frame.time.microseconds > 0 {
      let before = Timestamp(microseconds: frame.time.microseconds - 1)
      advance(to: before, of: &live, into: &deliveries)
    }
    for touch in frame.touches {
      switch touch.phase {
      case .moved: engine.move(touch.id, to: touch.location, of: frame.device)
      case .ended: engine.lift(touch.id, of: frame.device, at: frame.time)
      case .cancelled:
        let reason = touch.cancelReason ?? .requested
        engine.cancel(touch.id, of: frame.device, reason, at: frame.time)
      case .began, .stationary: break
      }
    }
    engine.decide(frame.device, at: frame.time)
    tell(of: &live, at: frame.time, ahead: frame, into: &deliveries)
    // Only now those are possible anew that nothing keeps.
    heldEnds.removeAll()
    for touch in frame.touches
    where touch.phase == .ended && engine.delaysEnd(of: touch.id, of: frame.device) {
      heldEnds.append(touch.id)
    }
  }

  /// Tells the checker which ends of the frame at hand clients do not hear yet, and forgets them.
  mutating func noteHeldEnds(of device: DeviceTouches, in deliveries: inout Deliveries) {
    for touch in heldEnds where device.holdsEnd(of: touch) { deliveries.note(.endHeld(touch)) }
    heldEnds.removeAll()
  }

  /// Offers a touch that begins to the recognisers of its target, of its superviews and of its
  /// screen, but to those whose events nobody would get. Rules G2 and G13.
  mutating func begin(
    _ touch: Touch, on target: ViewIndex?, of device: DeviceTouches, in live: borrowing LiveTouches
  ) {
    offered.removeAll()
    let isSecret = target.map { live.layout.secureRoot(of: $0) != nil } ?? false
    var view = target
    while let current = view {
      offer(table.recognizers(in: current), live, isSecret: isSecret)
      view = live.layout[current].parent
    }
    offer(table.recognizers(on: device.screen), live, isSecret: isSecret)
    if offered.isEmpty { return }
    engine.begin(
      touch.id, at: touch.location, of: device.device, for: offered, time: touch.time)
    isIdle = engine.isIdle
  }

  private mutating func offer(
    _ indices: [Int], _ live: borrowing LiveTouches, isSecret: Bool
  ) {
    for index in indices {
      let member = table.members[index]
      if !engine.isActive(member.id) {
        recipients[index] = member.recipient(
          in: live.layout, live.attachments, without: live.unresponsive)
        secrets[index] = false
      }
      if isSecret { secrets[index] = true }
      if recipients[index] != nil { offered.append(member.id) }
    }
  }

  /// Lets recognisers decide on the touches that begin with a frame, and keeps those from clients
  /// that recognisers have or may have. Rules G9 and G11.
  mutating func holdBack(
    _ frame: TouchFrame, on device: DeviceTouches, of live: inout LiveTouches,
    into deliveries: inout Deliveries
  ) {
    engine.decide(device.device, at: frame.time)
    for touch in frame.touches where touch.phase == .began {
      if engine.isTaken(touch.id, of: device.device) {
        let count: UInt64 = device.isHeld(touch.id) ? 1 : 0
        live.counters[.delivered] -= count
        live.counters[.discardedGesture] += count
        device.discard(touch.id, .gesture)
      } else if engine.delaysBeginning(of: touch.id, of: device.device) {
        device.holdBack(touch.id, live.options)
      }
    }
    tell(of: &live, at: frame.time, open: device, into: &deliveries)
  }

  // MARK: Time and clients

  /// Takes in that it is that time, and that all events up to it have come. Rule G15.
  mutating func advance(
    to time: Timestamp, of live: inout LiveTouches, into deliveries: inout Deliveries
  ) {
    while let deadline = nextDeadline, deadline <= time {
      engine.advance(to: deadline)
      tell(of: &live, at: deadline, into: &deliveries)
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
    for attachment in attachments {
      for index in recipients.indices where recipients[index] == attachment.id {
        engine.interrupt(table.members[index].id, reason, at: time)
      }
    }
    tell(of: &live, at: time, into: &deliveries)
  }

  // MARK: Another layout

  /// Cuts the gestures short that another layout, or other recognisers, will not have, or will have
  /// otherwise.
  ///
  /// - Parameter specs: The recognisers from then on; nil for the same.
  mutating func prepare(
    for new: Layout, _ specs: [RecognizerSpec]?, of live: inout LiveTouches, at time: Timestamp,
    into deliveries: inout Deliveries
  ) {
    if isIdle { return }
    var all = recognizers
    if let specs { all = numbered(specs) }
    let later = GestureTable(all, in: new)
    let kept = Dictionary(later.entries.map { ($0.id, $0.description) }) { first, _ in first }
    for entry in table.entries {
      guard let description = kept[entry.id] else {
        engine.interrupt(entry.id, .targetRemoved, at: time)
        continue
      }
      if description != entry.description { engine.disable(entry.id, at: time) }
    }
    tell(of: &live, at: time, into: &deliveries)
  }

  /// Goes over to another layout, or to other recognisers.
  mutating func move(to new: Layout, _ specs: [RecognizerSpec]?) {
    if let specs {
      let later = numbered(specs)
      let ids = Set(later.map(\.id))
      gone = recognizers.filter { !ids.contains($0.id) }
      nextID = max(nextID, (later.map(\.id.rawValue).max() ?? 0) + 1)
      recognizers = later
    }
    if recognizers.isEmpty && table.isEmpty { return }
    let members = table.members
    let before = Dictionary(zip(members.map(\.id), recipients)) { first, _ in first }
    let secret = Set(zip(members.map(\.id), secrets).filter(\.1).map(\.0))
    table = GestureTable(recognizers, in: new)
    recipients = table.members.map { before[$0.id] ?? nil }
    secrets = table.members.map { secret.contains($0.id) }
    engine.replace(table.entries)
    isIdle = engine.isIdle
  }

  /// Recognisers with their numbers: by their paths the same as now, or new ones.
  private func numbered(_ specs: [RecognizerSpec]) -> [NumberedRecognizer] {
    let known = Dictionary(recognizers.map { ($0.spec.path, $0.id) }) { first, _ in first }
    var next = nextID
    return specs.map { spec in
      if let id = known[spec.path] ?? numbers[spec.path] {
        return NumberedRecognizer(id: id, spec: spec)
      }
      defer { next += 1 }
      return NumberedRecognizer(id: RecognizerID(next), spec: spec)
    }
  }

  // MARK: What it means for clients

  /// Carries out what recognisers have decided, in order: what clients lose, what is told, and what
  /// they hear now that nobody wants it. Rules G9 to G13.
  ///
  /// - Parameters:
  ///   - open: The device of which the frame at hand has yet to be said, if one has.
  ///   - frame: The frame that clients' touches have yet to take in, if there is one.
  private mutating func tell(
    of live: inout LiveTouches, at time: Timestamp, open: DeviceTouches? = nil,
    ahead frame: TouchFrame? = nil, into deliveries: inout Deliveries
  ) {
    repeat {
      for index in engine.events.indices {
        tell(
          engine.events[index], of: &live, at: time, open: open, ahead: frame, into: &deliveries)
      }
      engine.removeEvents(at: time)
    } while !engine.events.isEmpty
    isIdle = engine.isIdle
    for device in live.devices.devices where device.holdsTouches {
      release(on: device, isOpen: device === open, of: &live, at: time, into: &deliveries)
      if device !== open { live.close(device) }
    }
  }

  private func tell(
    _ event: GestureEvent, of live: inout LiveTouches, at time: Timestamp, open: DeviceTouches?,
    ahead frame: TouchFrame?, into deliveries: inout Deliveries
  ) {
    guard let index = table.index(of: event.recognizer) else { return }
    if takesTouches(event, index) {
      var lost: Set<TouchID> = []
      engine.forEachTouch(of: event.recognizer) { lost.insert($0) }
      // They are cancelled where the frame has them. Rule T4.
      if let frame { live.devices.touches(of: frame.device).locate(frame.touches, among: lost) }
      live.cancel(.gesture, at: time, open: open, into: &deliveries) { lost.contains($0.touch) }
    }
    guard let attachment = recipients[index].flatMap({ live.attachments[$0] }) else { return }
    var touch: TouchID?
    if live.observer.isObserved {
      engine.forEachTouch(of: event.recognizer) { touch = touch ?? $0 }
    }
    deliveries.add(event, to: attachment, of: touch, isSecret: secrets[index])
  }

  /// Whether clients lose the recogniser's touches with an event. Rule G9.
  private func takesTouches(_ event: GestureEvent, _ index: Int) -> Bool {
    switch event.change {
    case .recognized, .began: table.members[index].cancelsTouches
    case .changed, .ended, .cancelled, .failed: false
    }
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

extension GestureTable.Member {
  /// The attachment that gets its events, if somebody does who handles gestures and reads: that of
  /// the responder named, else the nearest up the chain of its view. Rule G13.
  fileprivate func recipient(
    in layout: Layout, _ attachments: AttachmentTable, without unresponsive: Set<ClientID>
  ) -> AttachmentID? {
    func handler(_ responder: ResponderID) -> AttachmentID? {
      guard let attachment = attachments[holderOf: responder], attachment.handlesGestures,
        !unresponsive.contains(attachment.client)
      else { return nil }
      return attachment.id
    }
    switch target {
    case .nobody: return nil
    case .responder(let responder): return handler(responder)
    case .chain(let view):
      var next: ResponderID? = ResponderID(view)
      while let responder = next {
        if let attachment = handler(responder) { return attachment }
        next = layout.next(after: responder)
      }
      return nil
    }
  }
}
