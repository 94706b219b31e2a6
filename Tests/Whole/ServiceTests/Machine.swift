import Foundation
import Glibc
import VirtualDevices

/// The machine that the tests run on: its commands, its service, its journal.
enum Machine {
  /// A command that failed, or something that never came.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Whether this is the guest's, booted with systemd.
  static var isGuest: Bool {
    FileManager.default.fileExists(atPath: "/run/guest/systemd") && VirtualTouchscreen.isAvailable
  }

  static let unit = "touchrouted.service"
  static let sockets = "touchrouted.socket touchrouted-control.socket"
  static let program = "/usr/bin/touchrouted"
  static let configuration = "/etc/touchroute/touchroute.toml"

  /// Runs a shell command; its exit status, and what it wrote, errors included.
  static func result(of command: String) throws -> (status: Int32, output: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  /// Runs a shell command that must succeed; what it wrote.
  @discardableResult
  static func run(_ command: String) throws -> String {
    let (status, output) = try result(of: command)
    guard status == 0 else { throw Failure(description: "\(command): \(status): \(output)") }
    return output
  }

  /// Puts another configuration into its file; the service does not know it yet.
  static func write(_ configuration: String) throws {
    try Data(configuration.utf8).write(to: URL(filePath: Self.configuration))
  }

  /// The files of packages that were built, for a shell.
  static func packages(_ names: String...) -> String {
    names.map { ".build/package/\($0)_*[0-9]_*.deb" }.joined(separator: " ")
  }

  /// The service as after a boot, with this configuration: its sockets are there, it is not. What a
  /// test has removed is installed again.
  static func rest(_ configuration: String) throws {
    if !FileManager.default.fileExists(atPath: program) {
      try run(
        "systemctl daemon-reload; dpkg --force-confold --install "
          + packages("touchrouted", "touchroute-tools", "touchroute-mqtt"))
    }
    try write(configuration)
    try run("systemctl stop \(unit) \(sockets)")
    _ = try result(of: "systemctl reset-failed \(unit) \(sockets)")
    try run("systemctl start \(sockets)")
  }

  /// The service started anew, with this configuration.
  static func start(_ configuration: String) throws {
    try rest(configuration)
    try run("systemctl start \(unit)")
  }

  /// A property of the service, as systemd has it.
  static func property(_ name: String) throws -> String {
    try run("systemctl show \(unit) --property \(name) --value")
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The daemon's process.
  static func daemon() throws -> pid_t {
    let pid = pid_t(try property("MainPID")) ?? 0
    guard pid > 0 else { throw Failure(description: "\(unit) has no process: \(try journal())") }
    return pid
  }

  /// What the service has logged since its start, or since a mark.
  static func journal(since mark: String? = nil) throws -> String {
    try run(
      "journalctl --sync; journalctl --quiet --output cat --unit \(unit) "
        + (mark.map { "--since @\($0)" } ?? "--lines 60"))
  }

  /// What of the journal since a mark somebody ought to look at: warnings and what is worse, of the
  /// service and of systemd about it.
  static func warnings(since mark: String) throws -> String {
    try run(
      "journalctl --sync; journalctl --quiet --output cat --priority warning --unit \(unit) "
        + "--since @\(mark)")
  }

  /// This moment, for the journal.
  static func mark() throws -> String {
    try run("date +%s.%N").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Waits until something has come true; 60 seconds are the bound of failure.
  static func wait(for what: String, _ condition: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(60)
    while try !condition() {
      guard ContinuousClock.now < end else {
        throw Failure(description: "never: \(what); the journal: \(try journal())")
      }
      usleep(50_000)
    }
  }

  /// Waits until the service has logged this after the mark.
  static func wait(forLog words: String, since mark: String) throws {
    try wait(for: words) { try journal(since: mark).contains(words) }
  }

  /// Waits until the daemon has so many touchscreens, as `systemctl status` shows it.
  static func wait(forTouchscreens count: Int) throws {
    try wait(for: "\(count) touchscreens") {
      try property("StatusText").hasSuffix("touchscreens: \(count)")
    }
  }
}

/// A panel with two windows beside each other.
let panels = """
  [screen.panel]
  size = [800, 480]
  [[window]]
  name = "left"
  frame = [0, 0, 400, 480]
  [[window]]
  name = "right"
  frame = [400, 0, 400, 480]

  """
