import DaemonSupport
import Foundation
import Testing
import TouchClient

extension DaemonProcess {
  /// Starts the daemon, and waits until it is up and has so many touchscreens.
  static func start(
    _ configuration: String, touchscreens: Int, arguments: [String] = ["--seat", "seat0"]
  ) throws -> DaemonProcess {
    let daemon = try DaemonProcess(configuration, arguments: arguments)
    try daemon.wait(for: "touchscreens: \(touchscreens)")
    return daemon
  }

  /// Ends the daemon as its service manager would: it must have kept to the rules (T5) until now,
  /// end well, and leave no socket behind.
  func finish() throws {
    let counters = try TouchProgram(control: self).daemonStatus()
    #expect(counters[.violations] == 0)
    #expect(try stop() == 0)
    #expect(!log.contains("mistake"), "\(log)")
    for path in [socket, controlSocket] {
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  /// Whether a program holds the responder.
  func isHeld(_ path: String) throws -> Bool {
    try TouchProgram(control: self).status().contains { item in
      if case .attachment(let attachment) = item { attachment.path == path } else { false }
    }
  }
}
