import Foundation
import Testing

/// A program that a test lets run, and can stop and kill. It goes with the value.
final class Child {
  private let process = Process()
  private let input = Pipe()
  private let output: URL

  init(
    _ program: URL, _ arguments: [String], in folder: TemporaryFolder, daemon: Daemon
  ) throws {
    output = folder.url.appending(path: "output-\(UUID().uuidString)")
    try Data().write(to: output)
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging([
      "TOUCHROUTE_SOCKET": daemon.socket, "PYTHONPATH": Program.pythonPackage,
    ]) { $1 }
    process.standardInput = input  // open for as long as this is there
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit { kill() }

  var isRunning: Bool { process.isRunning }
  var identifier: Int32 { process.processIdentifier }

  /// The lines that it has printed.
  var lines: [String] {
    let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  func signal(_ number: Int32) { Foundation.kill(process.processIdentifier, number) }

  /// Ends it without a word, and waits until it is gone.
  func kill() {
    if process.isRunning { signal(SIGKILL) }
    process.waitUntilExit()
  }
}

/// Looks every 10 ms, for 30 s at most.
func waitUntil(_ what: String, _ condition: () throws -> Bool) throws {
  let end = ContinuousClock.now + .seconds(30)
  while try !condition() {
    try #require(ContinuousClock.now < end, "30 s and not yet: \(what)")
    usleep(10_000)
  }
}
