/// The fingers on the glass while a record is played, with the slots that they are given.
struct RecordedContacts {
  /// By the touches' numbers in the record.
  private var contacts: [UInt64: (device: UInt32, slot: Int32)] = [:]
  /// By device: the slots that fingers have left, and how many there are with those in use.
  private var slots: [UInt32: (free: [Int32], count: Int32)] = [:]

  var count: Int { contacts.count }
  var all: some Sequence<(device: UInt32, slot: Int32)> { contacts.values }

  subscript(touch: UInt64) -> (device: UInt32, slot: Int32)? { contacts[touch] }

  /// Takes a finger that comes down.
  ///
  /// - Returns: A slot of the device that no other finger has.
  mutating func add(_ touch: UInt64, of device: UInt32) -> Int32 {
    var (free, count) = slots.removeValue(forKey: device) ?? ([], 0)
    let slot = free.popLast() ?? count
    slots[device] = (free, max(count, slot + 1))
    contacts[touch] = (device, slot)
    return slot
  }

  mutating func remove(_ touch: UInt64) {
    guard let contact = contacts.removeValue(forKey: touch) else { return }
    slots[contact.device]?.free.append(contact.slot)
  }

  mutating func removeAll() {
    contacts.removeAll()
    slots.removeAll()
  }
}
