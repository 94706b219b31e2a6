import Foundation
import TestSupport

/// The built tool as a process.
enum Command {
  typealias Result = RunningProgram.Result

  static let tool = Repository.program("touchroute")

  /// Runs the tool to its end.
  static func run(
    _ arguments: [String], in directory: URL? = nil, environment: [String: String] = [:]
  ) throws -> Result {
    try RunningProgram.run(tool, arguments, in: directory, environment: environment)
  }

  /// Starts the tool, or another program that runs it.
  static func start(
    _ arguments: [String], program: URL = tool, in directory: URL? = nil,
    environment: [String: String] = [:], output: FileHandle, errors: FileHandle? = nil
  ) throws -> ChildProcess {
    var variables = ProcessInfo.processInfo.environment
    variables["TOUCHROUTE_SOCKET"] = nil
    return try ChildProcess(
      program, arguments, in: directory, environment: variables.merging(environment) { $1 },
      output: output.fileDescriptor, errors: errors?.fileDescriptor)
  }
}

/// A layout that the tests ask about, as the tables of commands do.
let panel: String = {
  let file = Repository.root.appending(path: "Tests/Tool/Commands/panel.toml")
  do { return try String(contentsOf: file, encoding: .utf8) } catch {
    preconditionFailure("\(file.path): \(error)")
  }
}()

/// The same, with pages that are turned.
let panelWithPages =
  panel + """
    [[gesture]]
    view = "home"
    name = "pages"
    kind = "pan"
    direction = "horizontal"

    """
