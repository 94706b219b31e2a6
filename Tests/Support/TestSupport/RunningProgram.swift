package import Foundation
import Glibc

/// A program that a test has started, and what it writes. It is ended with the value.
package final class RunningProgram {
  /// What came of a run.
  package struct Result: Equatable {
    /// The exit status, or minus the signal that ended it.
    package var status: Int32
    package var output: String
    package var errors: String

    package init(status: Int32, output: String, errors: String) {
      self.status = status
      self.output = output
      self.errors = errors
    }
  }

  private let process: ChildProcess
  private let files: TemporaryDirectory
  /// Open, with nothing to read, for as long as this is there.
  private let input: Pipe?

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - directory: where it runs; nil for where the test does.
  ///   - environment: what it has beside the test's own variables. No socket of a daemon is among
  ///     those.
  ///   - hasInput: whether its standard input stays open; else it is at its end.
  package init(
    _ program: URL, _ arguments: [String], in directory: URL? = nil,
    environment: [String: String] = [:], hasInput: Bool = false
  ) throws {
    files = try TemporaryDirectory()
    for name in ["output", "errors"] { try files.write(name, "") }
    input = hasInput ? Pipe() : nil
    var variables = ProcessInfo.processInfo.environment
    variables["TOUCHROUTE_SOCKET"] = nil
    let output = try FileHandle(forWritingTo: files.url.appending(path: "output"))
    let errors = try FileHandle(forWritingTo: files.url.appending(path: "errors"))
    process = try ChildProcess(
      program, arguments, in: directory, environment: variables.merging(environment) { $1 },
      input: input?.fileHandleForReading.fileDescriptor, output: output.fileDescriptor,
      errors: errors.fileDescriptor)
  }

  deinit { kill() }

  package var isRunning: Bool { process.isRunning }
  package var identifier: Int32 { process.identifier }

  /// The lines that it has printed.
  package var lines: [String] { text(of: "output").split(separator: "\n").map(String.init) }

  /// What it has written to its standard error.
  package var errors: String { text(of: "errors") }

  /// Sends a signal.
  package func signal(_ number: Int32) { process.signal(number) }

  /// Ends it without a word, and waits until it is gone.
  package func kill() {
    process.signal(SIGKILL)
    process.waitForExit()
  }

  /// Waits for its end.
  package func finish() -> Result {
    let status = process.waitForExit()
    return Result(status: status, output: text(of: "output"), errors: text(of: "errors"))
  }

  private func text(of name: String) -> String {
    (try? String(contentsOfFile: files.file(name), encoding: .utf8)) ?? ""
  }

  /// Runs a program to its end.
  package static func run(
    _ program: URL, _ arguments: [String], in directory: URL? = nil,
    environment: [String: String] = [:]
  ) throws -> Result {
    try RunningProgram(program, arguments, in: directory, environment: environment).finish()
  }

  /// Runs a program of the system's, found by its name, to its end.
  package static func run(_ name: String, _ arguments: String...) throws -> Result {
    try run(URL(filePath: "/usr/bin/env"), [name] + arguments)
  }
}
