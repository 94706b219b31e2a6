import Glibc
import Routing
import Server
import TestSupport
import TouchModel

/// What a daemon is left about two clients by the one before it, which was killed while it wrote,
/// or was another's. `COOKIE1` and `COOKIE2` stand for the numbers of the clients' sockets, and
/// `TITLE` for the first line as this daemon writes it.
struct HandoverInput {
  private let input: [UInt8]

  init(_ input: [UInt8]) { self.input = input }

  func play() throws {
    var ends: [Int32] = []
    defer { for end in ends { close(end) } }
    var sessions: [Int32] = []
    for _ in 0..<2 {
      let (inner, outer) = try UnixSocket.pair(isBlocking: false)
      sessions.append(inner)
      ends.append(outer)
    }
    let folder = try TemporaryDirectory()
    let file = try folder.write("state", text(for: sessions))
    let daemon = try FuzzedDaemon(
      House.configuration(), kept: (open(file, O_RDONLY | O_CLOEXEC), sessions))
    for screen in 0..<2 {
      daemon.touch(screen: screen, [(0, .down(.init(x: 20, y: 20)))])
      try daemon.settle()
    }
    // Closed alone they would not hang up: a process that another test starts has them too.
    for end in ends { shutdown(end, Int32(SHUT_RDWR)) }
    try daemon.check()
  }

  /// What this daemon writes where there is nothing to say.
  private static var empty: Handover {
    Handover(
      nextTouch: 1, numbers: Router.Numbers(sequence: 1, attachment: 1, generation: 1))
  }

  /// The input with the cookies and the title in it.
  private func text(for sessions: [Int32]) -> [UInt8] {
    let title = Array(Self.empty.text.utf8.prefix { $0 != UInt8(ascii: "\n") })
    var text = input.replacing(Array("TITLE".utf8), with: title)
    for (index, session) in sessions.enumerated() {
      text = text.replacing(
        Array("COOKIE\(index + 1)".utf8), with: Array("\(Server.cookie(of: session))".utf8))
    }
    return text
  }
}
