import CTouchroute
import EventLoop
import Glibc
import Routing
import Server
import TouchModel
import Exchange

/// The programs of a world, on real sockets, each run by somebody: those of the client socket, the
/// adversaries among them, and those of the control socket.
struct SimulatedPrograms {
  private let users: [PeerCredentials]
  private var programs: [Program?]
  /// Whether one was disconnected because too much waited for it.
  private(set) var hasOverflowed = false

  init(users: [PeerCredentials]) {
    self.users = users
    programs = Array(repeating: nil, count: users.count)
  }

  /// Those that are there.
  var all: [Program] { programs.compactMap(\.self) }

  /// Those that read, and have something to read or whose connection has ended.
  var due: [Program] {
    let all = all
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
    for case let program? in programs where program.client == client { return program }
    return nil
  }

  /// The program of a number, which comes when it is wanted.
  mutating func take(
    _ number: Int, _ kind: SocketKind, to exchange: Exchange
  ) throws(ServerError) -> Program {
    if let program = programs[number] { return program }
    let program = try Self.connect(kind, users[number], to: exchange)
    programs[number] = program
    return program
  }

  static func connect(
    _ kind: SocketKind, _ user: PeerCredentials, to exchange: Exchange
  ) throws(ServerError) -> Program {
    var pair: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, type, 0, &pair) == 0 else {
      throw ServerError("can't make", "a socketpair", code: errno)
    }
    let client = exchange.sessions.begin(pair[0], from: kind, peer: user)
    // So that a socket is full after a few frames.
    var bytes: Int32 = 2_304
    setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout.size(ofValue: bytes)))
    return Program(pair[1], client: client, user: user, at: exchange.now.microseconds)
  }

  /// Another daemon calls the clients by other names.
  func rename(_ names: [ClientID: ClientID]) {
    for program in all {
      if let name = names[program.client] { program.moved(to: name) }
    }
  }

  /// Forgets those whose connection is closed.
  mutating func removeClosed() {
    for number in programs.indices where programs[number]?.isClosed == true {
      programs[number] = nil
    }
  }

  mutating func noteOverflow() { hasOverflowed = true }
}
