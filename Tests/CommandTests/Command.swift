import Foundation
import Testing

/// The built tool as a process.
struct Command {
  /// What came of a run.
  struct Result: Equatable {
    var status: Int32
    var output: String
    var errors: String
  }

  /// The tool lies beside the test bundle.
  static let tool = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "touchroute")

  /// Runs the tool to its end.
  static func run(
    _ arguments: [String], in directory: URL? = nil, environment: [String: String] = [:]
  ) throws -> Result {
    let process = process(arguments, in: directory, environment: environment)
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // Errors are few: they fit into the pipe while the output is read.
    let outputText = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let errorText = String(
      decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationReason == .exit, "it ended by a signal: \(errorText)")
    return Result(status: process.terminationStatus, output: outputText, errors: errorText)
  }

  /// The tool, not started yet.
  static func process(
    _ arguments: [String], in directory: URL? = nil, environment: [String: String] = [:]
  ) -> Process {
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    process.currentDirectoryURL = directory
    var variables = ProcessInfo.processInfo.environment
    variables["TOUCHROUTE_SOCKET"] = nil
    process.environment = variables.merging(environment) { _, new in new }
    process.standardInput = FileHandle.nullDevice
    return process
  }
}

/// A layout that the tests ask about.
let panel = """
  [screen.panel]
  size = [800, 480]
  [screen.door]
  size = [480, 800]
  rotation = 90
  [[window]]
  name = "home"
  application = "dashboard"
  [[view]]
  path = "home/toolbar"
  frame = [0, 0, "100%", 60]
  controller = "bar"
  [[view]]
  path = "home/toolbar/back"
  frame = [8, 8, 44, 44]
  outset = 8
  [[view]]
  path = "home/dial"
  frame = [100, 100, 200, 200]
  bounds_origin = [0, 50]
  shape = "ellipse"
  [[window]]
  name = "bell"
  screen = "door"
  level = 2
  hit = "self"

  """
