import Configuration
import Layout
import TestSupport
import TouchModel

/// The bytes of a configuration file. One that is refused has problems with words; one that is good
/// makes a daemon, on each of whose screens fingers come down.
struct ConfigurationInput {
  private let input: [UInt8]

  init(_ input: [UInt8]) { self.input = input }

  func play() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("touchroute.toml", input)
    let configuration: Configuration
    do throws(ConfigurationError) {
      configuration = try Configuration.load(files: [file])
    } catch { return try check(error, of: file) }
    let daemon = try FuzzedDaemon(configuration)
    for (index, screen) in configuration.layout.screens.enumerated().prefix(4) {
      for (slot, share) in [0, 0.1, 0.5, 0.9].enumerated() {
        let point = Point(x: screen.size.width * share, y: screen.size.height * share)
        daemon.touch(screen: index, [(Int32(slot), .down(point))])
      }
    }
    try daemon.check()
  }

  private func check(_ error: ConfigurationError, of file: String) throws {
    guard !error.problems.isEmpty, error.problems.count <= ConfigurationError.limit else {
      throw Finding("refused with \(error.problems.count) problems")
    }
    for problem in error.problems {
      guard problem.file == file, !problem.message.isEmpty else {
        throw Finding("a problem without words or of another file: \(problem)")
      }
    }
  }
}
