import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing

/// `touchroute listen --json` as a process of its own: a program that can be killed.
final class ListenProcess {
  private let process = Process()
  private let output = Pipe()
  private var bytes: [UInt8] = []

  /// Starts it and waits until it is attached.
  init(_ daemon: DaemonProcess, _ path: String, options: [String] = []) throws {
    process.executableURL = Repository.program("touchroute")
    process.arguments = ["listen", "--json", "--socket", daemon.socket, path] + options
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    _ = try wait(for: "\"event\":\"attached\"")
  }

  deinit { kill() }

  var processIdentifier: Int32 { process.processIdentifier }

  /// The next line with those words in it.
  func wait(for words: String) throws -> String {
    while true {
      while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: bytes[..<end], as: UTF8.self)
        bytes.removeSubrange(...end)
        if line.contains(words) { return line }
      }
      var ready = pollfd(
        fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 30_000) == 1 else { throw Missing("listen: \(words)") }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Missing("listen has ended before \(words)") }
      bytes += more
    }
  }

  /// Has it read nothing any more, and waits until it stands still.
  func pause() throws {
    Glibc.kill(processIdentifier, SIGSTOP)
    try waitUntil("\(processIdentifier) is stopped") {
      let text = try String(contentsOfFile: "/proc/\(processIdentifier)/stat", encoding: .utf8)
      return text.split(separator: ")").last?.hasPrefix(" T") == true
    }
  }

  /// Has it go on.
  func resume() { Glibc.kill(processIdentifier, SIGCONT) }

  /// Ends it without a word, and waits until it is gone.
  func kill() {
    if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }
}
