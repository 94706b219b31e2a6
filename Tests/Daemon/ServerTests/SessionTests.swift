import CTouchroute
import EventLoop
import Glibc
import Layout
import Routing
import Testing
import TouchModel

@testable import Server

@Suite("Sessions")
struct SessionTests {
  @Test("100,000 requests at once are answered one by one, and others are served meanwhile (F1)")
  func flood() throws {
    let world = try World()
    let flooder = try world.greeted(name: "flooder")
    let other = try world.greeted(name: "other")
    let pings = (1...100_000).flatMap { RequestBytes.plain(TOUCHROUTE_PING, serial: UInt32($0)) }
    var sent = 0
    var answered: UInt32 = 0
    var isInOrder = true
    var othersAnswered = 0
    var waiting = false
    while answered < 100_000 {
      sent += max(0, flooder.send(pings[sent...].prefix(65_536)))
      if !waiting {
        other.send(RequestBytes.plain(TOUCHROUTE_PING, serial: 5))
        waiting = true
      }
      try world.loop.runTurn(timeoutMicroseconds: 1_000)
      while let message = flooder.next() {
        answered += 1
        isInOrder = isInOrder && message.load(touchroute_pong.self).serial == answered
      }
      // The other one is answered within few turns, however much the first one has to say.
      try world.loop.runTurn(timeoutMicroseconds: 0)
      try world.loop.runTurn(timeoutMicroseconds: 0)
      if other.next() != nil {
        othersAnswered += 1
        waiting = false
      }
    }
    #expect(isInOrder)
    #expect(othersAnswered > 100)
  }

  @Test("one turn carries out a bounded number of requests of one client (F1)")
  func boundedTurn() throws {
    // Its time stands still, so that only their number counts.
    let world = try World(time: 1)
    let client = try world.greeted()
    client.send(
      (1...200).flatMap { RequestBytes.accept(serial: UInt32($0), touch: 1) }.prefix(4096))
    try world.loop.runTurn(timeoutMicroseconds: 1_000)
    #expect(world.requests.count == ServerLimits.requestsPerTurn)
    try world.turn { world.requests.count == 170 }
    #expect(world.requests.first?.request == .accept(TouchID(1), through: AttachmentID(1)))
  }

  @Test("no request is begun once those before have taken what one client has of a turn (F1, S2)")
  func turnOfTime() throws {
    let world = try World()
    let client = try world.greeted()
    // Each takes a third of that at least, however fast the machine is.
    world.onRequest = { _, _ in
      let end = world.loop.present + ServerLimits.turnMicroseconds / 3
      while world.loop.present < end {}
    }
    client.send((1...60).flatMap { RequestBytes.accept(serial: UInt32($0), touch: 1) })
    var before = 0
    try world.turn {
      let inTurn = world.requests.count - before
      before = world.requests.count
      #expect(inTurn <= 3)
      return before == 60
    }
  }

