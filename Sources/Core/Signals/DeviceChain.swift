import TouchModel

/// The filters of one device: raw events in, clean events out. Rule N1.
///
/// It judges contacts at each frame mark, and at its ``deadline``. In this order: dead zones and
/// edge as a contact lands, then speed, ghosts, the least time, the end with its bridge, smoothing,
/// and last whether it is stuck. Whether it is a palm is looked at with the ghosts.
struct DeviceChain {
  /// As many contacts as the sequencer follows.
  private static let contactLimit = 256
  /// Below are the device's own slots.
  private static let firstOutput: Int32 = 1 << 20
  /// A slot in which nothing ever lives: the sequencer counts its events as stray. Rule T6.
  private static let straySlot = Int32.min

  let device: DeviceID
  private let settings: SignalSettings
  private let edge: EdgeHold
  /// In the order in which they landed.
  private var contacts: [SignalContact] = []
  private var landings: ReusableArray<Landing> = []
  private var ghosts: GhostFinder
  private let palm: PalmCheck?
  /// By slot, as far as they are known. Rule N12.
  private var sizes: [ContactSize] = []
  /// The latest time that the device gave; nothing is stamped with an earlier one.
  private var latest = Timestamp(microseconds: 0)
  private var lastOutput = DeviceChain.firstOutput
  /// When it must be told the time; nil where nothing waits.
  private(set) var deadline: Timestamp?
  private(set) var counts = SignalCounts()
  /// Whether ``notes`` is filled.
  var isObserved = false
  /// What the filters did, until the stage takes it.
  var notes: ReusableArray<SignalNote> = []

  init(_ device: DeviceID, _ settings: SignalSettings, region: Rect) {
    self.device = device
    self.settings = settings
    edge = EdgeHold(settings.edge, of: region)
    ghosts = GhostFinder(settings.ghosts, contacts: Self.contactLimit)
    palm = settings.palm.map { PalmCheck($0) }
    contacts.reserveCapacity(16)
  }

  /// The device's own slot of a contact; nil once it is over.
  func source(of output: Int32) -> Int32? {
    contacts.first { $0.output == output }?.slot
  }

  /// Takes how large the contact in a slot is.
  mutating func note(_ size: ContactSize, in slot: Int32) {
    guard palm != nil, slot >= 0, slot < Self.contactLimit else { return }
    while sizes.count <= Int(slot) { sizes.append(ContactSize(major: 0, minor: 0)) }
    sizes[Int(slot)] = size
  }

  /// Forgets how large contacts are.
  mutating func forgetSizes() { sizes.removeAll(keepingCapacity: true) }

  // MARK: Events

  /// Takes an event of the device. What was due before its time has been done.
  mutating func take(_ event: DeviceEvent, into events: inout ReusableArray<DeviceEvent>) {
    switch event {
    case .down(_, let slot, let screen, let location, let time):
      landings.append(
        Landing(slot: slot, screen: screen, point: location, time: max(latest, time)))
    case .motion(_, let slot, let location, _):
      guard let index = index(ofDown: slot, &events) else { return events.append(event) }
      contacts[index].reported = location
    case .up(_, let slot, _):
      guard let index = index(ofDown: slot, &events) else { return events.append(event) }
      contacts[index].ending = .lifted
    case .cancel(_, let slot, let reason, _):
      guard let index = index(ofDown: slot, &events) else { return events.append(event) }
      contacts[index].ending = .cancelled(reason)
    case .frame(_, let time):
      landAll(into: &events)
      judgeReport(at: time, into: &events)
    case .lost:
      landings.removeAll()
      contacts.removeAll(keepingCapacity: true)
      deadline = nil
      events.append(event)
    }
  }

  /// Does what is due until a time, that included.
  mutating func advance(to time: Timestamp, into events: inout ReusableArray<DeviceEvent>) {
    while let due = deadline, due <= time { fire(at: due, into: &events) }
  }

  /// Ends what waits, before the filters change. No finger is down then (rule T11).
  mutating func finish(into events: inout ReusableArray<DeviceEvent>) {
    landAll(into: &events)
    for index in contacts.indices { end(index) }
    say(at: latest, into: &events)
  }

