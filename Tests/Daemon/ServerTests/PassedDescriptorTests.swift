import CTouchroute
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Server

/// Rule F1 where a client passes descriptors: TCP sockets whose last close waits for 300 s. The
/// loop's thread is the test's own, so a test that takes less has not waited.
///
/// They run in the guest too: a kernel before Linux 6.16 refuses no descriptor by itself.
@Suite("Passed descriptors")
struct PassedDescriptorTests {
  /// A listener that lets passed descriptors in, as it does before Linux 6.16.
  private final class Listening {
    let listener: Listener
    private let folder: TemporaryDirectory

    init() throws {
      folder = try TemporaryDirectory()
      let listener = try Listener(.client, path: folder.socket)
      // SO_PASSRIGHTS, which connections have of the listener. Older kernels do not know it.
      var on: Int32 = 1
      setsockopt(listener.descriptor, SOL_SOCKET, 83, &on, socklen_t(MemoryLayout<Int32>.size))
      self.listener = listener
    }

    deinit { listener.close() }
  }

  /// A client asks, and is answered before any lingering is over.
  private static func expectNoWait(
    _ world: World, _ client: RawClient, for lingering: [LingeringSocket],
    at location: SourceLocation = #_sourceLocation
  ) throws {
    client.send(RequestBytes.plain(TOUCHROUTE_PING, serial: 5))
    let answer = try world.message(for: client)
    #expect(answer.opcode == TOUCHROUTE_PONG.rawValue, sourceLocation: location)
    let hasWaited = lingering.contains { $0.isOver }
    #expect(!hasWaited, sourceLocation: location)
  }

  /// What was passed is dropped at last, by somebody who need not wait either.
  private static func expectEnd(_ world: World, of lingering: [LingeringSocket]) throws {
    try world.turn { world.server.pool.closer.pendingCount(of: .client) == 0 }
    let hasWaited = lingering.contains { $0.isOver }
    #expect(!hasWaited)
  }

  @Test(
    "a descriptor ends the session of who passes it, out of band or not; nobody waits (F1, F4, S1)",
    arguments: [0, Int32(MSG_OOB)])
  func passed(flags: Int32) throws {
    let world = try World()
    let listening = try Listening()
    let hostile = try world.greet(world.connect(through: listening.listener), name: "hostile")
    let other = try world.greeted(name: "other")
    let lingering = [try LingeringSocket()]
    hostile.send(RequestBytes.plain(TOUCHROUTE_PING, serial: 6))
    try #require(LingeringSocket.pass(lingering, over: hostile.descriptor, flags: flags) == 0)
    hostile.send(RequestBytes.plain(TOUCHROUTE_PING, serial: 7))
    try Self.expectNoWait(world, other, for: lingering)
    let words = try world.lastWords(to: hostile)
    #expect(words.contains { $0.isError && $0.errorText.contains("a descriptor was passed") })
    #expect(words.last?.load(touchroute_closing.self).reason == TOUCHROUTE_CLOSE_PROTOCOL.rawValue)
    try Self.expectEnd(world, of: lingering)
    try Self.expectNoWait(world, other, for: lingering)
    #expect(world.gone.count == 1)
  }

  @Test("many at once, from many clients, are no more than one (F1, S1)")
  func many() throws {
    let world = try World()
    let other = try world.greeted(name: "other")
    var lingering: [LingeringSocket] = []
    var hostile: [RawClient] = []
    for number in 0..<6 {
      let batch = try (0..<20).map { _ in try LingeringSocket() }
      let client = try world.greeted(name: "hostile \(number)")
      try #require(LingeringSocket.pass(batch, over: client.descriptor) == 0)
      lingering += batch
      hostile.append(client)
    }
    try Self.expectNoWait(world, other, for: lingering)
    try world.turn { world.gone.count == hostile.count }
    try Self.expectEnd(world, of: lingering)
    try Self.expectNoWait(world, other, for: lingering)
  }

  @Test("one that lies unread when its client hangs up is waited for by nobody (F1, S1)")
  func unreadAtHangUp() throws {
    let world = try World()
    let other = try world.greeted(name: "other")
    let hostile = try world.greeted(name: "hostile")
    let lingering = [try LingeringSocket()]
    // The message ends the session before what follows is read.
    hostile.send(RequestBytes.hello(name: "hostile"))
    try #require(LingeringSocket.pass(lingering, over: hostile.descriptor) == 0)
    hostile.hangUp()
    try world.turn { world.gone.count == 1 }
    try Self.expectNoWait(world, other, for: lingering)
    try Self.expectEnd(world, of: lingering)
  }