  @Test("accept and decline are told apart (R5)")
  func decisions() throws {
    let world = try World()
    let client = try world.greeted()
    client.send(RequestBytes.accept(serial: 1, touch: 7, attachment: 3))
    client.send(RequestBytes.accept(serial: 2, touch: 8, attachment: 4, TOUCHROUTE_DECLINE))
    try world.turn { world.requests.count == 2 }
    #expect(
      world.requests.map(\.request) == [
        .accept(TouchID(7), through: AttachmentID(3)),
        .decline(TouchID(8), through: AttachmentID(4)),
      ])
  }

  @Test("who asks and never reads is made to wait, then ended; others and the memory are untouched")
  func neverReads() throws {
    var limits = ServerLimits()
    limits.requestTimeoutMilliseconds = 100
    let world = try World(limits: limits)
    let client = try world.greeted(name: "deaf")
    let pings = (1...100_000).flatMap { RequestBytes.plain(TOUCHROUTE_PING, serial: UInt32($0)) }
    var sent = 0
    var isBroken = false
    try world.turn {
      let result = client.send(pings[sent...].prefix(65_536))
      isBroken = result < 0
      sent += max(0, result)
      return isBroken
    }
    #expect(world.gone.count == 1)
    #expect(sent < pings.count)
    var last: Message?
    while let message = client.next() { last = message }
    let closing = try #require(last)
    #expect(closing.isClosing)
    #expect(closing.load(touchroute_closing.self).reason == TOUCHROUTE_CLOSE_QUEUE_FULL.rawValue)
  }

  @Test("a full queue ends its client with a reason, whole messages, and nobody else (F3)")
  func fullQueue() throws {
    var limits = ServerLimits()
    limits.queueBytes = 131_072
    // What it is told last waits for it, however slow the machine is.
    limits.lingerMilliseconds = 600_000
    let world = try World(limits: limits)
    let slow = try world.greeted(name: "slow")
    let fast = try world.greeted(name: "fast")
    let slowID = try world.identify(slow)
    let fastID = try world.identify(fast)
    var fastFrames = 0
    var sequence: UInt64 = 0
    while world.gone.isEmpty {
      sequence += 1
      for client in [slowID, fastID] {
        let (frame, records) = World.frame(to: client, sequence: sequence, phase: .ended)
        try world.send(frame, records)
      }
      world.server.endTurn()
      while fast.next() != nil { fastFrames += 1 }
      try #require(sequence < 10_000)
    }
    #expect(world.gone == [slowID])
    #expect(fastFrames == Int(sequence))
    var messages: [Message] = []
    try world.turn {
      while let message = slow.next() { messages.append(message) }
      return slow.isClosed
    }
    let sequences = messages.dropLast().map { $0.load(touchroute_touches.self).sequence }
    #expect(sequences == (1...UInt64(sequences.count)).map { $0 })
    #expect(messages.last?.isClosing == true)
    #expect(
      messages.last?.load(touchroute_closing.self).reason == TOUCHROUTE_CLOSE_QUEUE_FULL.rawValue)
    #expect(messages.last?.closingText.contains("131072 bytes wait") == true)
  }

  @Test("last words wait for a client that does not read, and not for ever")
  func lastWords() throws {
    var limits = ServerLimits()
    limits.queueBytes = 131_072
    limits.lingerMilliseconds = 50
    let world = try World(limits: limits)
    let client = try world.greeted()
    let id = try world.identify(client)
    while world.gone.isEmpty {
      let (frame, records) = World.frame(to: id, phase: .ended)
      try world.send(frame, records)
      world.server.endTurn()
    }
    #expect(world.server.pool.all.count == 1)
    try world.turn { world.server.pool.all.isEmpty }
  }

  @Test("all frames of a turn go out with one send")
  func oneSend() throws {
    let world = try World()
    let client = try world.greeted()
    let id = try world.identify(client)
    for sequence in 1...5 {
      let (frame, records) = World.frame(to: id, 2, sequence: UInt64(sequence))
      try world.send(frame, records)
    }
    #expect(client.next() == nil)
    world.server.endTurn()
    for sequence in 1...5 {
      let message = try #require(client.next())
      #expect(message.load(touchroute_touches.self).sequence == UInt64(sequence))
    }
  }

  @Test("a client that hangs up is gone once, and what comes for it afterwards goes nowhere (R7)")
  func hangUp() throws {
    let world = try World()
    let client = try world.greeted()
    let id = try world.identify(client)
    client.hangUp()
    try world.turn { world.gone == [id] }
    let (frame, records) = World.frame(to: id)
    try world.send(frame, records)
    world.server.endTurn()

    // The slot is used again, by another generation.
    let next = try world.greeted()
    let nextID = try world.identify(next)
    #expect(nextID.slot == id.slot && nextID.generation != id.generation)
    try world.send(frame, records)
    try world.turnUntilIdle()
    #expect(next.next() == nil)
    #expect(world.gone == [id])
  }

  @Test("a client that hangs up with a full socket and requests pending is gone too")
  func hangUpWhileHeldBack() throws {
    let world = try World()
    let client = try world.greeted()
    let pings = (1...20_000).flatMap { RequestBytes.plain(TOUCHROUTE_PING, serial: UInt32($0)) }
    var sent = 0
    for _ in 0..<2_000 {
      sent += max(0, client.send(pings[sent...].prefix(8_192)))
      try world.loop.runTurn(timeoutMicroseconds: 0)
    }
    #expect(sent < pings.count)
    client.hangUp()
    try world.turn { world.gone.count == 1 }
    try world.turnUntilIdle()
    #expect(world.server.pool.all.isEmpty)
  }

  @Test("who only shuts its writing half gets the answers that it asked for before")
  func halfClosed() throws {
    let world = try World()
    let client = try world.connect()
    client.send(RequestBytes.hello() + RequestBytes.plain(TOUCHROUTE_PING, serial: 6))
    shutdown(client.descriptor, Int32(SHUT_WR))
    let words = try world.lastWords(to: client)
    #expect(words.map(\.opcode) == [TOUCHROUTE_WELCOME.rawValue, TOUCHROUTE_PONG.rawValue])
  }

  @Test(
    "more clients than a socket's limit are told so, and the other socket has its own (F5)",
    arguments: [(SocketKind.client, 3, "limits.clients"), (.control, 2, "limits.control_clients")])
  func clientLimit(_ kind: SocketKind, _ limit: Int, _ key: String) throws {
    var limits = ServerLimits()
    limits.clients = 3
    limits.controlClients = 2
    let world = try World(limits: limits)
    var clients = try (0..<limit).map { _ in try world.greeted(kind) }
    let refused = try world.connect(kind)
    let words = try world.lastWords(to: refused)
    #expect(words.map(\.isError) == [true, false])
    #expect(
      words.first?.errorText
        == "the limit of \(limit) clients of the \(kind) socket is reached (\(key))")
    #expect(
      words.last?.load(touchroute_closing.self).reason == TOUCHROUTE_CLOSE_LIMIT.rawValue)
    let other = try world.greeted(kind == .client ? .control : .client)
    clients.removeLast()
    try world.turn { world.gone.count == 1 }
    clients.append(try world.greeted(kind))
    other.hangUp()
    try world.turn { world.gone.count == 2 }
  }

  @Test("stopping tells every client and lets go of it")
  func stop() throws {
    let world = try World()
    let clients = [try world.greeted(), try world.greeted(.control), try world.connect()]
    world.server.stop()
    for client in clients {
      let message = try #require(client.next())
      #expect(message.isClosing)
      #expect(message.load(touchroute_closing.self).reason == TOUCHROUTE_CLOSE_STOPPING.rawValue)
      client.receive()
      #expect(client.isClosed)
    }
    #expect(world.gone.count == 3)
  }

  @Test("a server wakes up for nobody, but for as long as somebody owes it something")
  func patience() throws {
    let world = try World()
    let client = try world.greeted()
    #expect(world.server.pool.timeouts.count == 0)
    client.send(RequestBytes.plain(TOUCHROUTE_PING, serial: 2).prefix(12))
    try world.turnUntilIdle()
    #expect(world.server.pool.timeouts.count == 1)
    client.send(RequestBytes.plain(TOUCHROUTE_PING, serial: 2).dropFirst(12))
    try world.turnUntilIdle()
    #expect(world.server.pool.timeouts.count == 0)
    let silent = try world.connect()
    #expect(world.server.pool.timeouts.count == 1)
    silent.hangUp()
    try world.turn { world.gone.count == 1 }
    #expect(world.server.pool.timeouts.count == 0)
  }

  @Test("only observers are told what was observed, until they no longer want to")
  func observers() throws {
    let world = try World()
    let observer = try world.greeted(.control)
    let other = try world.greeted(.control)
    let id = try world.identify(observer)
    #expect(!world.server.hasObservers)
    world.server.setObserver(id, .touches)
    #expect(world.server.hasObservers)
    var pipeline = TouchPipeline(layout: try Layouts.home())
    pipeline.isObserved = true
    let time = Timestamp(microseconds: 1)
    pipeline.consume([
      .down(
        DeviceID(1), slot: 0, screen: ScreenIndex(0), location: Point(x: 50, y: 50), time: time),
      .frame(DeviceID(1), time: time),
    ])
    world.server.send(pipeline.deliveries.observations, layout: pipeline.router.layout)
    world.server.endTurn()
    #expect(try world.message(for: observer).opcode == TOUCHROUTE_OBSERVED.rawValue)
    #expect(other.next() == nil)
    observer.hangUp()
    try world.turn { world.gone == [id] }
    #expect(!world.server.hasObservers)
  }

  @Test("who observes health is told what is wrong, and nothing of touches (N10, F7)")
  func healthObservers() throws {
    let world = try World()
    let clients = try (0..<4).map { _ in try world.greeted(.control) }
    let kinds: [Observing] = [.health, .touches, .changes, .nothing]
    for (client, kind) in zip(clients, kinds) {
      world.server.setObserver(try world.identify(client), kind)
      #expect(world.server.hasObservers == (kind != .health))
    }
    let time = Timestamp(microseconds: 1)
    let note = SignalNote(
      device: DeviceID(1), time: time, finding: .outlier, slot: 0, screen: ScreenIndex(0),
      location: .zero)
    world.server.send(note, of: nil, isSecure: false)
    world.server.send(
      HealthChange(
        device: DeviceID(1), finding: .silent, since: time, time: time, isOver: false,
        sentence: "has reported nothing"))
    world.server.endTurn()
    var found: [[UInt8]] = clients.map { _ in [] }
    try world.turn {
      for (index, client) in clients.enumerated() {
        while let message = client.next() {
          #expect(message.opcode == TOUCHROUTE_OBSERVED_SIGNAL.rawValue)
          found[index].append(message.load(touchroute_observed_signal.self).finding)
        }
      }
      return found.joined().count >= 5
    }
    let (silent, outlier) = (SignalFinding.silent.rawValue, SignalFinding.outlier.rawValue)
    #expect(found == [[silent], [outlier, silent], [outlier, silent], []])
  }
}