  private mutating func fire(at due: Timestamp, into events: inout ReusableArray<DeviceEvent>) {
    latest = max(latest, due)
    for index in contacts.indices { judge(index, at: latest, isReport: false) }
    say(at: latest, into: &events)
  }

  /// The contact that is down in a slot, though it has landed in the report at hand.
  private mutating func index(
    ofDown slot: Int32, _ events: inout ReusableArray<DeviceEvent>
  ) -> Int? {
    if !landings.isEmpty, landings.contains(where: { $0.slot == slot }) { landAll(into: &events) }
    return index(ofDown: slot)
  }

  private func index(ofDown slot: Int32) -> Int? {
    for index in contacts.indices
    where contacts[index].slot == slot && contacts[index].isDown {
      return index
    }
    return nil
  }

  // MARK: Landing

  /// A contact that lands with the report at hand. It waits until all is known that the report
  /// lifts, which libinput may name behind it: it gives what a report has in the order of slots.
  private struct Landing: BitwiseCopyable {
    let slot: Int32
    let screen: ScreenIndex
    let point: Point
    let time: Timestamp
  }

  private mutating func landAll(into events: inout ReusableArray<DeviceEvent>) {
    for landing in landings where !land(landing) {
      events.append(.up(device, slot: Self.straySlot, time: landing.time))
    }
    landings.removeAll()
  }

  /// Takes a contact that lands; false where it is none (rule T6). It may be the rest of one that
  /// was lifted. Rule N2.
  private mutating func land(_ landing: Landing) -> Bool {
    let (slot, screen) = (landing.slot, landing.screen)
    let (point, time) = (landing.point, landing.time)
    guard index(ofDown: slot) == nil, contacts.count < Self.contactLimit else { return false }
    if let index = bridgeable(to: point, at: time, on: screen) {
      contacts[index].slot = slot
      contacts[index].liftTime = nil
      contacts[index].ending = nil
      contacts[index].reported = point
      // What is between is no way that a finger went.
      contacts[index].speed = nil
      // What has not begun begins where the finger is now: its target is what is touched.
      if contacts[index].stage == .held {
        contacts[index].start = point
        contacts[index].isNew = true
      }
      note(.bridged, index, at: point, time)
      return true
    }
    contacts.append(
      SignalContact(slot: slot, output: nextOutput(), screen: screen, point: point, time: time))
    return true
  }

  /// A slot of those that the sequencer sees, for another contact.
  private mutating func nextOutput() -> Int32 {
    lastOutput = lastOutput == .max ? Self.firstOutput : lastOutput + 1
    return lastOutput
  }

  /// The nearest of the contacts that a landing may continue.
  private func bridgeable(
    to point: Point, at time: Timestamp, on screen: ScreenIndex
  ) -> Int? {
    guard let bridge = settings.bridge else { return nil }
    var nearest: Int?
    var least = bridge.distance
    for index in contacts.indices {
      guard let lift = contacts[index].lift(asOf: time), contacts[index].screen == screen,
        time <= lift.adding(milliseconds: bridge.milliseconds)
      else { continue }
      let distance = contacts[index].point.distance(to: point)
      if distance <= least { (nearest, least) = (index, distance) }
    }
    return nearest
  }

  // MARK: Judging

  private mutating func judgeReport(
    at time: Timestamp, into events: inout ReusableArray<DeviceEvent>
  ) {
    latest = max(latest, time)
    for index in contacts.indices { move(index, at: latest) }
    if !settings.ghosts.isEmpty { findGhosts(at: latest) }
    if let palm { find(palm, at: latest) }
    for index in contacts.indices { judge(index, at: latest, isReport: true) }
    say(at: latest, into: &events, isReport: true)
  }

  /// Takes where the device says that a contact is, if a finger can have got there. Rule N5.
  private mutating func move(_ index: Int, at time: Timestamp) {
    guard let reported = contacts[index].reported else { return }
    contacts[index].reported = nil
    guard let fastest = settings.maximumSpeed else { return contacts[index].point = reported }
    if contacts[index].speed == nil {
      contacts[index].speed = SpeedLimit(
        fastest, from: contacts[index].point, at: contacts[index].startTime)
    }
    switch contacts[index].speed?.judge(reported, at: time) {
    case .reached, nil: contacts[index].point = reported
    case .dropped: note(.outlier, index, at: reported, time)
    case .began(let start):
      split(index, at: start, time)
      contacts[index].point = reported
    }
  }

