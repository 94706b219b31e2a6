import Foundation
import Glibc

/// What systemd needs for the least service there is: a C program that answers on a socket, which
/// systemd listens on for it.
enum TrivialService {
  private static let socket = "/run/trivial.sock"

  /// How a trivial service is run.
  enum Kind {
    /// With nothing but its ExecStart= and Restart=.
    case bare
    /// With all that shuts touchrouted in, and its restart: what systemd does for that takes longer
    /// than the least service itself.
    case shutIn
  }

  /// From its kill -9, seen by a client, to the next answer: the median of three.
  static func secondsToRestart(_ kind: Kind) throws -> Double {
    let source = Bundle.module.path(forResource: "Programs/trivial", ofType: "c") ?? ""
    let service =
      switch kind {
      case .bare: "printf '[Service]\\nExecStart=/run/trivial\\nRestart=on-failure\\n'"
      case .shutIn:
        "sed '/^\\(Type\\|Sockets\\|Requires\\|After\\|Watchdog.*\\|ExecReload\\|Also\\)=/d; "
          + "s,^ExecStart=.*,ExecStart=/run/trivial,' /lib/systemd/system/\(Machine.unit)"
      }
    try Machine.run("cc -O1 -o /run/trivial '\(source)'")
    try Machine.run(
      """
      cd /run/systemd/system
      printf '[Socket]\\nListenStream=\(socket)\\n' >trivial.socket
      \(service) >trivial.service
      systemctl daemon-reload
      systemctl start trivial.socket
      """)
    defer { _ = try? Machine.run("systemctl stop trivial.socket trivial.service") }
    var times: [Double] = []
    for _ in 0..<3 {
      let client = try answeredClient()
      let pid = try Machine.run("systemctl show trivial.service -P MainPID")
      let start = ContinuousClock.now
      kill(pid_t(pid.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0, SIGKILL)
      var byte: UInt8 = 0
      _ = read(client, &byte, 1)
      close(client)
      close(try answeredClient())
      times.append(seconds(ContinuousClock.now - start))
      // Five starts in ten seconds are the most that systemd allows.
      try Machine.run("systemctl reset-failed trivial.service")
    }
    return times.sorted()[1]
  }

  /// A duration as a number.
  static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.attoseconds / 1_000_000_000_000_000) / 1000
      + Double(duration.components.seconds)
  }

  /// A client that was answered once, still connected.
  private static func answeredClient() throws -> Int32 {
    let client = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(client, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    var byte: UInt8 = 1
    guard result == 0, write(client, &byte, 1) == 1, read(client, &byte, 1) == 1 else {
      throw Machine.Failure(description: "the trivial service does not answer: errno \(errno)")
    }
    return client
  }
}
