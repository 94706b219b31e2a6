import TouchModel

/// Rules T1 to T7 as plainly as they can be written: the events up to the mark are looked at
/// together, and each contact is given the number of the frame in which it begins and ends.
struct OracleSequencer {
  private struct Contact {
    var slot: Int32
    var id: TouchID?
    var location: Point
    var time: Timestamp
    var hasMoved = false
    /// How it ended; `ended` or `cancelled`.
    var end: (phase: TouchPhase, reason: CancelReason?)?
  }

  private var contacts: [DeviceID: [Contact]] = [:]
  private var screens: [DeviceID: ScreenIndex] = [:]
  private var nextID: UInt64 = 1
  private(set) var strays: UInt64 = 0

  /// Another daemon goes on: it knows of no finger, and numbers touches on.
  mutating func restart() {
    contacts = [:]
    screens = [:]
  }

  /// Nothing was left to the daemon that goes on: the next touch is the first.
  mutating func countAnew() { nextID = 1 }

  mutating func consume(_ event: DeviceEvent) -> [TouchFrame] {
    switch event {
    case .down(let device, let slot, let screen, let location, let time):
      guard live(slot, device) == nil else { return stray() }
      screens[device] = screen
      contacts[device, default: []].append(Contact(slot: slot, location: location, time: time))
    case .motion(let device, let slot, let location, let time):
      guard let index = live(slot, device) else { return stray() }
      contacts[device]?[index].location = location
      contacts[device]?[index].time = time
      contacts[device]?[index].hasMoved = true
    case .up(let device, let slot, let time):
      guard let index = live(slot, device) else { return stray() }
      contacts[device]?[index].time = time
      contacts[device]?[index].end = (.ended, nil)
    case .cancel(let device, let slot, let reason, let time):
      guard let index = live(slot, device) else { return stray() }
      contacts[device]?[index].time = time
      contacts[device]?[index].end = (.cancelled, reason)
    case .frame(let device, let time):
      return frames(device, time)
    case .lost(let device, let reason, let time):
      let known = (contacts.removeValue(forKey: device) ?? []).filter { $0.id != nil }
      let touches = known.map { contact in
        let end = contact.end ?? (.cancelled, reason)
        return touch(
          contact, end.phase, end.reason, at: contact.end == nil ? time : contact.time)
      }
      return touches.isEmpty ? [] : [frame(device, time, touches)]
    }
    return []
  }

  private mutating func stray() -> [TouchFrame] {
    strays += 1
    return []
  }

  private func live(_ slot: Int32, _ device: DeviceID) -> Int? {
    contacts[device]?.firstIndex { $0.slot == slot && $0.end == nil }
  }

  private mutating func frames(_ device: DeviceID, _ time: Timestamp) -> [TouchFrame] {
    var list = contacts[device] ?? []
    // In which frame of this mark each contact begins (nil: before) and ends (nil: later).
    var begins = [Int?](repeating: nil, count: list.count)
    var ends = [Int?](repeating: nil, count: list.count)
    for index in list.indices {
      if list[index].id == nil {
        let before = list[..<index].lastIndex { $0.slot == list[index].slot }
        begins[index] = before.flatMap { ends[$0] } ?? 0
      }
      if list[index].end != nil { ends[index] = begins[index].map { $0 + 1 } ?? 0 }
    }
    var frames: [TouchFrame] = []
    let last = (begins + ends).compactMap(\.self).max() ?? 0
    for number in 0...last {
      var touches: [Touch] = []
      for index in list.indices where ends[index] == number {
        guard let end = list[index].end else { continue }
        touches.append(touch(list[index], end.phase, end.reason, at: list[index].time))
      }
      for contact in list
      where number == 0 && contact.hasMoved && contact.id != nil && contact.end == nil {
        touches.append(touch(contact, .moved, nil, at: contact.time))
      }
      for index in list.indices where begins[index] == number {
        list[index].id = TouchID(nextID)
        nextID += 1
        touches.append(touch(list[index], .began, nil, at: list[index].time))
      }
      if !touches.isEmpty { frames.append(frame(device, time, touches)) }
    }
    for index in list.indices { list[index].hasMoved = false }
    contacts[device] = list.filter { $0.end == nil }
    return frames
  }

  private func touch(
    _ contact: Contact, _ phase: TouchPhase, _ reason: CancelReason?, at time: Timestamp
  ) -> Touch {
    Touch(
      id: contact.id ?? TouchID(0), phase: phase, cancelReason: reason, location: contact.location,
      time: time)
  }

  private func frame(_ device: DeviceID, _ time: Timestamp, _ touches: [Touch]) -> TouchFrame {
    TouchFrame(
      device: device, screen: screens[device] ?? ScreenIndex(0), time: time,
      touches: ReusableArray(touches))
  }
}
