import DaemonSupport
import Foundation
import Glibc
import Testing
import TouchClient

/// The built daemon as a process, in a directory of its own; it is ended with this object.
final class DaemonUnderTest {
  let directory: TemporaryDirectory
  private(set) var pid: pid_t = 0
  /// The service manager's socket.
  let notifications: Int32
  private var status: Int32?

  static let program = Command.tool.deletingLastPathComponent().appending(path: "touchrouted").path

  var socket: String { file("client.sock") }
  var controlSocket: String { file("control.sock") }
  var configuration: String { file("touchroute.toml") }

  func file(_ name: String) -> String { directory.url.appending(path: name).path }

  /// Starts it, without waiting for anything.
  ///
  /// - Parameters:
  ///   - configuration: The text of its configuration.
  ///   - directory: Where its files are; nil makes one.
  ///   - arguments: Further arguments.
  ///   - prelude: Shell commands before it, in its own process.
  ///   - passed: Descriptors that it gets, as 3 and so on.
  init(
    _ configuration: String = panel, in directory: TemporaryDirectory? = nil,
    arguments: [String] = [], prelude: String = ":", passing passed: [Int32] = []
  ) throws {
    self.directory = try directory ?? TemporaryDirectory()
    try self.directory.write("touchroute.toml", configuration)
    let path = self.directory.url.appending(path: "notify.sock").path
    unlink(path)
    notifications = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    try #require(withUnixAddress(path) { bind(notifications, $0, $1) } == 0)
    let command = [
      "/bin/sh", "-c", prelude + "\nexec \"$@\"", "sh", Self.program,
      "--config", self.configuration, "--socket", socket, "--control-socket", controlSocket,
    ]
    pid = try Self.spawn(
      command + arguments, notify: path, log: file("log"), passing: passed)
  }

  deinit {
    if status == nil {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    close(notifications)
  }

  /// Starts it, and waits until it is up.
  static func started(
    _ configuration: String = panel, in directory: TemporaryDirectory? = nil,
    arguments: [String] = [], prelude: String = ":", passing passed: [Int32] = []
  ) throws -> DaemonUnderTest {
    let daemon = try DaemonUnderTest(
      configuration, in: directory, arguments: arguments, prelude: prelude, passing: passed)
    try daemon.wait(for: "READY=1")
    return daemon
  }

  /// What it has logged.
  var log: String { (try? String(contentsOfFile: file("log"), encoding: .utf8)) ?? "" }

  /// Waits until it has told its service manager this; everything before is passed over.
  @discardableResult
  func wait(for words: String) throws -> String {
    while true {
      var ready = pollfd(fd: notifications, events: Int16(POLLIN), revents: 0)
      try #require(poll(&ready, 1, 30_000) == 1, "\(words) never came; the log: \(log)")
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = recv(notifications, &bytes, bytes.count, 0)
      let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
      if text.contains(words) { return text }
    }
  }

  /// Waits until it has logged this.
  func waitForLog(_ words: String) throws {
    for _ in 0..<3000 where !log.contains(words) { usleep(10_000) }
    try #require(log.contains(words), "the log: \(log)")
  }

  /// Waits for its end; its exit status, or minus the signal that it died of.
  func waitForExit() throws -> Int32 {
    if let status { return status }
    var raw: Int32 = 0
    for _ in 0..<3000 {
      if waitpid(pid, &raw, WNOHANG) == pid {
        let signal = raw & 0x7f
        status = signal == 0 ? (raw >> 8) & 0xff : -signal
        break
      }
      usleep(10_000)
    }
    return try #require(status, "it does not end; the log: \(log)")
  }

  /// Its processor time, in clock ticks.
  var ticks: Int {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
  }

  /// What `scripts/test --sanitize` tells the sanitizers, as the environment has it.
  private static let sanitizerOptions = ProcessInfo.processInfo.environment
    .filter { $0.key.hasSuffix("SAN_OPTIONS") }.map { "\($0.key)=\($0.value)" }

  private static func spawn(
    _ command: [String], notify: String, log: String, passing passed: [Int32]
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    for (place, descriptor) in passed.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(3 + place))
    }
    let environment = ["NOTIFY_SOCKET=\(notify)", "PATH=/usr/bin:/bin"] + sanitizerOptions
    let arguments = command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for string in arguments + variables { free(string) } }
    var pid: pid_t = 0
    try #require(posix_spawn(&pid, "/bin/sh", &actions, nil, arguments, variables) == 0)
    return pid
  }
}

/// Calls a socket function with a Unix address.
func withUnixAddress(
  _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  return withUnsafePointer(to: address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
