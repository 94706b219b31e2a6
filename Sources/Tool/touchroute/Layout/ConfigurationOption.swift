import ArgumentParser
import Configuration

/// The configuration that a command works on without a daemon.
struct ConfigurationOption: ParsableArguments {
  @Option(
    name: [.customLong("config"), .customShort("c")],
    help: "The main configuration file. conf.d beside it is read too.",
    completion: .file(extensions: ["toml"]))
  var path: String?

  /// Reads the file named, or the daemon's own.
  func load() throws(Failure) -> Configuration {
    do throws(ConfigurationError) {
      return try .load(path ?? Configuration.defaultPath)
    } catch {
      throw Failure(error)
    }
  }
}
