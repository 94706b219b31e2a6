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

/// The same, with pages that are turned.
let panelWithPages =
  panel + """
    [[gesture]]
    view = "home"
    name = "pages"
    kind = "pan"
    direction = "horizontal"

    """
