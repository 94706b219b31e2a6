import Configuration
import EventLoop
import Glibc
import Logging

/// Where the daemon's configuration comes from: its files or, at a start, what was kept of the last
/// one that was in force, where the files are wrong.
struct ConfigurationSource {
  /// What came of reading the files again.
  enum Outcome {
    /// They say what they said.
    case unchanged
    case changed(Configuration)
    /// What is wrong with them, and what stays in force.
    case refused(String)
  }

  private let path: String
  private let logger: Logger
  /// Nil where the daemon has no directory of its own.
  private let kept: KeptConfiguration?
  /// Whether the daemon starts with its files alone.
  private let isStrict: Bool
  /// The files of the configuration in force; nil where they may have changed while it was read, or
  /// where it is a kept one.
  private var fingerprint: ConfigurationFingerprint?
  /// Since when it is in force, in seconds since 1970.
  private var since = 0
  /// The text to be kept.
  private var text: String?
  /// Whether what is in force was kept.
  private(set) var isKept = false

  /// The files that options name.
  ///
  /// - Parameter stateDirectory: A directory of the daemon's own, as systemd's STATE_DIRECTORY; of
  ///   several between colons the first.
  init(_ options: Options, stateDirectory: String?, logger: Logger) {
    path = options.configuration
    isStrict = options.isStrict
    self.logger = logger
    let directory = stateDirectory?.split(separator: ":").first.map(String.init)
    kept = directory.map { KeptConfiguration(in: $0) }
  }

  /// What `status` says is in force.
  var description: String {
    guard isKept, let kept else { return path }
    return "\(kept.path), in force since \(Self.date(since)), as \(path) is not valid"
  }

  /// Reads the configuration to start with.
  ///
  /// - Throws: what is wrong with the files, where nothing can take their place.
  mutating func start() throws(StartError) -> Configuration {
    do throws(ConfigurationError) {
      let configuration = try load()
      warn(configuration)
      return configuration
    } catch {
      guard !isStrict, let kept, let configuration = resume(kept, error) else {
        throw StartError(error)
      }
      return configuration
    }
  }

  /// Reads the files again.
  mutating func reload() -> Outcome {
    if let fingerprint, fingerprint == ConfigurationFingerprint(of: path) { return .unchanged }
    do throws(ConfigurationError) {
      let configuration = try load()
      warn(configuration)
      return .changed(configuration)
    } catch {
      let stays =
        "the configuration was not reloaded: that of \(Self.date(since)) stays in force"
        + (isKept ? ", as it was kept" : "")
      logger.error("\(error)\n\(stays)")
      return .refused("\(error)\n\(stays)")
    }
  }

  /// Keeps what was read last, now that it is in force, for a start at which the files are wrong.
  mutating func keep() {
    guard let text, let kept else { return }
    self.text = nil
    do throws(KeptConfiguration.Failure) {
      try kept.keep(text)
    } catch {
      logger.warning("the configuration is not kept for a start with wrong files: \(error)")
    }
  }

  /// Reads the files, and says to the watchdog meanwhile that the daemon is alive.
  private mutating func load() throws(ConfigurationError) -> Configuration {
    let before = ConfigurationFingerprint(of: path)
    let configuration: Configuration
    if kept == nil {
      configuration = try Configuration.load(path, step: Self.alive)
    } else {
      (configuration, text) = try Configuration.loadWithText(path, step: Self.alive)
    }
    let after = ConfigurationFingerprint(of: path)
    fingerprint = before == after ? after : nil
    since = time(nil)
    isKept = false
    return configuration
  }

  /// Takes what was kept in place of files that are wrong; nil where there is nothing of use.
  private mutating func resume(
    _ kept: KeptConfiguration, _ error: ConfigurationError
  ) -> Configuration? {
    do throws(KeptConfiguration.Failure) {
      guard let (configuration, since) = try kept.load(step: Self.alive) else { return nil }
      self.since = since
      isKept = true
      for line in error.description.split(separator: "\n") { logger.error("\(line)") }
      logger.error(
        """
        the configuration is not valid: this is a start with the one that was in force since \
        \(Self.date(since)), which is kept in \(kept.path); correct the files and reload
        """)
      return configuration
    } catch {
      logger.error("what is kept of the last configuration can't be used: \(error)")
      return nil
    }
  }

  private func warn(_ configuration: Configuration) {
    for line in configuration.warnings.lines { logger.warning("\(line)") }
  }

  private static func alive() { _ = try? ServiceManager.alive() }

  /// A moment as people write it, in the machine's zone.
  private static func date(_ seconds: Int) -> String {
    var seconds = seconds
    var parts = tm()
    localtime_r(&seconds, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      let count = strftime(text.baseAddress, text.count, "%Y-%m-%d %H:%M:%S %z", &parts)
      return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }
}
