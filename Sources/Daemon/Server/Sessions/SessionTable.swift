import Routing
import TouchModel

/// The sessions, by slot: a slot is used again, with another generation.
final class SessionTable {
  private struct Slot {
    var generation: UInt32 = 0
    var session: Session?
  }

  private let slots = ReusableList<Slot>()
  private var freeSlots: [UInt32] = []
  private var counts: [SocketKind: Int] = [:]
  /// Of the client socket alone, where there are any.
  private var userCounts: [UInt32: Int] = [:]
  /// What became of the frames for those that were removed.
  private var pastDeliveries = DeliveryCounts()

  /// The sessions of one socket, those that are over included: they hold a descriptor still.
  func count(of kind: SocketKind) -> Int { counts[kind] ?? 0 }

  /// The sessions of the client socket that belong to one user, those that are over included.
  func count(ofUser user: UInt32) -> Int { userCounts[user] ?? 0 }

  /// The clients of the client socket that belong to one user.
  func clients(ofUser user: UInt32) -> [ClientID] {
    all.filter { $0.client.socket == .client && $0.client.peer.uid == user }.map(\.id)
  }

  /// What became of the frames for all, those that were removed included.
  var deliveries: DeliveryCounts { all.reduce(pastDeliveries) { $0 + $1.deliveries } }

  /// All of them, in the order of their slots.
  var all: [Session] { (0..<slots.count).compactMap { slots[$0].session } }

  /// The session of a client; nil where it is gone, or over.
  subscript(client: ClientID) -> Session? {
    guard Int(client.slot) < slots.count,
      slots[Int(client.slot)].generation == client.generation,
      let session = slots[Int(client.slot)].session, !session.state.isOver
    else { return nil }
    return session
  }

  /// Adds what `make` makes for a free slot.
  ///
  /// - Parameter wanted: Which slot, if that is free; nil for any.
  func add(in wanted: UInt32? = nil, _ make: (ClientID) -> Session) -> Session {
    let number = wanted.flatMap(take) ?? freeSlots.popLast() ?? UInt32(slots.count)
    if Int(number) == slots.count { slots.append(Slot()) }
    slots[Int(number)].generation &+= 1
    let session = make(ClientID(slot: number, generation: slots[Int(number)].generation))
    slots[Int(number)].session = session
    change(session, by: 1)
    return session
  }

  /// Takes that slot, with those before it; nil where it is in use, or far beyond all limits.
  private func take(_ slot: UInt32) -> UInt32? {
    guard slot <= UInt16.max else { return nil }
    while slots.count <= Int(slot) {
      freeSlots.append(UInt32(slots.count))
      slots.append(Slot())
    }
    guard let index = freeSlots.firstIndex(of: slot) else { return nil }
    return freeSlots.remove(at: index)
  }

  /// Frees a session's slot.
  func remove(_ session: Session) {
    // One that has been released is in no list of the pool, and the subscript gives out none that
    // is over, so nobody marks it to be settled again.
    precondition(slots[Int(session.id.slot)].session === session, "a session is removed once")
    slots[Int(session.id.slot)].session = nil
    freeSlots.append(session.id.slot)
    pastDeliveries = pastDeliveries + session.deliveries
    change(session, by: -1)
  }

  private func change(_ session: Session, by difference: Int) {
    counts[session.client.socket, default: 0] += difference
    guard session.client.socket == .client else { return }
    let count = count(ofUser: session.client.peer.uid) + difference
    userCounts[session.client.peer.uid] = count > 0 ? count : nil
  }
}
