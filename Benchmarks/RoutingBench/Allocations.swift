import CAllocationCount
import CTouchroute
import TouchModel

/// Counts what the exchange allocates while ten fingers move and tap: between the events and the end
/// of the turn, once the same has happened before. Nothing, by rule T2; scripts/test holds that.
enum Allocations {
  /// What the client at hand does.
  private enum Client: String, CaseIterable {
    case reads = "it reads"
    case readsNothing = "it reads nothing: moves are merged, with history"
    case hasYetToDecide = "it has yet to decide: moves are kept for others"
    case hasDeclined = "it has declined: the next one up got them replayed"
  }

  /// Prints how many there are in so many frames; how many in all.
  static func count(frames: Int) throws -> UInt {
    print("\nallocations in \(frames) frames of ten moving fingers, once warm\n")
    var all: UInt = 0
    for client in Client.allCases {
      let count = try Self.count(client, frames: frames)
      print("  \(count)\t\(client.rawValue)")
      all += count
    }
    let taps = try countTaps(frames / 20)
    guard allocation_count() > 0 else { throw World.Failure("allocations are not counted") }
    print("  \(taps)\tit reads: \(frames / 20) taps of ten fingers each")
    return all + taps
  }

  private static func count(_ client: Client, frames: Int) throws -> UInt {
    let scene = try Scene(declines: client == .hasDeclined)
    var counted: UInt = 0
    // Touches of 50 moves; where nobody reads, one that goes on, after one that was read.
    let moves = client == .readsNothing ? frames + 200 : 50
    let warm = client == .readsNothing ? 1 : 20
    for round in 0..<(warm + (client == .readsNothing ? 1 : frames / moves)) {
      _ = scene.turn { scene.world.down($0, x: 2, y: Double($0)) }
      if client != .readsNothing { try scene.settle() }
      for step in 0..<moves {
        let count = scene.turn { scene.world.move($0, x: 3, y: Double(Int($0) + step % 50)) }
        if round >= warm && (client != .readsNothing || step >= 200) { counted += count }
        if client != .readsNothing { try scene.settle() }
      }
      _ = scene.turn { scene.world.up($0) }
      try scene.settle()
    }
    try scene.finish()
    return counted
  }

  private static func countTaps(_ count: Int) throws -> UInt {
    let scene = try Scene(declines: false)
    var counted: UInt = 0
    for round in 0..<count + 100 {
      let down = scene.turn { scene.world.down($0, x: 2, y: Double($0)) }
      try scene.settle()
      let up = scene.turn { scene.world.up($0) }
      try scene.settle()
      if round >= 100 { counted += down + up }
    }
    try scene.finish()
    return counted
  }

  /// A view and its window, each with a program in this process: nobody reads late.
  private final class Scene {
    let world: World
    private let programs: [Decider]

    /// - Parameter declines: Whether the view's program declines what it gets.
    init(declines: Bool) throws {
      let world = try World(programs: 0, windows: 1)
      self.world = world
      programs = try [("w0", false), ("w0/v0", declines)].enumerated().map { number, program in
        try Decider(world, attachedTo: program.0, declines: program.1, after: number)
      }
    }

    /// A frame of ten fingers; what it allocates.
    func turn(_ add: (Int32) -> Void) -> UInt {
      for slot in 0..<10 as Range<Int32> { add(slot) }
      let before = allocation_count()
      world.turn()
      return allocation_count() - before
    }

    func settle() throws {
      for program in programs { try program.settle() }
    }

    func finish() throws {
      for program in programs { program.leave() }
      try world.finish()
    }
  }
}

/// A program in this process.
final class Decider {
  private let world: World
  private var connection: OpaquePointer?

  /// - Parameter count: How many are attached before it.
  init(_ world: World, attachedTo path: String, declines: Bool, after count: Int) throws {
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
    while world.exchange.pipeline.router.attachments.all.count <= count { try settle() }
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
