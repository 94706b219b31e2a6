import CTouchroute
import EventLoop
import Routing
import Testing
import TouchModel

@testable import Server

/// In a loop whose time is the test's: a change takes as long as the test says.
@Suite("Changes of the layout, of all clients")
struct ChangeQueueTests {
  /// A world in which a change takes so long, in microseconds, and every request is answered.
  private func world(changeTakes cost: UInt64) throws -> World {
    let world = try World(time: 1_000_000)
    world.onChanges = { [unowned world] tokens in
      world.loop.spend(cost)
      for token in tokens { world.server.answer(token, generation: 2) }
    }
    return world
  }

  /// The paths of the changes that were made together.
  private func paths(_ world: World) -> [[String]] {
    world.changes.map { $0.flatMap { $0 }.map(\.path) }
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

  private func pass(_ world: World, to time: UInt64) throws {
    world.loop.advance(to: time)
    try world.turnUntilIdle()
  }

  @Test("who is found to be over in another's turn has gone before that one asks for more (R7)")
  func endsInTurnOfOthers() throws {
    let world = try World(time: 1_000_000)
    let (bad, other) = (try world.greeted(), try world.greeted())
    let number = try world.identify(bad)
    world.server.holdChanges(true)
    bad.send(RequestBytes.hide(serial: 0, "home"))
    try world.turnUntilIdle()
    #expect(world.gone.isEmpty)
    var gone: [[ClientID]] = []
    world.onRequest = { [unowned world] _, _ in
      gone.append(world.gone)
      world.server.holdChanges(false)
    }
    other.send(
      RequestBytes.detach(serial: 1, attachment: 1) + RequestBytes.detach(serial: 2, attachment: 1))
    try world.turn { gone.count == 2 }
    #expect(gone == [[], [number]])
  }

  @Test("after a change the layout is left alone; what all want meanwhile is one change (F1, L6)")
  func together() throws {
    let world = try world(changeTakes: 2_000)
    let clients = try ["a", "b", "c"].map { try world.greeted(name: $0) }
    let other = try world.greeted(.control)
    clients[0].send(RequestBytes.hide(serial: 2, "a"))
    try world.turnUntilIdle()
    #expect(paths(world) == [["a"]])
    #expect(answers(to: clients[0]) == [2])
    // Its own order holds, and nobody else waits for it.
    clients[0].send(
      RequestBytes.hide(serial: 3, "a/1") + RequestBytes.hide(serial: 4, "a/2") + ping(5))
    clients[1].send(ping(2) + RequestBytes.hide(serial: 3, "b") + ping(4))
    clients[2].send(ping(2))
    other.send(RequestBytes.hide(serial: 2, "other"))
    try world.turnUntilIdle()
    #expect(answers(to: clients[0]) == [])
    #expect(answers(to: clients[1]) == [2])
    #expect(answers(to: clients[2]) == [2])
    try pass(world, to: 1_009_999)
    #expect(world.changes.count == 1)
    try pass(world, to: 1_010_000)
    #expect(world.changes.count == 2)
    #expect(Set(paths(world)[1]) == ["a/1", "a/2", "b", "other"])
    #expect(paths(world)[1].filter { $0.hasPrefix("a") } == ["a/1", "a/2"])
    #expect(answers(to: clients[0]) == [3, 4, 5])
    #expect(answers(to: clients[1]) == [3, 4])
    #expect(answers(to: other) == [2])
  }

  @Test(
    "to add and remove recognizers shares the budget, behind what is set before it (F1, L6, S4)")
  func recognizers() throws {
    let world = try world(changeTakes: 2_000)
    world.onRequest = { [unowned world] token, request in
      guard case .removeGesture = request else { return }
      world.loop.spend(1_000)
      world.server.answer(token, generation: 2)
    }
    let clients = try ["a", "b"].map { try world.greeted(name: $0) }
    clients[0].send(RequestBytes.removeGesture(serial: 2, 1))
    try world.turnUntilIdle()
    #expect(answers(to: clients[0]) == [2])
    // Meanwhile it waits as what is set does, with what follows it.
    clients[0].send(
      RequestBytes.hide(serial: 3, "a/1") + RequestBytes.removeGesture(serial: 4, 2)
        + RequestBytes.hide(serial: 5, "a/2") + ping(6))
    clients[1].send(RequestBytes.removeGesture(serial: 2, 3) + ping(3))
    try pass(world, to: 1_004_999)
    #expect(answers(to: clients[0]) == [] && answers(to: clients[1]) == [])
    try pass(world, to: 1_005_000)
    #expect(answers(to: clients[0]) == [3, 4] && answers(to: clients[1]) == [2, 3])
    #expect(paths(world) == [["a/1"]])
    // One change of the layout for each time that it is changed: what is set behind a recognizer
    // comes with the next.
    try pass(world, to: 1_024_999)
    #expect(paths(world) == [["a/1"]])
    try pass(world, to: 1_025_000)
    #expect(paths(world) == [["a/1"], ["a/2"]])
    #expect(answers(to: clients[0]) == [5, 6])
  }

  @Test("the layout is left alone for 50 ms at most, and one that costs little never waits (F1)")
  func rests() throws {
    let world = try world(changeTakes: 100_000)
    let client = try world.greeted()
    client.send(RequestBytes.hide(serial: 2, "a"))
    try world.turnUntilIdle()
    client.send(RequestBytes.hide(serial: 3, "b"))
    try pass(world, to: 1_149_999)
    #expect(world.changes.count == 1)
    try pass(world, to: 1_150_000)
    #expect(world.changes.count == 2)

    let lone = try self.world(changeTakes: 1_600)
    let setter = try lone.greeted()
    for frame in 1...240 {
      try pass(lone, to: 1_000_000 + UInt64(frame) * 8_333)
      setter.send(RequestBytes.hide(serial: UInt32(frame + 1), "a"))
      try lone.turnUntilIdle()
      #expect(answers(to: setter) == [UInt32(frame + 1)])
    }
  }

  @Test("what a program that goes wanted to set goes with it, and nobody is answered (F1, R7)")
  func leaving() throws {
    let world = try world(changeTakes: 5_000)
    let (leaver, stayer) = (try world.greeted(), try world.greeted())
    stayer.send(RequestBytes.hide(serial: 2, "a"))
    try world.turnUntilIdle()
    stayer.send(RequestBytes.hide(serial: 3, "b"))
    leaver.send(RequestBytes.hide(serial: 2, "c"))
    try world.turnUntilIdle()
    leaver.hangUp()
    try world.turn { world.gone.count == 1 }
    try pass(world, to: 2_000_000)
    #expect(paths(world) == [["a"], ["b"]])
    #expect(answers(to: stayer) == [2, 3])

    // Where all who wait have gone, nothing is changed.
    stayer.send(RequestBytes.hide(serial: 4, "d"))
    try world.turnUntilIdle()
    stayer.send(RequestBytes.hide(serial: 5, "e"))
    try world.turnUntilIdle()
    stayer.hangUp()
    try world.turn { world.gone.count == 2 }
    try pass(world, to: 3_000_000)
    #expect(paths(world) == [["a"], ["b"], ["d"]])
  }

  @Test("a change has a bounded number of requests, of which each client has a share (F1, F5)")
  func shares() throws {
    let world = try world(changeTakes: 3_000)
    let clients = try (0..<4).map { try world.greeted(name: "\($0)") }
    clients[0].send(RequestBytes.hide(serial: 2, "first"))
    try world.turnUntilIdle()
    for (number, client) in clients.enumerated() {
      client.send((3..<203).flatMap { RequestBytes.hide(serial: $0, "\(number)") })
    }
    try world.turnUntilIdle()
    world.loop.advance(to: 1_020_000)
    #expect(world.changes[1].count == 64)
    for number in 0..<4 { #expect(paths(world)[1].count { $0 == "\(number)" } == 16) }
    var heard = clients.map { _ in [UInt32]() }
    for round in 0..<40 {
      try pass(world, to: 1_040_000 + UInt64(round) * 20_000)
      for (number, client) in clients.enumerated() { heard[number] += answers(to: client) }
    }
    for serials in heard { #expect(serials.suffix(200) == Array(3..<203)) }
    #expect(world.changes.allSatisfy { $0.count <= 64 })

    // After one that took long there are fewer.
    world.onChanges = { [unowned world] tokens in
      world.loop.spend(9_000)
      for token in tokens { world.server.answer(token, generation: 2) }
    }
    let before = world.changes.count
    clients[0].send((3..<203).flatMap { RequestBytes.hide(serial: $0, "0") })
    heard[0] = []
    for round in 0..<60 {
      try pass(world, to: 3_000_000 + UInt64(round) * 60_000)
      heard[0] += answers(to: clients[0])
    }
    #expect(heard[0] == Array(3..<203))
    // As many as a client's buffer holds, half of them, and so on.
    #expect(world.changes[before...].map(\.count).prefix(4) == [51, 25, 12, 8])
    #expect(world.changes[before...].dropFirst(4).allSatisfy { $0.count <= 8 })
  }

  @Test("one that asks for little comes before those that flood (F1)")
  func quietFirst() throws {
    let world = try world(changeTakes: 10_000)
    let quiet = try world.greeted()
    try pass(world, to: 5_000_000)
    let flooders = try (0..<70).map { try world.greeted(name: "\($0)") }
    flooders[0].send(RequestBytes.hide(serial: 2, "first"))
    try world.turnUntilIdle()
    for flooder in flooders { flooder.send(RequestBytes.hide(serial: 3, "flooder")) }
    try world.turnUntilIdle()
    quiet.send(RequestBytes.hide(serial: 2, "quiet"))
    try world.turnUntilIdle()
    world.loop.advance(to: 5_060_000)
    #expect(paths(world)[1].count == 64)
    #expect(paths(world)[1].first == "quiet")
    withExtendedLifetime(flooders) {}
  }

  @Test("changes that nobody asked for count, and a mistake is answered in its turn (F1, F4)")
  func noted() throws {
    let world = try world(changeTakes: 0)
    let client = try world.greeted()
    for _ in 0..<3 { world.server.layoutChanged(took: 2_000) }
    var bad = RequestBytes.hide(serial: 3, "b")
    bad[16] = 99
    client.send(RequestBytes.hide(serial: 2, "a") + bad + RequestBytes.hide(serial: 4, "c"))
    try world.turnUntilIdle()
    // Three times 8 ms.
    try pass(world, to: 1_023_999)
    #expect(world.changes.isEmpty)
    try pass(world, to: 1_024_000)
    #expect(paths(world) == [["a"], ["c"]])
    #expect(answers(to: client) == [2, 3, 4])
    // Of which many end at the same time.
    for _ in 0..<1_000 { world.server.layoutChanged(took: 2_000) }
    client.send(RequestBytes.hide(serial: 5, "d"))
    try world.turnUntilIdle()
    try pass(world, to: 1_273_999)
    #expect(answers(to: client) == [])
    try pass(world, to: 1_274_000)
    #expect(answers(to: client) == [5])
  }

  @Test("a request that waits is left to the next daemon with what follows it (R9)")
  func handover() throws {
    let world = try world(changeTakes: 5_000)
    let client = try world.greeted()
    let id = try world.identify(client)
    let waits = RequestBytes.hide(serial: 3, "b") + ping(4)
    client.send(RequestBytes.hide(serial: 2, "a"))
    try world.turnUntilIdle()
    client.send(waits)
    try world.turnUntilIdle()
    #expect(try #require(world.server.handover(of: id)).received == waits)
    world.server.letGo(of: id)
    try pass(world, to: 2_000_000)
    #expect(paths(world) == [["a"]])
  }
}
