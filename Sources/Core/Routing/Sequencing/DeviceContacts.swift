import TouchModel

/// The contacts of one device, with what changed of them since its last frame mark.
struct DeviceContacts {
  /// How a contact ended.
  enum Ending {
    case lifted
    case cancelled(CancelReason)
  }

  /// One contact, from its coming down until the frame that says that it is over.
  struct Contact {
    /// The device's own number for it; -1 on single-touch devices, so never an index.
    let slot: Int32
    /// Nil until a frame has said that it began.
    var id: TouchID?
    /// Where it was last, in points of the screen.
    var location: Point
    /// When it last changed.
    var time: Timestamp
    /// Whether it moved since the last frame mark.
    var hasMoved = false
    /// How it ended, if it has since the last frame mark.
    var ending: Ending?
  }

  let device: DeviceID
  /// The screen of every contact there is: the mapping stays while one lives (rule T11).
  private(set) var screen: ScreenIndex
  /// In the order in which they came down.
  private var contacts: [Contact] = []
  /// The latest time that the device gave; nothing is stamped with an earlier one.
  private var latest = Timestamp(microseconds: 0)
  /// What there may be to say: contacts that moved, that came, that ended.
  private var hasMoved = false
  private var hasNew = false
  private var hasEnded = false
  /// Where the last contact was found: the next one that is named is mostly the one after it.
  private var cursor = 0

  init(device: DeviceID, screen: ScreenIndex) {
    self.device = device
    self.screen = screen
  }

  /// The touch in a slot; nil where none has begun there.
  func touch(in slot: Int32) -> TouchID? {
    contacts.last { $0.slot == slot && $0.ending == nil }?.id
  }

  /// The moment itself, or the latest one given before, where the device's clock went back.
  mutating func advance(to time: Timestamp) -> Timestamp {
    latest = max(latest, time)
    return latest
  }

  /// Takes a contact that came down; false where it is none. Rules T6 and T11.
  mutating func press(
    slot: Int32, screen: ScreenIndex, location: Point, time: Timestamp
  ) -> Bool {
    if contacts.isEmpty { self.screen = screen }
    guard screen == self.screen, contacts.count < TouchSequencer.contactLimit,
      index(ofLive: slot) == nil
    else { return false }
    hasNew = true
    contacts.append(
      Contact(slot: slot, location: location, time: advance(to: time)))
    return true
  }

  /// Takes a motion; false where the slot is not live. Rule T6.
  mutating func move(slot: Int32, to location: Point, time: Timestamp) -> Bool {
    guard let index = index(ofLive: slot) else { return false }
    contacts[index].location = location
    contacts[index].time = advance(to: time)
    contacts[index].hasMoved = true
    hasMoved = true
    return true
  }

  /// Takes motions of this device from an index among the events on, as long as they follow one
  /// another and their slots are live; returns the index after them.
  @inline(__always)
  mutating func takeMotions(_ events: ReusableArray<DeviceEvent>, from start: Int) -> Int {
    var found = cursor
    var time = latest
    let next = Self.take(
      events, from: start, of: device, into: contacts.mutableSpan, from: &found, &time)
    cursor = found
    latest = time
    hasMoved = hasMoved || next > start
    return next
  }

  @inline(__always)
  private static func take(
    _ events: ReusableArray<DeviceEvent>, from start: Int, of device: DeviceID,
    into contacts: consuming MutableSpan<Contact>, from cursor: inout Int, _ latest: inout Timestamp
  ) -> Int {
    var next = start
    while next < events.count, case .motion(device, let slot, let location, let time) = events[next]
    {
      var found = cursor
      var left = contacts.count
      repeat {
        guard left > 0 else { return next }
        left -= 1
        found = found + 1 < contacts.count ? found + 1 : 0
      } while contacts[found].slot != slot || contacts[found].ending != nil
      latest = max(latest, time)
      contacts[found].location = location
      contacts[found].time = latest
      contacts[found].hasMoved = true
      cursor = found
      next += 1
    }
    return next
  }

