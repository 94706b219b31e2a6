import Wire
import CTouchroute
import EventLoop
import Layout
import Routing
import Testing
import TouchModel

@testable import Server

/// Time is the tests' own: nothing here depends on how fast they run.
@Suite("Who reads, and who does not")
struct ReadingTests {
  /// A server whose time stands still, with one client that gets frames.
  private final class Bench {
    let world: World
    let client: RawClient
    let id: ClientID
    var sequence: UInt64 = 0

    init(_ kind: SocketKind = .client) throws {
      world = try World(time: 1_000_000)
      client = try world.greeted(kind)
      id = try world.identify(client)
      // The answers, and what the server still has to find read.
      world.loop.advance(to: world.loop.now + 10_000_000)
      _ = client.next()
      world.loop.advance(to: world.loop.now + 10_000_000)
      world.reading.removeAll()
    }

    func send(_ count: Int = 1) throws {
      for _ in 0..<count {
        try queue()
        world.server.endTurn()
      }
    }

    /// Sends a frame as a turn of the loop does.
    func sendInTurn() throws {
      try queue()
      world.loop.turn(by: world.loop.now)
      world.loop.advance(to: world.loop.now)
    }

    private func queue() throws {
      sequence += 1
      let (frame, records) = World.frame(to: id, sequence: sequence)
      try world.send(frame, records)
    }

    func wait(milliseconds: UInt64) { world.loop.advance(to: world.loop.now + milliseconds * 1000) }

    func readAll() throws {
      try world.turnUntilIdle()
      while client.next() != nil { try world.turnUntilIdle() }
    }
  }

  @Test("who reads nothing of what is in its socket for two seconds is unresponsive, once (F3)")
  func unread() throws {
    let bench = try Bench()
    try bench.send()
    bench.wait(milliseconds: 1_999)
    #expect(bench.world.reading.isEmpty)
    bench.wait(milliseconds: 501)
    #expect(bench.world.reading == [.stopped(bench.id)])
    try bench.send(3)
    bench.wait(milliseconds: 60_000)
    #expect(bench.world.reading == [.stopped(bench.id)])
    #expect(bench.world.server.counters[.unresponsive] == 1)
  }

  @Test(
    "frames that come slower than they would fill the socket do not hide that nobody reads (F3)")
  func slowFrames() throws {
    let bench = try Bench()
    for _ in 0..<9 {
      try bench.send()
      bench.wait(milliseconds: 300)
    }
    #expect(bench.world.reading == [.stopped(bench.id)])
  }

  @Test("who reads one message a second is slow, not unresponsive, however much waits for it (F3)")
  func slowReader() throws {
    let bench = try Bench()
    try bench.send(300)
    for _ in 0..<20 {
      bench.wait(milliseconds: 1_000)
      #expect(bench.client.nextAlone() != nil)
      try bench.send()
    }
    #expect(bench.world.reading.isEmpty)
    bench.wait(milliseconds: 3_000)
    #expect(bench.world.reading == [.stopped(bench.id)])
  }

  @Test("who has read all of it, queue and socket, is responsive again, and not before (F3)")
  func drained() throws {
    let bench = try Bench()
    try bench.send(300)
    bench.wait(milliseconds: 3_000)
    #expect(bench.world.reading == [.stopped(bench.id)])
    for _ in 0..<10 { _ = bench.client.nextAlone() }
    try bench.world.turnUntilIdle()
    bench.world.server.reviewUnresponsive()
    #expect(bench.world.reading.count == 1)
    try bench.readAll()
    bench.world.server.reviewUnresponsive()
    #expect(bench.world.reading == [.stopped(bench.id), .again(bench.id)])
    try bench.send()
    bench.wait(milliseconds: 3_000)
    #expect(bench.world.reading.last == .stopped(bench.id))
    #expect(bench.world.server.counters[.unresponsive] == 2)
  }

  @Test("who reads all and hangs up, and is sent more as that is found, ends once (F3)")
  func drainedAndGone() throws {
    let bench = try Bench()
    try bench.send(300)
    bench.wait(milliseconds: 3_000)
    try bench.readAll()
    bench.client.hangUp()
    let (world, id) = (bench.world, bench.id)
    world.onReadsAgain = { [unowned world] in
      let (frame, records) = World.frame(to: id, sequence: 1_000)
      try? world.send(frame, records)
    }
    // Sent before the loop hears that the connection has ended: what is sent fails.
    try bench.send()
    world.server.endTurn()
    #expect(bench.world.reading == [.stopped(bench.id), .again(bench.id)])
    #expect(bench.world.gone == [bench.id])
  }

  @Test("a client that reads costs a look now and then, and none once it has read all (F3)")
  func healthy() throws {
    let bench = try Bench()
    let turns = bench.world.turns
    for _ in 0..<1_000 {
      try bench.sendInTurn()
      bench.wait(milliseconds: 8)
      #expect(bench.client.next() != nil)
    }
    // Beside those of the frames.
    #expect(bench.world.turns - turns <= 1_000 + 8_000 / 500)
    bench.wait(milliseconds: 500)
    let idle = bench.world.turns
    bench.wait(milliseconds: 3_600_000)
    #expect(bench.world.turns == idle)
    #expect(bench.world.reading.isEmpty)
  }

  @Test("an unresponsive client wakes nobody, and its end is its end (F3, R7)")
  func noWakeUps() throws {
    let bench = try Bench()
    try bench.send(300)
    bench.wait(milliseconds: 3_000)
    let turns = bench.world.turns
    bench.wait(milliseconds: 3_600_000)
    try bench.world.turnUntilIdle()
    #expect(bench.world.turns == turns)
    bench.client.hangUp()
    try bench.world.turn { bench.world.gone == [bench.id] }
    bench.world.server.reviewUnresponsive()
    #expect(bench.world.reading == [.stopped(bench.id)])
    #expect(bench.world.server.pool.readers.isIdle)
  }

  @Test("another time to read holds at once for those who are behind (F3)")
  func otherTime() throws {
    let bench = try Bench()
    try bench.send()
    bench.wait(milliseconds: 600)
    bench.world.server.greeting.unresponsiveAfterMilliseconds = 100
    bench.wait(milliseconds: 500)
    #expect(bench.world.reading == [.stopped(bench.id)])
  }
}
