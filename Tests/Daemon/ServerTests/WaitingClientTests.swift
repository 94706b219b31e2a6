import CTouchroute
import EventLoop
import Routing
import Testing
import TouchModel

@testable import Server

@Suite("Clients that wait for a change of the layout")
struct WaitingClientTests {
  private let world: World

  init() throws {
    world = try World(time: 1_000_000)
    world.isHeld = true
  }

  private func ping(_ serial: UInt32) -> [UInt8] {
    RequestBytes.plain(TOUCHROUTE_PING, serial: serial)
  }

  /// The serials of the answers that have come.
  private func answers(to client: RawClient) -> [UInt32] {
    var serials: [UInt32] = []
    while let message = client.next() { serials.append(message.load(touchroute_pong.self).serial) }
    return serials
  }

  @Test("a client waits at its change with all that follows, and no other one does (F1)")
  func waiting() throws {
    let (client, other) = (try world.greeted(), try world.greeted())
    client.send(ping(2) + RequestBytes.hide(serial: 3, "a") + ping(4))
    try world.turnUntilIdle()
    other.send(ping(2))
    try world.turnUntilIdle()
    #expect(world.waiting.count == 1 && world.changes.isEmpty)
    #expect(answers(to: client) == [2])
    #expect(answers(to: other) == [2])
    world.goOn()
    world.server.endTurn()
    try world.turnUntilIdle()
    #expect(answers(to: client) == [3, 4])
  }

  @Test("no request of a client is taken that does not wait, and none but changes (F1)")
  func taken() throws {
    let client = try world.greeted()
    let id = try world.identify(client)
    #expect(world.server.takeChange(of: id, isSetTaken: true) == nil)
    client.send(
      RequestBytes.removeGesture(serial: 2, 1) + RequestBytes.hide(serial: 3, "a") + ping(4))
    try world.turnUntilIdle()
    let first = try #require(world.server.takeChange(of: id, isSetTaken: true))
    #expect(first.request == .removeGesture(1))
    #expect(world.server.takeChange(of: id, isSetTaken: false) == nil)
    let second = try #require(world.server.takeChange(of: id, isSetTaken: true))
    #expect(second.request == .set([ViewChange("a", .hidden(true))]))
    #expect(world.server.takeChange(of: id, isSetTaken: true) == nil)
    #expect(answers(to: client).isEmpty)
  }

  @Test("a mistake behind changes is answered as the client goes on, and nothing before it is (F4)")
  func mistake() throws {
    let client = try world.greeted()
    var bad = RequestBytes.hide(serial: 3, "b")
    bad[16] = 99
    client.send(RequestBytes.hide(serial: 2, "a") + bad + RequestBytes.hide(serial: 4, "c"))
    try world.turnUntilIdle()
    #expect(answers(to: client).isEmpty)
    world.isHeld = false
    world.goOn()
    world.server.endTurn()
    try world.turnUntilIdle()
    #expect(world.changes.flatMap { $0 }.flatMap { $0 }.map(\.path) == ["a", "c"])
    #expect(answers(to: client) == [2, 3, 4])
  }

  @Test("who is found to be over in another's turn has gone before that one asks for more (R7)")
  func endsInTurnOfOthers() throws {
    let (bad, other) = (try world.greeted(), try world.greeted())
    let number = try world.identify(bad)
    // No request has the serial 0.
    bad.send(RequestBytes.hide(serial: 0, "home"))
    try world.turnUntilIdle()
    #expect(world.gone.isEmpty && world.waiting == [number])
    var gone: [[ClientID]] = []
    world.onRequest = { [unowned world] _, _ in
      gone.append(world.gone)
      world.goOn()
    }
    other.send(
      RequestBytes.detach(serial: 1, attachment: 1) + RequestBytes.detach(serial: 2, attachment: 1))
    try world.turn { gone.count == 2 }
    #expect(gone == [[], [number]])
  }

  @Test("clients that ask for little come first where several wait (F1)")
  func servingOrder() throws {
    let quiet = try world.greeted()
    let first = try world.identify(quiet)
    world.loop.advance(to: 5_000_000)
    try world.turnUntilIdle()
    let flooders = try (0..<3).map { try world.greeted(name: "\($0)") }
    let others = try flooders.map { try world.identify($0) }
    // Each of them has one that was served already before it.
    quiet.send(ping(2))
    try world.turnUntilIdle()
    #expect(world.server.inServingOrder(others + [first]) == [first] + others)
    #expect(world.server.inServingOrder([first] + others.reversed()) == [first] + others.reversed())
  }

  @Test("a request that waits is left to the next daemon with what follows it (R9)")
  func handover() throws {
    let client = try world.greeted()
    let id = try world.identify(client)
    let waits = RequestBytes.hide(serial: 3, "b") + ping(4)
    client.send(waits)
    try world.turnUntilIdle()
    #expect(try #require(world.server.handover(of: id)).received == waits)
    world.server.letGo(of: id)
    world.goOn()
    #expect(world.changes.isEmpty)
  }
}
