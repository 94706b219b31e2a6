import Routing

/// The sessions, by slot: a slot is used again, with another generation.
struct SessionTable {
  private struct Slot {
    var generation: UInt32 = 0
    var session: Session?
  }

  private var slots: [Slot] = []
  private var freeSlots: [UInt32] = []
  private var counts: [SocketKind: Int] = [:]

  /// The sessions of one socket, the ending ones included: they hold a descriptor still.
  func count(of kind: SocketKind) -> Int { counts[kind] ?? 0 }

  /// All of them, in the order of their slots.
  var all: [Session] { slots.compactMap(\.session) }

  /// Whether one of them fulfils the condition.
  func contains(where condition: (Session) -> Bool) -> Bool {
    slots.contains { $0.session.map(condition) ?? false }
  }

  /// The session of a client; nil where it is gone, or ending.
  subscript(client: ClientID) -> Session? {
    guard Int(client.slot) < slots.count else { return nil }
    let slot = slots[Int(client.slot)]
    guard slot.generation == client.generation, let session = slot.session,
      session.stage != .ending
    else { return nil }
    return session
  }

  /// Adds what `make` makes for a free slot.
  mutating func add(_ make: (ClientID) -> Session) -> Session {
    let number = freeSlots.popLast() ?? UInt32(slots.count)
    if Int(number) == slots.count { slots.append(Slot()) }
    slots[Int(number)].generation &+= 1
    let session = make(ClientID(slot: number, generation: slots[Int(number)].generation))
    slots[Int(number)].session = session
    counts[session.socket, default: 0] += 1
    return session
  }

  /// Frees a session's slot.
  mutating func remove(_ session: Session) {
    precondition(slots[Int(session.id.slot)].session === session, "a session is removed once")
    slots[Int(session.id.slot)].session = nil
    freeSlots.append(session.id.slot)
    counts[session.socket, default: 0] -= 1
  }
}
