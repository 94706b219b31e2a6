import Foundation
import Glibc
import TestSupport

/// The least service there is: a C program that answers on a socket, which systemd listens on for
/// it. How long systemd takes to restart that is what touchrouted's restart is compared with.
final class TrivialService {
  /// How it is run.
  enum Kind: String {
    /// With nothing but its ExecStart= and Restart=, and so with systemd's RestartSec= of 0.1 s.
    case bare
    /// With all that shuts touchrouted in, and its RestartSec=: what systemd does for that takes
    /// longer than all else.
    case shutIn
  }

  private let unit: String
  private let socket: String

  init(_ kind: Kind) throws {
    unit = "trivial-\(kind)"
    socket = "/run/\(unit).sock"
    let source = Bundle.module.path(forResource: "Programs/trivial", ofType: "c") ?? ""
    let service =
      switch kind {
      case .bare: "printf '[Service]\\nExecStart=/run/trivial\\nRestart=on-failure\\n'"
      case .shutIn:
        "sed '/^\\(Type\\|Sockets\\|Requires\\|After\\|Watchdog.*\\|ExecReload\\|Also\\)=/d; "
          + "s,^ExecStart=.*,ExecStart=/run/trivial,' /lib/systemd/system/\(Machine.unit)"
      }
    try Machine.run("test -x /run/trivial || cc -O1 -o /run/trivial '\(source)'")
    try Machine.run(
      """
      cd /run/systemd/system
      printf '[Socket]\\nListenStream=\(socket)\\n' >\(unit).socket
      \(service) >\(unit).service
      systemctl daemon-reload
      systemctl start \(unit).socket
      """)
  }

  deinit {
    _ = try? Machine.run(
      "systemctl stop \(unit).socket \(unit).service; rm /run/systemd/system/\(unit).*")
  }

  /// From its kill -9 to the first answer at a client that was connected, which connects again as
  /// soon as its connection ends.
  func secondsToRestart() throws -> Double {
    let client = try answeredClient()
    let pid = try Machine.run("systemctl show \(unit).service -P MainPID")
    let start = ContinuousClock.now
    kill(pid_t(pid.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0, SIGKILL)
    var byte: UInt8 = 0
    _ = read(client, &byte, 1)
    close(client)
    close(try answeredClient())
    let end = ContinuousClock.now
    // Five starts in ten seconds are the most that systemd allows.
    try Machine.run("systemctl reset-failed \(unit).service")
    return (end - start) / .seconds(1)
  }

  /// A client that was answered once, still connected.
  private func answeredClient() throws -> Int32 {
    let client = try UnixSocket.connected(to: socket)
    var byte: UInt8 = 1
    guard write(client, &byte, 1) == 1, read(client, &byte, 1) == 1 else {
      throw Machine.Failure(description: "the trivial service does not answer: errno \(errno)")
    }
    return client
  }
}
