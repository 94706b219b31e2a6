import Foundation
import Testing

/// Programs that the tests build and run.
enum Program {
  /// What came of a run.
  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  /// The repository.
  static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  /// Where touchroute.h is.
  static let include = repository.appending(path: "Sources/CTouchroute/include").path
  /// The C library.
  static let library = repository.appending(path: "Sources/CTouchroute/touchroute.c").path

  /// The Python module.
  static let pythonPackage = repository.appending(path: "clients/python").path

  /// The program of that name that was built with the tests.
  static func built(_ name: String) -> URL {
    URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: name)
  }

  /// What has the compiler build programs in C with the sanitizers that `scripts/test --sanitize`
  /// names; nothing where it names none.
  static let sanitizers: [String] =
    ProcessInfo.processInfo.environment["TOUCHROUTE_SANITIZERS"]
    .map { ["-g", "-fsanitize=\($0)", "-fno-sanitize-recover=all"] } ?? []

  /// A program in C, of the repository, built with the client library into a folder.
  static func buildC(_ source: String, in folder: TemporaryFolder) throws -> URL {
    let file = repository.appending(path: source)
    let program = folder.url.appending(path: file.deletingPathExtension().lastPathComponent)
    let result = try run(
      try #require(find("cc") ?? find("clang")),
      [
        "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-I", include, file.path, library, "-o",
        program.path,
      ] + sanitizers, in: folder)
    try #require(result.status == 0, "\(result.errors)")
    return program
  }

  /// An example in Python: the interpreter, and the arguments that come before the example's own.
  static func python(_ example: String) throws -> (URL, [String]) {
    let python = try #require(find("python3"), "python3 is not installed")
    return (python, ["-B", repository.appending(path: "examples/python/\(example)").path])
  }

  /// The program of that name among those that may be run; nil where there is none.
  static func find(_ name: String) -> URL? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { URL(filePath: "\($0)/\(name)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// A program that has been started, and where its words go.
  final class Running {
    let process = Process()
    private let output: URL
    private let errors: URL

    init(
      _ program: URL, _ arguments: [String], in folder: TemporaryFolder,
      directory: URL? = nil, environment: [String: String] = [:]
    ) throws {
      output = folder.url.appending(path: "output-\(UUID().uuidString)")
      errors = folder.url.appending(path: "errors-\(UUID().uuidString)")
      for file in [output, errors] { try Data().write(to: file) }
      process.executableURL = program
      process.arguments = arguments
      process.currentDirectoryURL = directory
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = try FileHandle(forWritingTo: output)
      process.standardError = try FileHandle(forWritingTo: errors)
      try process.run()
    }

    /// Waits for its end.
    func finish() throws -> Result {
      process.waitUntilExit()
      return Result(
        status: process.terminationStatus,
        output: try String(contentsOf: output, encoding: .utf8),
        errors: try String(contentsOf: errors, encoding: .utf8))
    }
  }

  /// Runs a program to its end.
  static func run(
    _ program: URL, _ arguments: [String], in folder: TemporaryFolder, directory: URL? = nil
  ) throws -> Result {
    try Running(program, arguments, in: folder, directory: directory).finish()
  }
}

/// A folder of its own for a test; gone with the value.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "touchroute-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