  @Test(
    "one that comes with a connection over the limit is waited for by nobody (F1, F5, S1)",
    arguments: [0, Int32(MSG_OOB)])
  func refused(flags: Int32) throws {
    var limits = ServerLimits()
    limits.clients = 1
    let world = try World(limits: limits)
    let other = try world.greeted(name: "other")
    let lingering = [try LingeringSocket()]
    let listening = try Listening()
    let hostile = try RawClient(path: listening.listener.path)
    hostile.send(RequestBytes.hello())
    try #require(LingeringSocket.pass(lingering, over: hostile.descriptor, flags: flags) == 0)
    world.server.pool.admit(try listening.listener.accept().get(), from: .client)
    try Self.expectNoWait(world, other, for: lingering)
    let words = try world.lastWords(to: hostile)
    #expect(words.last?.load(touchroute_closing.self).reason == TOUCHROUTE_CLOSE_LIMIT.rawValue)
    try Self.expectEnd(world, of: lingering)
  }

  @Test(
    "a connection counts against the limits until its close is over (F1, F5)",
    arguments: [true, false])
  func pendingClose(isUsers: Bool) throws {
    var limits = ServerLimits()
    if isUsers { limits.clientsPerUser = 1 } else { limits.clients = 1 }
    let world = try World(limits: limits)
    let closer = world.server.pool.closer
    var isRefused = false
    // The thread that closes may be quicker than this one: then nothing is known, once more.
    for _ in 0..<10_000 {
      guard !isRefused else { break }
      let pair = try SocketPair()
      let lingering = try LingeringSocket()
      try #require(LingeringSocket.pass([lingering], over: pair.outer) == 0)
      closer.close(pair.inner, of: getuid(), on: .client)
      close(pair.outer)
      let client = try world.connect()
      let isPending = closer.pending(getuid(), on: .client) > 0
      client.receive()
      if isPending { #expect(client.isClosed) }
      isRefused = isPending && client.isClosed
      client.hangUp()
      try world.turn {
        world.server.pool.all.isEmpty && closer.pendingCount(of: .client) == 0
      }
    }
    #expect(isRefused)
    _ = try world.greeted()
  }

  @Test("one sent to a connection that nobody has accepted is waited for by nobody (F1)")
  func notAccepted() throws {
    let folder = try TemporaryDirectory()
    // Without SO_PASSRIGHTS, which a listener sets when it takes the socket over.
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    try SocketAddress(folder.socket).bind(descriptor, group: nil)
    try #require(listen(descriptor, 8) == 0)
    let hostile = try RawClient(path: folder.socket)
    let listener = try Listener(.client, adopting: descriptor)
    let lingering = [try LingeringSocket()]
    try #require(LingeringSocket.pass(lingering, over: hostile.descriptor) == 0)
    listener.close()
    #expect(!lingering[0].isOver)
    let world = try World()
    try world.turn {
      hostile.receive()
      return hostile.isClosed
    }
    #expect(!lingering[0].isOver)
  }

  @Test("who is accepted may pass none where the kernel can see to that, from its connecting on")
  func refusedByTheKernel() throws {
    let folder = try TemporaryDirectory()
    let listener = try Listener(.client, path: folder.socket)
    defer { listener.close() }
    // SO_PASSRIGHTS
    var value: Int32 = -1
    var size = socklen_t(MemoryLayout<Int32>.size)
    let isKnown = getsockopt(listener.descriptor, SOL_SOCKET, 83, &value, &size) == 0
    let client = try RawClient(path: folder.socket)
    let lingering = try LingeringSocket()
    let result = LingeringSocket.pass([lingering], over: client.descriptor)
    #expect(result == (isKnown ? EPERM : 0))
    if isKnown { #expect(value == 0) }
  }

  @Test("bytes out of band are read in their order")
  func outOfBand() throws {
    let world = try World()
    let listening = try Listening()
    let client = try world.greet(world.connect(through: listening.listener))
    let ping = RequestBytes.plain(TOUCHROUTE_PING, serial: 9)
    for byte in ping {
      var byte = byte
      #expect(send(client.descriptor, &byte, 1, Int32(MSG_OOB)) == 1)
      try world.turnUntilIdle()
    }
    #expect(try world.message(for: client).load(touchroute_pong.self).serial == 9)
  }

  @Test("bytes that nobody reads do not keep a connection that is closed")
  func unreadBytes() throws {
    let world = try World()
    let client = try world.greeted()
    client.send(RequestBytes.hello() + [UInt8](repeating: 0, count: 100_000))
    let words = try world.lastWords(to: client)
    #expect(words.last?.isClosing == true)
    try world.turn { world.server.pool.closer.pendingCount(of: .client) == 0 }
    #expect(world.server.pool.all.isEmpty)
  }
}
