import FoundationEssentials
import TouchClient
import TouchModel

/// The fingers that are the mice of pages, one of each page.
struct PageFingers {
  private struct Move: Decodable {
    /// The page.
    var client: UInt32
    /// `began`, `moved`, `ended` or `cancelled`.
    var phase: String
    /// An index.
    var screen: UInt32
    var x: Double
    var y: Double
  }

  private let daemon: Daemon
  /// The pages whose fingers are down, by the slots of those.
  private var down: [Int32: UInt32] = [:]

  init(_ daemon: Daemon) { self.daemon = daemon }

  /// Does what one of the pages that are there asks for.
  mutating func move(
    _ json: [UInt8], of pages: Set<UInt32>, others: (TouchEvent) throws -> Void
  ) throws {
    guard let move = try? JSONDecoder().decode(Move.self, from: Data(json)),
      move.x.isFinite, move.y.isFinite
    else { throw Failure("a finger needs client, phase, screen, x and y") }
    guard pages.contains(move.client) else {
      throw Failure("there is no page \(move.client): it was closed, or never open")
    }
    let point = Point(x: move.x, y: move.y)
    let slot = down.first { $0.value == move.client }?.key
    switch (move.phase, slot) {
    case ("began", nil):
      let free = (0..<Int32.max).first { down[$0] == nil } ?? 0
      try inject(.began(point), free, on: move.screen, others)
      down[free] = move.client
    case ("moved", let slot?): try inject(.moved(point), slot, on: move.screen, others)
    case ("ended", let slot?), ("cancelled", let slot?):
      down[slot] = nil
      try inject(move.phase == "ended" ? .ended : .cancelled, slot, on: move.screen, others)
    default:
      let standing = slot == nil ? "up" : "down"
      throw Failure("a finger that is \(standing) can't be \"\(move.phase)\"")
    }
  }

  /// A page is gone: its finger did not mean to lift.
  mutating func leave(_ page: UInt32, others: (TouchEvent) throws -> Void) {
    guard let slot = down.first(where: { $0.value == page })?.key else { return }
    down[slot] = nil
    // Where the daemon has ended it, all is well.
    try? inject(.cancelled, slot, on: nil, others)
  }

  private func inject(
    _ change: InjectedContact.Change, _ slot: Int32, on screen: UInt32?,
    _ others: (TouchEvent) throws -> Void
  ) throws {
    try daemon.ask(
      { connection throws(TouchClientError) in
        try connection.inject([InjectedContact(slot: slot, change)], screen: screen ?? 0)
      }, others: others)
  }
}
