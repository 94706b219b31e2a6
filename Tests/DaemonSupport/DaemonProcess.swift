import Foundation
import Glibc
package import TestSupport

/// The built daemon as a process, with sockets and a configuration of its own; it is ended with
/// this object.
package final class DaemonProcess {
  package let directory: TemporaryDirectory
  package private(set) var pid: Int32 = 0
  /// What it tells its service manager.
  package let notifications: NotifySocket
  private let command: [String]
  private let passed: [Int32]
  /// How it has ended; nil while it runs.
  private var status: Int32?

  /// The arguments of a daemon of a seat that has no devices, whatever the machine has, and that
  /// logs errors alone.
  package static let withoutDevices = ["--seat", "seat-of-the-tests", "--log-level", "error"]

  package var socket: String { directory.file("client.sock") }
  package var controlSocket: String { directory.file("control.sock") }
  /// The file of its configuration.
  package var configuration: String { directory.file("touchroute.toml") }

  /// Starts it, without waiting for anything.
  ///
  /// - Parameters:
  ///   - configuration: The text of its configuration.
  ///   - directory: Where its files are; nil makes one.
  ///   - arguments: Further arguments.
  ///   - prelude: Shell commands before it, in its own process.
  ///   - passed: Descriptors that it gets, as 3 and so on.
  ///   - user: Who runs it; nil for who runs the test.
  package init(
    _ configuration: String, in directory: TemporaryDirectory? = nil, arguments: [String] = [],
    prelude: String = ":", passing passed: [Int32] = [], user: UInt32? = nil
  ) throws {
    let directory = try directory ?? TemporaryDirectory()
    self.directory = directory
    self.passed = passed
    notifications = try NotifySocket(path: directory.file("notify.sock"))
    if user != nil {
      for path in [directory.path, notifications.path] { chmod(path, 0o777) }
    }
    let asUser =
      user.map { ["setpriv", "--reuid=\($0)", "--regid=\($0)", "--clear-groups"] } ?? []
    command =
      ["/bin/sh", "-c", prelude + "\nexec \"$@\"", "sh"] + asUser + [
        Repository.program("touchrouted").path, "--config", directory.file("touchroute.toml"),
        "--socket", directory.file("client.sock"), "--control-socket",
        directory.file("control.sock"),
      ] + arguments
    try write(configuration)
    try start()
  }

  deinit { kill() }

  /// Starts it, and waits until it is up.
  package static func started(
    _ configuration: String, in directory: TemporaryDirectory? = nil, arguments: [String] = [],
    prelude: String = ":", passing passed: [Int32] = []
  ) throws -> DaemonProcess {
    let daemon = try DaemonProcess(
      configuration, in: directory, arguments: arguments, prelude: prelude, passing: passed)
    try daemon.wait(for: "READY=1")
    return daemon
  }

  /// Starts it once more, after its end.
  package func start() throws {
    while let left = notifications.next(seconds: 0) {
      for descriptor in left.descriptors { close(descriptor) }
    }
    pid = try spawn()
    status = nil
  }

  /// Replaces the configuration; the daemon does not read it by itself.
  package func write(_ configuration: String) throws {
    try directory.write("touchroute.toml", configuration)
  }

  /// Sends a signal.
  package func signal(_ number: Int32) { Glibc.kill(pid, number) }

  /// Asks it to stop, and waits until it has; its exit status.
  @discardableResult
  package func stop() throws -> Int32 {
    signal(SIGTERM)
    return try waitForExit()
  }

  /// Ends it without asking, and waits until it is gone.
  package func kill() {
    guard pid > 0, status == nil else { return }
    signal(SIGKILL)
    waitpid(pid, nil, 0)
    status = -SIGKILL
  }

  /// What it has logged.
  package var log: String {
    (try? String(contentsOfFile: directory.file("log"), encoding: .utf8)) ?? ""
  }

  /// Waits until it has told its service manager this; everything before is passed over.
  @discardableResult
  package func wait(for words: String) throws -> String {
    while let (text, descriptors) = notifications.next(seconds: 30) {
      for descriptor in descriptors { close(descriptor) }
      if text.contains(words) { return text }
    }
    throw Missing("touchrouted never said \"\(words)\"; its log: \(log)")
  }

  /// Waits until it has logged this.
  package func waitForLog(_ words: String) throws {
    for _ in 0..<3000 where !log.contains(words) { usleep(10_000) }
    guard log.contains(words) else { throw Missing("\"\(words)\" is not in the log: \(log)") }
  }

  /// Waits for its end; its exit status, or minus the signal that it died of.
  package func waitForExit() throws -> Int32 {
    if let status { return status }
    var raw: Int32 = 0
    for _ in 0..<3000 {
      if waitpid(pid, &raw, WNOHANG) == pid {
        let signal = raw & 0x7f
        let status = signal == 0 ? (raw >> 8) & 0xff : -signal
        self.status = status
        return status
      }
      usleep(10_000)
    }
    throw Missing("touchrouted does not end; its log: \(log)")
  }

  /// Its processor time, in clock ticks.
  package var ticks: Int {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
  }

  /// What `scripts/test --sanitize` tells the sanitizers, as the environment has it.
  private static let sanitizerOptions = ProcessInfo.processInfo.environment
    .filter { $0.key.hasSuffix("SAN_OPTIONS") }.map { "\($0.key)=\($0.value)" }

  private func spawn() throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, 2, directory.file("log"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
    for (index, descriptor) in passed.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(3 + index))
    }
    let environment =
      ["NOTIFY_SOCKET=\(notifications.path)", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"]
      + Self.sanitizerOptions
    let arguments = command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for string in arguments + variables { free(string) } }
    var pid: pid_t = 0
    let result = posix_spawn(&pid, "/bin/sh", &actions, nil, arguments, variables)
    guard result == 0 else { throw Missing("/bin/sh can't be run: errno \(result)") }
    return pid
  }
}
