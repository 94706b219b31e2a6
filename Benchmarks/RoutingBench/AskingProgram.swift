import CTouchroute
import Measuring

/// A program in this process that asks for changes of the layout.
final class AskingProgram {
  private(set) var connection: OpaquePointer?
  private let world: World

  init(_ world: World, _ name: String) {
    self.world = world
    var listener = touchroute_listener()
    listener.size = MemoryLayout<touchroute_listener>.size
    connection = touchroute_connect(world.socket, name, 0, &listener, nil)
  }

  /// Attaches to a responder, and waits until it is this program's.
  func attach(_ path: String) throws -> UInt32 {
    let attachment = UInt32(
      touchroute_attach(connection, path, UInt32(TOUCHROUTE_HANDLES_ALL.rawValue), 0, 0))
    while world.exchange.pipeline.router.attachments.all.isEmpty { try settle() }
    try settle()
    return attachment
  }

  /// Nanoseconds from a request until what it changes is in force: in all, and of the processor.
  func time(_ request: () -> Void) throws -> (all: Double, processor: Double) {
    let before = world.exchange.pipeline.router.generation
    request()
    let start = wallTime()
    let busy = processorTime()
    while try world.loop.runTurn(timeoutMicroseconds: 500_000),
      world.exchange.pipeline.router.generation == before
    {}
    let time = (wallTime() - start, processorTime() - busy)
    precondition(world.exchange.pipeline.router.generation == before + 1, "it was refused")
    try settle()
    return time
  }

  func leave() {
    touchroute_disconnect(connection)
    connection = nil
  }

  private func settle() throws {
    touchroute_dispatch(connection, 0)
    while try world.loop.runTurn(timeoutMicroseconds: 0) {}
  }
}
