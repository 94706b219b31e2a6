package import Gestures
package import Layout
package import TouchModel

/// What the configuration's files say, checked.
package struct Configuration: Sendable {
  /// The files that it was read from, in the order in which they were merged.
  package var files: [String]
  /// The screens, windows and views as they were written.
  package var layoutDescription: LayoutDescription
  /// The same, checked and resolved.
  package var layout: Layout
  /// The recognizers of views and screens. Rule G1.
  package var gestures: [RecognizerSpec] = []
  /// The rules for devices; the first that matches wins.
  package var devices: [DeviceRule]
  /// Who may attach where. Rule F6.
  package var access: [AccessRule]
  /// How much programs may have and do, and how large a layout may be. Rule F5.
  package var limits: Limits
  /// How touches are counted and decided.
  package var touch: TouchSettings
  /// What is valid, and likely not meant.
  package var warnings: ConfigurationWarnings

  /// Where the configuration is, unless another file is named.
  package static let defaultPath = "/etc/touchroute/touchroute.toml"

  /// Where packages put what belongs into conf.d, for the default file.
  package static let defaultVendorDirectory = "/usr/lib/touchroute/conf.d"

  /// Reads a file and the `*.toml` of the directory `conf.d` beside it, in the order of their
  /// names, as one configuration.
  ///
  /// Throws the problems of every file.
  ///
  /// - Parameters:
  ///   - vendorDirectory: A directory like conf.d; a file of conf.d takes the place of one of the
  ///     same name there. Where it is nil, ``defaultVendorDirectory`` for the default file, and
  ///     none for others.
  ///   - step: Called now and then meanwhile, as a large one takes seconds: the moment to say that
  ///     the process is alive.
  package static func load(
    _ path: String = defaultPath, vendorDirectory: String? = nil, step: @escaping () -> Void = {}
  ) throws(ConfigurationError) -> Configuration {
    try reader(path, vendorDirectory, step: step).read()
  }

  /// What ``load(_:vendorDirectory:step:)`` reads, and all of it as one text, to be kept.
  ///
  /// Throws the problems of every file.
  package static func loadWithText(
    _ path: String = defaultPath, step: @escaping () -> Void = {}
  ) throws(ConfigurationError) -> (configuration: Configuration, text: String) {
    let reader = reader(path, nil, step: step)
    return (try reader.read(), reader.text())
  }

  /// Reads exactly those files, in that order, as one configuration.
  ///
  /// Throws the problems of every file.
  package static func load(files: [String]) throws(ConfigurationError) -> Configuration {
    try reader(files: files).read()
  }

  /// What ``load(_:vendorDirectory:step:)`` reads as one text, each line of it with the file and
  /// line that it came from in a comment, after the files that are not read.
  package static func merged(
    _ path: String = defaultPath, vendorDirectory: String? = nil
  ) throws(ConfigurationError) -> String {
    try merged(reader(path, vendorDirectory))
  }

  /// What ``load(files:)`` reads as one text, each line of it with the file and line that it came
  /// from in a comment.
  package static func merged(files: [String]) throws(ConfigurationError) -> String {
    try merged(reader(files: files))
  }

  private static func merged(_ reader: ConfigurationReader) throws(ConfigurationError) -> String {
    _ = try reader.read()
    return reader.text()
  }

  /// Reads texts, each with the name that messages give it, as one configuration.
  ///
  /// Throws the problems of every text.
  package static func parse(
    _ texts: [(file: String, text: String)], accounts: Accounts = .machine
  ) throws(ConfigurationError) -> Configuration {
    var reader = ConfigurationReader(accounts: accounts)
    for (file, text) in texts {
      Array(text.utf8).withUnsafeBytes { reader.add($0, file: file) }
    }
    return try reader.read()
  }

  /// The files of directories that are read together with a main file, in their order.
  package static func fragments(with path: String) -> [String] {
    ConfigurationDirectory(beside: path).fragments
  }

  private static func reader(
    _ path: String, _ vendorDirectory: String?, step: @escaping () -> Void = {}
  ) -> ConfigurationReader {
    let directory = ConfigurationDirectory(beside: path, vendorDirectory: vendorDirectory)
    var reader = ConfigurationReader(step: step)
    add(path, isMain: true, to: &reader)
    for failure in directory.failures { reader.add(unreadable: failure.path, failure.message) }
    for override in directory.overrides { reader.add(override) }
    for fragment in directory.fragments { add(fragment, isMain: false, to: &reader) }
    return reader
  }

  private static func reader(files: [String]) -> ConfigurationReader {
    var reader = ConfigurationReader()
    for file in files { add(file, isMain: false, to: &reader) }
    return reader
  }

  private static func add(_ path: String, isMain: Bool, to reader: inout ConfigurationReader) {
    do throws(SourceText.Failure) {
      try SourceText.read(path).withUnsafeBytes { reader.add($0, file: path) }
    } catch {
      var message = error.message
      if isMain, path == defaultPath, error.isMissing {
        message +=
          ": write one, or name another with --config; \(Example.words)"
      }
      reader.add(unreadable: path, message)
    }
  }
}
