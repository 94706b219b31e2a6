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
