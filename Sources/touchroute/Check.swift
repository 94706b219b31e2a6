import ArgumentParser
import Configuration
import Layout

/// `touchroute check`: whether a configuration is valid, without a daemon.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks a configuration and lists everything that is wrong with it.",
    discussion: """
      Without files it checks what the daemon would read: \(Configuration.defaultPath), and conf.d \
      beside it. Files that are named are read in their order as one configuration, and nothing \
      else is.

      Example:
        touchroute check touchroute.toml conf.d/*.toml
      """)

  @Argument(help: "The files.", completion: .file(extensions: ["toml"]))
  var files: [String] = []

  @Flag(name: .shortAndLong, help: "Say nothing where all is well.")
  var quiet = false

  func run() throws {
    let configuration: Configuration
    do throws(ConfigurationError) {
      configuration = try files.isEmpty ? .load() : .load(files: files)
    } catch {
      throw Failure(error)
    }
    if quiet { return }
    let output = Output()
    let layout = configuration.layout
    let counts = [
      count(configuration.files.count, "file"), count(layout.screens.count, "screen"),
      count(layout.windows.count, "window"), count(layout.viewCount, "view"),
      count(configuration.devices.count, "device rule"),
      count(configuration.access.count, "access rule"),
    ]
    try output.line("valid: \(counts.joined(separator: ", "))")
    try output.flush()
  }

  private func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
