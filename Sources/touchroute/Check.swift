import ArgumentParser
import Configuration

/// `touchroute check`: whether a configuration is valid, without a daemon.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks a configuration and lists everything that is wrong with it.")

  @Argument(help: "The files, read in this order as one configuration.")
  var files: [String] = []

  func run() throws {
    do throws(ConfigurationError) {
      _ = try files.isEmpty ? Configuration.load() : Configuration.load(files: files)
    } catch {
      print(error)
      throw ExitCode.failure
    }
  }
}
