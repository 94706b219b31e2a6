import Foundation
import Glibc
package import TestSupport

/// The built daemon as a process, with sockets and a configuration of its own; it is ended with
/// this object.
package final class DaemonProcess {
  package let directory: TemporaryDirectory
  package var pid: Int32 { process.identifier }
  /// What it tells its service manager.
  package let notifications: NotifySocket
  private let command: [String]
  private let passed: [Int32]
  /// The one that was started last.
  private var process: ChildProcess!

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
    process = try spawn()
  }

  /// Replaces the configuration; the daemon does not read it by itself.
  package func write(_ configuration: String) throws {
    try directory.write("touchroute.toml", configuration)
  }

  /// Sends a signal.
  package func signal(_ number: Int32) { process.signal(number) }

  /// Asks it to stop, and waits until it has; its exit status.
  @discardableResult
  package func stop() throws -> Int32 {
    signal(SIGTERM)
    return try waitForExit()
  }

  /// Ends it without asking, and waits until it is gone.
  package func kill() {
    process.signal(SIGKILL)
    process.waitForExit()
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
    for _ in 0..<3000 {
      guard !log.contains(words) else { break }
      usleep(10_000)
    }
    guard log.contains(words) else { throw Missing("\"\(words)\" is not in the log: \(log)") }
  }

  /// Waits for its end; its exit status, or minus the signal that it died of.
  package func waitForExit() throws -> Int32 {
    for _ in 0..<3000 {
      guard process.isRunning else { break }
      usleep(10_000)
    }
    guard !process.isRunning else { throw Missing("touchrouted does not end; its log: \(log)") }
    return process.waitForExit()
  }

  /// Its processor time, in clock ticks.
  package var ticks: Int {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
  }

  /// What the environment has for the daemon: options of sanitizers from `scripts/test --sanitize`,
  /// and the fault of `scripts/mutants`.
  private static let passedVariables = ProcessInfo.processInfo.environment
    .filter { $0.key.hasSuffix("SAN_OPTIONS") || $0.key == "TOUCHROUTE_FAULT" }

  private func spawn() throws -> ChildProcess {
    let log = open(directory.file("log"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard log >= 0 else {
      throw Missing("\(directory.file("log")) can't be written: errno \(errno)")
    }
    defer { close(log) }
    return try ChildProcess(
      URL(filePath: command[0]), Array(command.dropFirst()),
      environment: Self.passedVariables.merging([
        "NOTIFY_SOCKET": notifications.path, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
      ]) { $1 }, output: FileHandle.nullDevice.fileDescriptor, errors: log, passing: passed)
  }
}