  /// Takes the end of a contact; false where the slot is not live. Rule T6.
  mutating func end(slot: Int32, _ ending: Ending, time: Timestamp) -> Bool {
    guard let index = index(ofLive: slot) else { return false }
    contacts[index].time = advance(to: time)
    contacts[index].ending = ending
    hasEnded = true
    return true
  }

  /// Whether something changed that no frame has said yet.
  var hasChanges: Bool { hasMoved || hasNew || hasEnded }

  /// Moves what changed into the frame's touches: lifts, moves, begans (rule T3). What can't be
  /// said at once stays for a further call: the end of a contact that begins with this frame, and
  /// the beginning of the next contact in its slot.
  @inline(__always)
  mutating func takeChanges(into touches: inout ReusableArray<Touch>, nextID: inout UInt64) {
    if hasEnded { takeEnded(into: &touches) }
    if hasMoved { takeMoved(into: &touches) }
    if hasNew { takeNew(into: &touches, nextID: &nextID) }
  }

  private mutating func takeEnded(into touches: inout ReusableArray<Touch>) {
    for contact in contacts {
      guard let id = contact.id, let ending = contact.ending else { continue }
      touches.append(Self.touch(id, contact, ending))
    }
    contacts.sweep { $0.id != nil && $0.ending != nil }
    hasEnded = contacts.contains { $0.ending != nil }
  }

  @inline(__always)
  private mutating func takeMoved(into touches: inout ReusableArray<Touch>) {
    var contacts = self.contacts.mutableSpan
    let first = touches.count
    let moves = touches.extend(by: contacts.count)
    var count = 0
    for index in contacts.indices where contacts[index].hasMoved {
      guard let id = contacts[index].id else { continue }
      contacts[index].hasMoved = false
      moves[count] = Touch(
        id: id, phase: .moved, location: contacts[index].location, time: contacts[index].time)
      count += 1
    }
    touches.truncate(to: first + count)
    hasMoved = false
  }

  private mutating func takeNew(into touches: inout ReusableArray<Touch>, nextID: inout UInt64) {
    for index in contacts.indices where contacts[index].id == nil && isFirstOfSlot(index) {
      let id = TouchID(nextID)
      nextID += 1
      contacts[index].id = id
      contacts[index].hasMoved = false
      touches.append(
        Touch(
          id: id, phase: .began, location: contacts[index].location, time: contacts[index].time))
    }
    hasNew = contacts.contains { $0.id == nil }
  }

  /// Ends every contact that a frame has said began: as it ended already, or cancelled. What no
  /// frame mark followed never was a touch. Rule T7.
  mutating func takeAll(
    reason: CancelReason, time: Timestamp, into touches: inout ReusableArray<Touch>
  ) {
    let time = advance(to: time)
    for index in contacts.indices {
      guard let id = contacts[index].id else { continue }
      if contacts[index].ending == nil { contacts[index].time = time }
      let ending = contacts[index].ending ?? .cancelled(reason)
      touches.append(Self.touch(id, contacts[index], ending))
    }
    contacts.removeAll(keepingCapacity: true)
    hasMoved = false
    hasNew = false
    hasEnded = false
  }

  private static func touch(_ id: TouchID, _ contact: Contact, _ ending: Ending) -> Touch {
    switch ending {
    case .lifted:
      Touch(id: id, phase: .ended, location: contact.location, time: contact.time)
    case .cancelled(let reason):
      Touch(
        id: id, phase: .cancelled, cancelReason: reason, location: contact.location,
        time: contact.time)
    }
  }

  private mutating func index(ofLive slot: Int32) -> Int? {
    var index = cursor
    for _ in contacts.indices {
      index = index + 1 < contacts.count ? index + 1 : 0
      if contacts[index].slot == slot && contacts[index].ending == nil {
        cursor = index
        return index
      }
    }
    return nil
  }

  private func isFirstOfSlot(_ index: Int) -> Bool {
    !contacts[..<index].contains { $0.slot == contacts[index].slot }
  }
}
