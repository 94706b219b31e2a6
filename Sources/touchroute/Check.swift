import ArgumentParser
import Configuration
import Layout
import LayoutDrawing

/// `touchroute check`: whether a configuration is valid, without a daemon.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks a configuration and lists everything that is wrong with it.",
    discussion: """
      Checks what the daemon would read: \(Configuration.defaultPath) or the file of --config, and \
      conf.d beside it. For the default file \(Configuration.defaultVendorDirectory) is read \
      too: a file of the same name in conf.d takes the place of one there. Files that are named \
      without --config are read in their order as one configuration, and nothing else is.

      Examples:
        touchroute check
        touchroute check --config touchroute.toml
        touchroute check touchroute.toml conf.d/*.toml
        touchroute check --show
      """)

  @OptionGroup var configuration: ConfigurationOption

  @Argument(help: "The files.", completion: .file(extensions: ["toml"]))
  var files: [String] = []

  @Flag(name: .shortAndLong, help: "Say nothing where all is well.")
  var quiet = false

  @Flag(help: "Print the merged configuration, with where each value came from.")
  var show = false

  func validate() throws {
    if show, quiet {
      throw ValidationError("--show and --quiet can't be given together.")
    }
    if configuration.path != nil, !files.isEmpty {
      throw ValidationError("Files and --config can't be given together.")
    }
  }

  func run() throws {
    let output = Output()
    if show {
      try output.line(String(merged().dropLast()))
      return try output.flush()
    }
    let configuration = try files.isEmpty ? configuration.load() : load()
    if quiet { return }
    let layout = configuration.layout
    let counts = [
      Text.count(configuration.files.count, "file"), Text.count(layout.screens.count, "screen"),
      Text.count(layout.windows.count, "window"), Text.count(layout.viewCount, "view"),
      Text.count(configuration.devices.count, "device rule"),
      Text.count(configuration.access.count, "access rule"),
    ]
    try output.line("valid: \(counts.joined(separator: ", "))")
    try output.flush()
  }

  private func merged() throws(Failure) -> String {
    do throws(ConfigurationError) {
      if !files.isEmpty { return try Configuration.merged(files: files) }
      return try Configuration.merged(configuration.path ?? Configuration.defaultPath)
    } catch {
      throw Failure(error)
    }
  }

  private func load() throws(Failure) -> Configuration {
    do throws(ConfigurationError) {
      return try .load(files: files)
    } catch {
      throw Failure(error)
    }
  }
}
