import ArgumentParser
import Configuration
import Layout
import LayoutDrawing

/// `touchroute check`: whether a configuration is valid, without a daemon.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks a configuration and lists everything that is wrong with it.",
    discussion: """
      Reads what the daemon would read: \(Configuration.defaultPath) or the file of --config, and \
      conf.d beside it. With the default file it also reads \
      \(Configuration.defaultVendorDirectory); a file in conf.d replaces the file of the same name \
      there. If you name files without --config, it reads only these, in their order, as one \
      configuration. A note names the files of conf.d that the daemon would read with them.

      It warns of what is valid but can't be meant, such as a view that no touch can hit or a \
      device rule that is never used. With --strict a warning is a failure. If the files of a \
      running daemon are not valid, it says what that daemon has in force.

      Examples:
        touchroute check
        touchroute check --config touchroute.toml
        touchroute check touchroute.toml conf.d/*.toml
        touchroute check --show
        touchroute check --strict --json
        touchroute check --schema > touchroute.schema.json
      """)

  @OptionGroup var configuration: ConfigurationOption

  @Argument(
    help: "The files to check.",
    completion: .file(extensions: ["toml"]),
    transform: NegativeNumbers.restored)
  var files: [String] = []

  @Flag(name: .shortAndLong, help: "Print nothing if all is well.")
  var quiet = false

  @Flag(help: "Print the merged configuration, with where each value came from.")
  var show = false

  @Flag(help: "Fail if there is a warning.")
  var strict = false

  @Flag(help: "Print a line of JSON, with the problems and warnings.")
  var json = false

  @Flag(help: "Print the JSON Schema of a configuration file, for editors; check nothing.")
  var schema = false

  func validate() throws {
    let hasOthers = show || quiet || strict || json || configuration.path != nil || !files.isEmpty
    if schema, hasOthers {
      throw ValidationError("--schema can't be given together with anything else.")
    }
    if json, show || quiet {
      throw ValidationError("--json can't be given together with --show or --quiet.")
    }
    if show, quiet {
      throw ValidationError("--show and --quiet can't be given together.")
    }
    if configuration.path != nil, !files.isEmpty {
      throw ValidationError("Files and --config can't be given together.")
    }
  }

  func run() throws {
    if schema { return try print(jsonLine(ConfigurationSchema())) }
    let found: Configuration
    let text: String
    do throws(ConfigurationError) {
      found = try load()
      text = show ? String(try merged().dropLast()) : CheckReport.Counts(found).summary
    } catch {
      guard json else {
        Failure(error, inForce: inForce()).report()
        reportUnread()
        throw ExitCode.failure
      }
      try print(jsonLine(CheckReport(error, inForce: inForce())))
      throw ExitCode.failure
    }
    if json {
      try print(jsonLine(CheckReport(found)))
    } else {
      if !found.warnings.isEmpty { Failure(found.warnings).report() }
      if !quiet {
        reportUnread()
        try print(text)
      }
    }
    if strict, !found.warnings.isEmpty { throw ExitCode.failure }
  }

  /// Says which files of conf.d the daemon would read with those named, and this does not.
  private func reportUnread() {
    let named = Set(files.map(Configuration.absolutePath))
    for file in files {
      let unread = Configuration.fragments(with: file)
        .filter { !named.contains(Configuration.absolutePath(of: $0)) }
      guard let first = unread.first else { continue }
      let others = unread.count > 1 ? " and \(Text.count(unread.count - 1, "other file"))" : ""
      Failure(
        "touchrouted would also read \(first)\(others) with \(file); check --config \(file) reads "
          + "all of them"
      ).report()
    }
  }

  private func print(_ text: String) throws(Failure) {
    let output = Output(needsReader: false)
    try output.lines(text)
    try output.flush()
  }

  /// What a daemon has in force whose files these are; nil where none answers to this user.
  private func inForce() -> String? {
    guard files.isEmpty,
      let text = try? StatusReport(Daemon(.control, path: nil, output: Output())).configuration
    else { return nil }
    let isKept = text.hasSuffix(" is not valid")
    let words = isKept ? text : "\(text) as it was"
    guard let path = configuration.path.map(Configuration.absolutePath) else { return words }
    return text == path || text.hasSuffix("as \(path) is not valid") ? words : nil
  }

  private func load() throws(ConfigurationError) -> Configuration {
    if !files.isEmpty { return try .load(files: files) }
    return try .load(configuration.path ?? Configuration.defaultPath)
  }

  private func merged() throws(ConfigurationError) -> String {
    if !files.isEmpty { return try Configuration.merged(files: files) }
    return try Configuration.merged(configuration.path ?? Configuration.defaultPath)
  }
}
