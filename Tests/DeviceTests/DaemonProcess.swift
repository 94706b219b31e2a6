import Foundation
import Glibc
import Testing
import TouchClient

/// The built daemon as a process, with sockets and a configuration of its own, until it is stopped.
final class DaemonProcess {
  let directory: URL
  private let process = Process()
  private let notifications: NotifySocket
  private let logFile: URL

  /// The programs that were built lie beside the test bundle.
  static func tool(_ name: String) -> URL {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: name)
  }

  var socket: String { directory.appending(path: "touch.sock").path }
  var controlSocket: String { directory.appending(path: "control.sock").path }
  private var configuration: URL { directory.appending(path: "touchroute.toml") }

  /// Starts the daemon and waits until it says that it is ready.
  ///
  /// - Parameters:
  ///   - arguments: which devices it reads.
  ///   - user: who runs it; nil for who runs the test.
  init(
    _ configuration: String, arguments: [String] = ["--seat", "seat0"], user: UInt32? = nil
  ) throws {
    directory = FileManager.default.temporaryDirectory
      .appending(path: "touchroute-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    chmod(directory.path, 0o777)
    notifications = try NotifySocket(path: directory.appending(path: "notify.sock").path)
    chmod(notifications.path, 0o777)
    logFile = directory.appending(path: "log")
    try Data().write(to: logFile)
    try write(configuration)
    let daemon = Self.tool("touchrouted").path
    let command =
      user.map { ["setpriv", "--reuid=\($0)", "--regid=\($0)", "--clear-groups", daemon] }
      ?? [daemon]
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      command + ["--config", self.configuration.path, "--socket", socket] + [
        "--control-socket", controlSocket,
      ] + arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["NOTIFY_SOCKET": notifications.path]) { _, new in new }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: logFile)
    try process.run()
  }

  deinit {
    if process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    try? FileManager.default.removeItem(at: directory)
  }

  /// The lines that the daemon has logged.
  var log: String { (try? String(contentsOf: logFile, encoding: .utf8)) ?? "" }

  /// Puts another configuration into the file; the daemon does not know it yet.
  func write(_ text: String) throws { try Data(text.utf8).write(to: configuration) }

  /// Waits until the daemon tells its service manager this, after what was waited for before.
  func wait(for words: String) throws {
    while let message = notifications.next(seconds: 30) {
      if message.contains(words) { return }
    }
    throw Missing("touchrouted never said \"\(words)\"; its log: \(log)")
  }

  /// Starts the daemon, and waits until it is up and has so many touchscreens.
  static func start(
    _ configuration: String, touchscreens: Int, arguments: [String] = ["--seat", "seat0"]
  ) throws -> DaemonProcess {
    let daemon = try DaemonProcess(configuration, arguments: arguments)
    try daemon.wait(for: "touchscreens: \(touchscreens)")
    return daemon
  }

  /// Sends a signal.
  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits for the process to end; its exit status.
  func waitForExit() throws -> Int32 {
    for _ in 0..<3000 where process.isRunning { usleep(10_000) }
    guard !process.isRunning else { throw Missing("touchrouted does not end; its log: \(log)") }
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }

  /// Ends the daemon as its service manager would: it must have kept to the rules (T5) until now,
  /// end well, and leave no socket behind.
  func stop() throws {
    let counters = try TouchProgram(control: self).daemonStatus()
    #expect(counters[.violations] == 0)
    signal(SIGTERM)
    #expect(try waitForExit() == 0)
    #expect(!log.contains("mistake"), "\(log)")
    for path in [socket, controlSocket] {
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }
}
