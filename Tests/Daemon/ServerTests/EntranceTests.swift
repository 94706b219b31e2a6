import CThreadCredentials
import CTouchroute
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Server

/// Connections of several users; turns are counted, not time.
@Suite("Who is let in next", .enabled(if: geteuid() == 0, "other users need root"))
struct EntranceTests {
  private let world: World
  private let folder: TemporaryDirectory

  init() throws {
    var limits = ServerLimits()
    limits.clientsPerUser = 200
    world = try World(limits: limits, time: 1)
    folder = try TemporaryDirectory()
    chmod(folder.path, 0o755)
    try world.server.listen(on: try Listener(.client, path: folder.socket))
    chmod(folder.socket, 0o666)
  }

  /// A connection of that user, which the server has yet to look at.
  private func connect(as user: UInt32) throws -> RawClient {
    try #require(thread_become(user, user, [], 0) == 0)
    defer { precondition(thread_become_root() == 0, "root again") }
    return try RawClient(path: folder.socket)
  }

  /// So many connections, more than may lie in the kernel: meanwhile the server has turns.
  private func connect(_ count: Int, as user: UInt32) throws -> [RawClient] {
    try (0..<count).map { number in
      if number % 64 == 0 {
        for _ in 0..<8 { try world.loop.runTurn(timeoutMicroseconds: 0) }
      }
      return try connect(as: user)
    }
  }

  private func sessions(of user: UInt32) -> Int {
    world.server.pool.clients(ofUser: user).count
  }

  /// The turns until a program is welcomed.
  private func turnsUntilWelcome(of client: RawClient) throws -> Int {
    client.send(RequestBytes.hello(name: "new"))
    let before = world.turns
    let welcome = try world.message(for: client)
    #expect(welcome.opcode == TOUCHROUTE_WELCOME.rawValue)
    return world.turns - before
  }

  @Test("beside another's that connect in a loop, a new user's program is let in at once (F1, S12)")
  func connectAndGo() throws {
    // As many as fit into the kernel's queue.
    for _ in 0..<128 { try connect(as: 4001).hangUp() }
    // It lies behind them, of which 32 are accepted in a turn, and some 60 are let in at once and
    // end in a turn each; then itself, and its hello.
    let new = try connect(as: 4002)
    #expect(try turnsUntilWelcome(of: new) <= 128 / 32 * 2 + 60 + 4)
    try world.turnUntilIdle()
    #expect(sessions(of: 4001) == 0)
    #expect(sessions(of: 4002) == 1)
    #expect(world.server.entrance.waitingCount == 0)
  }

  @Test("beside another's that stay and ask for all they can get, it is too (F1, S12)")
  func connectAndFlood() throws {
    let requests =
      RequestBytes.hello(name: "flood")
      + (1...1_000).flatMap { RequestBytes.accept(serial: UInt32($0), touch: 1) }
    let flooders = try connect(200, as: 4001)
    for flooder in flooders { flooder.send(requests) }
    try world.turn { sessions(of: 4001) > 60 }
    let late = try (0..<64).map { _ in try connect(as: 4001) }
    // Each of those that were let in at once has a turn of 0.05 ms before it.
    #expect(try turnsUntilWelcome(of: try connect(as: 4002)) <= 62 + 16)
    #expect(late.count == 64)
  }

  @Test("whoever connects often comes in too, each user in its turn (F1, S12)")
  func others() throws {
    let first = try connect(200, as: 4001)
    let second = try connect(200, as: 4002)
    // What is let in at once, and then one a turn.
    try world.turn { world.server.entrance.waitingCount > 200 }
    let before = (sessions(of: 4001), sessions(of: 4002))
    for _ in 0..<41 { try world.loop.runTurn(timeoutMicroseconds: 0) }
    let more = (sessions(of: 4001) - before.0, sessions(of: 4002) - before.1)
    #expect(more.0 + more.1 >= 20)
    #expect(abs(more.0 - more.1) <= 1)
    try world.turnUntilIdle()
    #expect(sessions(of: 4001) == 200 && sessions(of: 4002) == 200)
    for client in first + second { client.hangUp() }
  }

  @Test("those that wait count as clients of their user: there are never more (F5)")
  func limit() throws {
    let clients = try connect(260, as: 4001)
    try world.turn { world.server.entrance.waitingCount > 100 }
    #expect(sessions(of: 4001) + world.server.entrance.waitingCount <= 200)
    try world.turnUntilIdle()
    #expect(sessions(of: 4001) == 200)
    let words = try world.lastWords(to: try #require(clients.last))
    let text = try #require(words.first).errorText
    #expect(text.contains("200 clients of one user is reached by uid 4001"), "\(text)")
  }
}