  /// Another finger is in the slot of a contact: that one ends where it was. Rule N5.
  private mutating func split(_ index: Int, at start: Point, _ time: Timestamp) {
    note(.split, index, at: start, time)
    let former = contacts[index]
    ghosts.forget(former.output)
    var next = SignalContact(
      slot: former.slot, output: nextOutput(), screen: former.screen, point: start, time: time)
    next.speed = former.speed
    next.ending = former.ending
    if former.stage == .dropped { next.stage = .dropped }
    if former.stage == .shown { next.news.replaced = former.output }
    contacts[index] = next
  }

  private mutating func findGhosts(at time: Timestamp) {
    ghosts.begin(at: time)
    for contact in contacts where contact.liftTime == nil {
      ghosts.note(contact.output, state(of: contact), contact.point, at: time)
    }
    for index in contacts.indices where contacts[index].liftTime == nil {
      let contact = contacts[index]
      if ghosts.isGhost(contact.output, state(of: contact), contact.point, at: time) {
        drop(index, .ghost, at: time)
      }
    }
  }

  private mutating func find(_ palm: PalmCheck, at time: Timestamp) {
    for index in contacts.indices where contacts[index].liftTime == nil {
      let slot = Int(contacts[index].slot)
      if sizes.indices.contains(slot), palm.isPalm(sizes[slot]) { drop(index, .palm, at: time) }
    }
  }

  private func state(of contact: SignalContact) -> GhostFinder.State {
    contact.ending != nil ? .lifted : contact.isNew ? .landed : .down
  }

  /// Judges one contact: at a report, or where something is due.
  private mutating func judge(_ index: Int, at time: Timestamp, isReport: Bool) {
    if !isReport, let start = contacts[index].speed?.confirm(at: time), contacts[index].isDown {
      split(index, at: start, time)
    }
    if contacts[index].isNew { judgeLanding(index, at: time) }
    let begins = contacts[index].stage == .held && release(index, at: time)
    judgeEnd(index, at: time)
    if contacts[index].stage == .shown, isReport || begins { smooth(index, at: time) }
    watch(index, at: time)
  }

  /// Looks at where a contact landed. Rules N6 and N7.
  private mutating func judgeLanding(_ index: Int, at time: Timestamp) {
    contacts[index].isNew = false
    guard contacts[index].stage == .held else { return }
    let start = contacts[index].start
    if settings.deadZones.contains(where: { $0.contains(start) }) {
      contacts[index].stage = .dropped
      note(.deadZone, index, at: start, time)
    }
    contacts[index].isAtEdge = edge.isAtEdge(start)
  }

  /// Lets a contact begin that nothing holds back any longer. Rules N3 and N7.
  private mutating func release(_ index: Int, at time: Timestamp) -> Bool {
    guard contacts[index].liftTime == nil else { return false }
    if contacts[index].isAtEdge {
      guard edge.isFree(contacts[index].point, from: contacts[index].start) else { return false }
      contacts[index].isAtEdge = false
    }
    guard time >= shownFrom(contacts[index]) else { return false }
    if case .cancelled = contacts[index].ending { return false }
    contacts[index].stage = .shown
    contacts[index].news.begins = true
    contacts[index].target = contacts[index].start
    contacts[index].still = StillWatch(at: contacts[index].start, time)
    contacts[index].smoother = settings.smoothing.map {
      Smoother($0, from: contacts[index].start, at: time)
    }
    return true
  }

  /// When a contact is long enough. Rule N3.
  private func shownFrom(_ contact: SignalContact) -> Timestamp {
    contact.startTime.adding(milliseconds: settings.minimumContactMilliseconds)
  }

