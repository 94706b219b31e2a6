import DaemonSupport
import Glibc
import TestSupport
import Testing
import TouchClient

/// The built daemon, and what the programs of one user may take of it. Rule F5.
@Suite("Daemon, the limits of a user")
struct DaemonUserLimitTests {
  /// What a connection is told until it is ended.
  private func words(from path: String) throws -> String {
    let descriptor = try UnixSocket.connected(to: path)
    defer { close(descriptor) }
    var text = ""
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, 0)
      guard count > 0 else { return text }
      text += String(decoding: bytes.prefix(count), as: UTF8.self)
    }
  }

  @Test("one connection more than clients_per_user is refused and told why; the others stay (F5)")
  func clients() throws {
    let daemon = try DaemonProcess.started("[limits]\nclients_per_user = 2\n" + panel)
    let first = try DaemonClient(daemon.socket, name: "first")
    _ = try first.next(\.greeting)
    var second: DaemonClient? = try DaemonClient(daemon.socket, name: "second")
    _ = try second?.next(\.greeting)
    let sentence =
      "the limit of 2 clients of one user is reached by uid \(geteuid()) "
      + "(limits.clients_per_user)"
    #expect(try words(from: daemon.socket).contains(sentence))
    try daemon.waitForLog("refused: \(sentence)")
    // The control socket has a limit of its own.
    let control = try DaemonClient(daemon.controlSocket, name: "tool")
    _ = try control.next(\.greeting)
    let ping = try first.connection.ping()
    _ = try first.next { $0 == .pong(ping) ? true : nil }
    // Whoever goes makes room.
    second = nil
    try daemon.waitForLog("(second) disconnected")
    second = try DaemonClient(daemon.socket, name: "third")
    _ = try second?.next(\.greeting)
  }

  @Test("what a user's programs hold together is limited, whichever of them asks for more (F5)")
  func attachments() throws {
    let daemon = try DaemonProcess.started("[limits]\nattachments_per_user = 3\n" + panel)
    let first = try DaemonClient(daemon.socket, name: "first")
    let second = try DaemonClient(daemon.socket, name: "second")
    func attach(_ client: DaemonClient, _ path: String) throws -> AttachmentGeometry {
      _ = try client.connection.attach(to: path)
      return try client.next(\.geometry)
    }
    let home = try attach(first, "home")
    _ = try attach(first, "home/toolbar")
    _ = try attach(second, "home/dial")
    for client in [first, second] {
      _ = try client.connection.attach(to: "bell")
      let failure = try client.next(\.failure)
      #expect(failure.code == .limit)
      #expect(
        failure.text
          == "the limit of 3 attachments of one user's programs is reached; detach one first, "
          + "or raise limits.attachments_per_user")
    }
    // Those on the control socket are not counted, nor limited.
    let control = try DaemonClient(daemon.controlSocket, name: "tool")
    _ = try attach(control, "home/toolbar/back")
    _ = try first.connection.detach(home.attachment)
    _ = try first.next(\.completion)
    _ = try attach(second, "bell")
  }
}
