import CTouchroute
import Configuration
import EventLoop
import Glibc
import Routing
import Server
import TestSupport
import TouchModel
import Exchange

/// The programs of a world, on real sockets, each run by somebody: those of the client socket, the
/// adversaries among them, and those of the control socket.
struct SimulatedPrograms {
  private let users: [PeerCredentials]
  private var programs: [Program?] {
    didSet { all = programs.compactMap(\.self) }
  }
  /// Those that are there.
  private(set) var all: [Program] = []
  /// Whether one was disconnected because too much waited for it.
  private(set) var hasOverflowed = false

  init(users: [PeerCredentials]) {
    self.users = users
    programs = Array(repeating: nil, count: users.count)
  }

  /// Those that read, and have something to read or whose connection has ended.
  var due: [Program] {
    var polled = all.map(\.polled)
    guard poll(&polled, nfds_t(polled.count), 0) > 0 else { return [] }
    return zip(all, polled).filter { $1.revents != 0 }.map(\.0)
  }

  /// The adversaries and the clients of the control socket that are there.
  var allBadOrInjecting: [Program] { programs[Step.clients...].compactMap(\.self) }

  /// The program of a number.
  subscript(number: Int) -> Program? { programs[number] }

  /// The program that the daemon calls that.
  subscript(client: ClientID) -> Program? {
    all.first { $0.client == client }
  }

  /// Connects the program of a number, if it is not there; it stays away where its user has as many
  /// as it may.
  mutating func bring(_ number: Int, _ kind: SocketKind, to exchange: Exchange) throws {
    if programs[number] != nil { return }
    programs[number] = try Self.connect(kind, users[number], to: exchange)
  }

  /// A program that connects; nil where its user has as many as it may, and it is told so. Rule F5.
  static func connect(
    _ kind: SocketKind, _ user: PeerCredentials, to exchange: Exchange
  ) throws -> Program? {
    let others = exchange.sessions.all.count { $0.kind == .client && $0.peer.uid == user.uid }
    let isMore = kind == .client && others >= exchange.configuration.limits.clientsPerUser
    var pair: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, type, 0, &pair) == 0 else {
      throw ServerError("can't make", "a socketpair", code: errno)
    }
    guard let client = exchange.sessions.admit(pair[0], from: kind, of: user) else {
      defer { close(pair[1]) }
      guard isMore, refusal(read: pair[1]) == TOUCHROUTE_ERROR_LIMIT.rawValue else {
        throw Missing("a program of uid \(user.uid), of which \(others) are there, is refused")
      }
      return nil
    }
    if isMore { throw Missing("one more program of uid \(user.uid) is let in to \(others)") }
    // So that a socket is full after a few frames.
    var bytes: Int32 = 2_304
    setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout.size(ofValue: bytes)))
    return Program(
      pair[1], client: client, user: user, isAdministrator: kind == .control,
      at: exchange.now.microseconds)
  }

  /// The code of the error that a socket has first; nil where it has none.
  private static func refusal(read descriptor: Int32) -> UInt32? {
    var error = touchroute_error()
    let size = MemoryLayout.size(ofValue: error)
    guard recv(descriptor, &error, size, Int32(MSG_DONTWAIT)) == size,
      error.header.opcode == UInt16(TOUCHROUTE_ERROR.rawValue)
    else { return nil }
    return error.code
  }

  /// Another daemon calls the clients by other names.
  func rename(_ names: [ClientID: ClientID]) {
    for program in all {
      if let name = names[program.client] { program.moved(to: name) }
    }
  }

  /// Forgets those whose connection is closed.
  mutating func removeClosed() {
    if all.contains(where: \.isClosed) {
      programs = programs.map { $0?.isClosed == true ? nil : $0 }
    }
  }

  mutating func noteOverflow() { hasOverflowed = true }
}
