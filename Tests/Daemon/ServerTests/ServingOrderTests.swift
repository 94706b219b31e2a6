import CTouchroute
import EventLoop
import Testing
import TouchModel

@testable import Server

@Suite("Who is served next")
struct ServingOrderTests {
  @Test("who asks for little is quiet, whoever asks for much is not, and soon is again (F1, S2)")
  func rate() {
    var rate = RequestRate(now: 0)
    #expect(rate.level(at: 0) == .flooding)
    var now: UInt64 = 2_000_000
    #expect(rate.level(at: now) == .quiet)
    // A request at each of 30 frames a second, for a minute.
    for _ in 0..<1800 {
      now += 33_333
      rate.add(now: now, spent: 20, hasMore: false)
      #expect(rate.level(at: now) == .quiet)
    }
    // Of 120 frames a second.
    for _ in 0..<1200 {
      now += 8_333
      rate.add(now: now, spent: 20, hasMore: false)
    }
    #expect(rate.level(at: now) == .busy)
    // Turns that are as long as they may be count for what they are.
    for _ in 0..<200 {
      now += 8_333
      rate.add(now: now, spent: 1_000, hasMore: true)
    }
    #expect(rate.level(at: now) == .flooding)
    #expect(rate.level(at: now + 2_000_000) == .quiet)
  }

  @Test(
    "a quiet client is served in the next turn, however many flood (F1, S2)",
    .timeLimit(.minutes(10)))
  func nextTurn() throws {
    var limits = ServerLimits()
    limits.clientsPerUser = 1_000
    let world = try World(limits: limits, time: 1)
    let quiet = try world.greeted(name: "quiet")
    let flooders = try (0..<64).map { try world.greeted(name: "flooder \($0)") }
    try world.turnUntilIdle()
    world.loop.advance(to: 3_000_000)
    let requests = (1...2_000).flatMap { RequestBytes.accept(serial: UInt32($0), touch: 1) }
    // As long as they have no more than their share they come in their turn.
    for flooder in flooders { flooder.send(requests) }
    for _ in 0..<64 * 20 { try world.loop.runTurn(timeoutMicroseconds: 0) }
    #expect(world.server.pool.all.count { world.server.pool.order.level(of: $0) == .quiet } == 1)
    for serial in 1...40 {
      quiet.send(RequestBytes.plain(TOUCHROUTE_PING, serial: UInt32(serial)))
      for flooder in flooders { flooder.send(requests) }
      let before = world.turns
      var pong: Message?
      try world.turn {
        pong = quiet.next()
        return pong != nil
      }
      #expect(world.turns == before + 1)
      #expect(pong?.load(touchroute_pong.self).serial == UInt32(serial))
    }
    // And they are not forgotten for that.
    let carriedOut = world.requests.count
    for _ in 0..<64 { try world.loop.runTurn(timeoutMicroseconds: 0) }
    #expect(world.requests.count > carriedOut + 64)
    world.loop.advance(to: 10_000_000)
    #expect(!world.server.pool.all.contains { world.server.pool.order.level(of: $0) != .quiet })
  }

  @Test("nobody has more clients than a user may, and the control socket is not counted (F5, S15)")
  func clientsPerUser() throws {
    var limits = ServerLimits()
    limits.clientsPerUser = 3
    let world = try World(limits: limits)
    var clients = try (0..<3).map { _ in try world.greeted() }
    let words = try world.lastWords(to: try world.connect())
    #expect(words.first?.errorText.contains("3 clients of one user is reached by uid") == true)
    #expect(words.first?.errorText.hasSuffix("(limits.clients_per_user)") == true)
    let control = try world.greeted(.control)
    clients.removeLast()
    try world.turn { world.gone.count == 1 }
    clients.append(try world.greeted())
    control.hangUp()
    #expect(clients.count == 3)
  }

  @Test(
    "what waits for all, or for one user's, is bounded: the one with the most goes (F3, F5, S18)",
    arguments: [true, false])
  func queuedBytes(isUsers: Bool) throws {
    var limits = ServerLimits()
    if isUsers { limits.userQueueBytes = 400_000 } else { limits.totalQueueBytes = 400_000 }
    // The first one's last words are read once the second one is gone: seconds later, at worst.
    limits.lingerMilliseconds = 600_000
    let world = try World(limits: limits)
    let deaf = try (0..<5).map { try world.greeted(name: "deaf \($0)") }
    let reader = try world.greeted(name: "reader")
    let ids = try deaf.map { try world.identify($0) }
    let readerID = try world.identify(reader)
    var sequence: UInt64 = 0
    var read = 0
    while world.gone.count < 2 {
      sequence += 1
      // The first hears most.
      for (number, id) in ids.enumerated() where sequence % UInt64(number + 1) == 0 {
        let (frame, records) = World.frame(to: id, sequence: sequence, phase: .ended)
        try world.send(frame, records)
      }
      let (frame, records) = World.frame(to: readerID, sequence: sequence, phase: .ended)
      try world.send(frame, records)
      world.server.endTurn()
      while reader.next() != nil { read += 1 }
      let waiting = world.server.pool.all.reduce(0) { $0 + $1.queuedBytes }
      #expect(waiting <= 400_000)
      try #require(sequence < 20_000)
    }
    #expect(world.gone == [ids[0], ids[1]])
    #expect(read == Int(sequence))
    let closing = try #require(try world.lastWords(to: deaf[0]).last)
    let key = isUsers ? "limits.queue_bytes_per_user" : "limits.total_queue_bytes"
    #expect(closing.closingText.contains("the limit of 400000 (\(key))"), "\(closing.closingText)")
    #expect(
      closing.load(touchroute_closing.self).reason == TOUCHROUTE_CLOSE_QUEUE_FULL.rawValue)
  }
}
