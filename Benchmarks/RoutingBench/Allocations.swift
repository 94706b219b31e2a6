import CAllocationCount
import CTouchroute
import TouchModel

/// Counts what the exchange allocates while ten fingers move: between the events and the end of
/// the turn, once the same has happened before.
enum Allocations {
  /// What the client at hand does.
  enum Client: String, CaseIterable {
    case reads = "it reads"
    case readsNothing = "it reads nothing: moves are merged, with history"
    case hasYetToDecide = "it has yet to decide: moves are kept for others"
    case hasDeclined = "it has declined: the next one up got them replayed"
  }

  static func count(frames: Int) throws {
    print("\nallocations in \(frames) frames of ten moving fingers, once warm\n")
    for client in Client.allCases {
      let count = try Self.count(client, frames: frames)
      print("  \(count)\t\(client.rawValue)")
    }
  }

  private static func count(_ client: Client, frames: Int) throws -> UInt {
    let world = try World(programs: 1)
    let view = try Decider(world, attachedTo: "w0/v0", declines: client == .hasDeclined)
    var counted: UInt = 0
    // Touches of 50 moves; where nobody reads, one that goes on, after one that was read.
    let moves = client == .readsNothing ? frames + 200 : 50
    let warm = client == .readsNothing ? 1 : 20
    for round in 0..<(warm + (client == .readsNothing ? 1 : frames / moves)) {
      for slot in 0..<10 as Range<Int32> { world.down(slot, x: 2, y: Double(slot)) }
      world.turn()
      if client != .readsNothing { try view.settle() }
      for step in 0..<moves {
        for slot in 0..<10 as Range<Int32> {
          world.move(slot, x: 3, y: Double(Int(slot) + step % 50))
        }
        let before = allocation_count()
        world.turn()
        let isWarm = round >= warm && (client != .readsNothing || step >= 200)
        if isWarm { counted += allocation_count() - before }
        if client != .readsNothing { try view.settle() }
      }
      for slot in 0..<10 as Range<Int32> { world.up(slot) }
      world.turn()
      try view.settle()
    }
    view.leave()
    try world.finish()
    return counted
  }
}

/// A program in this process, attached in front of the one behind it.
final class Decider {
  private let world: World
  private var connection: OpaquePointer?

  init(_ world: World, attachedTo path: String, declines: Bool) throws {
    self.world = world
    var listener = touchroute_listener()
    listener.size = MemoryLayout<touchroute_listener>.size
    if declines {
      listener.touches = { _, connection, frame in
        guard let frame = frame?.pointee else { return }
        for record in UnsafeBufferPointer(start: frame.records, count: Int(frame.record_count)) {
          guard let touch = record.touch?.pointee,
            UInt32(touch.phase) == TOUCHROUTE_PHASE_BEGAN.rawValue
          else { continue }
          touchroute_decline(connection, touch.attachment, touch.id)
        }
      }
    }
    connection = touchroute_connect(world.socket, "decider", 0, &listener, nil)
    touchroute_attach(
      connection, path, UInt32(TOUCHROUTE_HANDLES_ALL.rawValue), 0,
      TOUCHROUTE_ATTACH_HISTORY.rawValue)
    while world.exchange.pipeline.router.attachments.all.count < 2 { try settle() }
  }

  /// Reads what is there, says what it has to say, and lets the daemon hear it.
  func settle() throws {
    touchroute_dispatch(connection, 0)
    while try world.loop.runTurn(timeoutMicroseconds: 0) {}
  }

  func leave() {
    touchroute_disconnect(connection)
    connection = nil
  }
}
