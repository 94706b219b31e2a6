import DaemonSupport
import Foundation
import TestSupport
import Testing

/// Programs that the tests build and run.
enum Program {
  /// Where touchroute.h and touchroute-protocol.h are.
  static let include = Repository.root.appending(path: "Sources/Client/CTouchroute/include").path
  /// The C library.
  static let library = Repository.root.appending(path: "Sources/Client/CTouchroute/touchroute.c")
    .path

  /// What fuzzers have a daemon say to the C library.
  static let clientInputs =
    Repository.root.appending(path: "Tests/Whole/FuzzTests/Corpora/client").path

  /// What has the compiler build programs in C with the sanitizers that `scripts/test --sanitize`
  /// names; nothing where it names none.
  static let sanitizers: [String] =
    ProcessInfo.processInfo.environment["TOUCHROUTE_SANITIZERS"]
    .map { ["-g", "-fsanitize=\($0)", "-fno-sanitize-recover=all"] } ?? []

  /// A program in C, of the repository, built with the client library into a folder.
  static func buildC(_ source: String, in folder: TemporaryDirectory) throws -> URL {
    let file = Repository.root.appending(path: source)
    let program = folder.url.appending(path: file.deletingPathExtension().lastPathComponent)
    let result = try RunningProgram.run(
      try #require(find("cc") ?? find("clang")),
      [
        "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-I", include, file.path, library, "-o",
        program.path,
      ] + sanitizers)
    try #require(result.status == 0, "\(result.errors)")
    return program
  }

  /// An example in Python: the interpreter, and the arguments that come before the example's own.
  static func python(_ example: String) throws -> (URL, [String]) {
    let python = try #require(find("python3"), "python3 is not installed")
    return (python, ["-B", Repository.root.appending(path: "examples/python/\(example)").path])
  }

  /// The program of that name among those that may be run; nil where there is none.
  static func find(_ name: String) -> URL? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { URL(filePath: "\($0)/\(name)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// Starts a program whose daemon this is; its standard input stays open.
  static func start(
    _ program: URL, _ arguments: [String], with daemon: DaemonProcess
  ) throws -> RunningProgram {
    try RunningProgram(
      program, arguments,
      environment: try PythonClient.variables().merging(["TOUCHROUTE_SOCKET": daemon.socket]) {
        $1
      },
      hasInput: true)
  }
}
