public import Layout
public import TouchModel

/// What the configuration's files say, checked.
public struct Configuration: Sendable {
  /// The files that it was read from, in the order in which they were merged.
  public var files: [String]
  /// The screens, windows and views as they were written.
  public var layoutDescription: LayoutDescription
  /// The same, checked and resolved.
  public var layout: Layout
  /// The rules for devices; the first that matches wins.
  public var devices: [DeviceRule]
  /// Who may attach where. Rule F6.
  public var access: [AccessRule]
  /// Rule F5.
  public var limits: Limits
  /// How touches are counted and decided.
  public var touch: TouchSettings

  /// Where the configuration is, unless another file is named.
  public static let defaultPath = "/etc/touchroute/touchroute.toml"

  /// Reads a file and the `*.toml` of the directory `conf.d` beside it, in the order of their
  /// names, as one configuration.
  ///
  /// Throws every problem of every file.
  public static func load(_ path: String = defaultPath) throws(ConfigurationError) -> Configuration
  {
    let (fragments, failure) = ConfigurationDirectory.fragments(beside: path)
    let loader = Loader(problems: ProblemList())
    add(path, isMain: true, to: loader)
    if let failure { loader.add(unreadable: failure.path, failure.message) }
    for fragment in fragments { add(fragment, isMain: false, to: loader) }
    loader.readAll()
    return try loader.configuration()
  }

  /// Reads exactly those files, in that order, as one configuration.
  ///
  /// Throws every problem of every file.
  public static func load(files: [String]) throws(ConfigurationError) -> Configuration {
    let loader = Loader(problems: ProblemList())
    for file in files { add(file, isMain: false, to: loader) }
    loader.readAll()
    return try loader.configuration()
  }

  /// Reads texts, each with the name that messages give it, as one configuration.
  ///
  /// Throws every problem of every text.
  public static func parse(
    _ texts: [(file: String, text: String)], accounts: Accounts = .machine
  ) throws(ConfigurationError) -> Configuration {
    let loader = Loader(problems: ProblemList(), accounts: accounts)
    for (file, text) in texts {
      Array(text.utf8).withUnsafeBytes { loader.add($0, file: file) }
    }
    loader.readAll()
    return try loader.configuration()
  }

  private static func add(_ path: String, isMain: Bool, to loader: Loader) {
    do throws(SourceText.Failure) {
      try SourceText.read(path).withUnsafeBytes { loader.add($0, file: path) }
    } catch {
      var message = error.message
      if isMain, path == defaultPath, error.isMissing {
        message +=
          ": write one (touchroute's example has every key in comments), or name another with "
          + "--config"
      }
      loader.add(unreadable: path, message)
    }
  }
}