  /// Ends a contact that was lifted, now or once it can't be bridged any more. Rule N2.
  private mutating func judgeEnd(_ index: Int, at time: Timestamp) {
    switch contacts[index].ending {
    case .lifted:
      contacts[index].ending = nil
      if settings.bridge == nil { end(index) } else { contacts[index].liftTime = time }
    case .cancelled(let reason):
      contacts[index].ending = nil
      contacts[index].liftTime = time
      if contacts[index].stage == .shown { contacts[index].news.cancels = reason }
      contacts[index].stage = .dropped
      contacts[index].news.isOver = true
    case nil:
      guard let lift = contacts[index].liftTime, let bridge = settings.bridge,
        time >= lift.adding(milliseconds: bridge.milliseconds)
      else { return }
      end(index)
    }
  }

  private mutating func end(_ index: Int) {
    contacts[index].liftTime = contacts[index].liftTime ?? latest
    switch contacts[index].stage {
    case .shown: contacts[index].news.ends = true
    case .held:
      note(contacts[index].isAtEdge ? .edge : .short, index, at: contacts[index].start, latest)
      contacts[index].news.isOver = true
    case .dropped: contacts[index].news.isOver = true
    }
  }

  /// Takes jitter out of where a contact is. Rule N4.
  private mutating func smooth(_ index: Int, at time: Timestamp) {
    let point = contacts[index].point
    contacts[index].target = contacts[index].smoother?.filter(point, at: time) ?? point
    if contacts[index].target != point { note(.smoothed, index, at: point, time) }
  }

  /// Ends a contact that is stuck. Rule N9.
  private mutating func watch(_ index: Int, at time: Timestamp) {
    guard let stuck = settings.stuck, contacts[index].stage == .shown, contacts[index].isDown
    else { return }
    contacts[index].still.note(contacts[index].point, at: time, stuck)
    if time >= contacts[index].still.deadline(stuck) { drop(index, .stuck, at: time) }
  }

  /// Takes a contact away. It does not begin again until it is lifted.
  private mutating func drop(_ index: Int, _ reason: CancelReason, at time: Timestamp) {
    guard contacts[index].stage != .dropped else { return }
    let finding: SignalFinding =
      switch reason {
      case .stuck: .stuck
      case .palm: .palm
      default: .ghost
      }
    note(finding, index, at: contacts[index].point, time)
    if contacts[index].stage == .shown { contacts[index].news.cancels = reason }
    contacts[index].stage = .dropped
  }

  /// Counts what a filter does to a contact, and notes it for observers.
  private mutating func note(
    _ finding: SignalFinding, _ index: Int, at point: Point, _ time: Timestamp
  ) {
    counts[finding] += 1
    guard isObserved else { return }
    let contact = contacts[index]
    notes.append(
      SignalNote(
        device: device, time: time, finding: finding,
        slot: contact.stage == .shown ? contact.output : nil, screen: contact.screen,
        location: point))
  }

  // MARK: Saying

  /// Appends what is to be said, with its frame marks: a report of the device has one in any case.
  private mutating func say(
    at time: Timestamp, into events: inout ReusableArray<DeviceEvent>, isReport: Bool = false
  ) {
    var isOpen = isReport
    var hasMore = true
    while hasMore {
      hasMore = false
      let before = events.count
      for index in contacts.indices {
        if contacts[index].say(of: device, at: time, into: &events) { hasMore = true }
      }
      if isOpen || events.count > before { events.append(.frame(device, time: time)) }
      isOpen = false
    }
    contacts.removeAll { $0.news.isOver }
    findDeadline()
  }

  private mutating func findDeadline() {
    deadline = nil
    for contact in contacts {
      if let lift = contact.liftTime, let bridge = settings.bridge {
        include(lift.adding(milliseconds: bridge.milliseconds))
      } else if contact.liftTime == nil {
        if contact.stage == .held, !contact.isAtEdge { include(shownFrom(contact)) }
        if contact.stage == .shown, let stuck = settings.stuck {
          include(contact.still.deadline(stuck))
        }
        if let confirmation = contact.speed?.deadline { include(confirmation) }
      }
    }
  }

  private mutating func include(_ time: Timestamp) {
    deadline = min(deadline ?? time, time)
  }
}
