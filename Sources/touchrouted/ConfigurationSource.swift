import Configuration
import EventLoop
import Exchange
import Glibc
import Logging

/// Where the daemon's configuration comes from: its files or, at a start, what was kept of the last
/// one that was in force, where the files are wrong.
struct ConfigurationSource {
  /// The files, read again.
  enum Reading {
    /// They say what they said.
    case unchanged
    /// The configuration, ready to be put in force, and its text where that is to be kept.
    case changed(PreparedConfiguration, text: String?, ConfigurationFingerprint?)
    /// What is wrong with them.
    case refused(ConfigurationError)
  }

  private let path: String
  /// The same from the root on: who asks is in another directory.
  private let absolutePath: String
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
    absolutePath = Configuration.absolutePath(of: path)
    isStrict = options.isStrict
    self.logger = logger
    let directory = stateDirectory?.split(separator: ":").first.map(String.init)
    kept = directory.map { KeptConfiguration(in: $0) }
  }

  /// What `status` says is in force.
  var description: String {
    guard isKept, let kept else { return absolutePath }
    return "\(kept.path), in force since \(Self.date(since)), as \(absolutePath) is not valid"
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

  /// Reads the files again, wherever it is called, and prepares what they say to be put in force.
  ///
  /// - Parameter old: The configuration in force.
  func reading(replacing old: Configuration) -> @Sendable () -> Reading {
    let (path, known, isToBeKept) = (path, fingerprint, kept != nil)
    return {
      let before = ConfigurationFingerprint(of: path)
      if let known, known == before { return .unchanged }
      do throws(ConfigurationError) {
        let (new, text) = try Self.load(path, withText: isToBeKept)
        let prepared = PreparedConfiguration(new, replacing: old)
        let after = ConfigurationFingerprint(of: path)
        return .changed(prepared, text: text, before == after ? after : nil)
      } catch { return .refused(error) }
    }
  }

  /// Takes note that what was read is put in force.
  mutating func take(
    _ configuration: Configuration, text: String?, _ fingerprint: ConfigurationFingerprint?
  ) {
    note(text, fingerprint)
    warn(configuration)
  }

  /// What is wrong with the files, and that what is in force stays.
  func refusal(of error: ConfigurationError) -> String {
    let stays =
      "the configuration was not reloaded: that of \(Self.date(since)) stays in force"
      + (isKept ? ", as it was kept" : "")
    logger.error("\(error)\n\(stays)")
    return "\(error)\n\(stays)"
  }

  /// Keeps what was read last, now that it is in force, for a start at which the files are wrong:
  /// what is to be done for that, wherever; nil where nothing is.
  mutating func keeping() -> (@Sendable () -> KeptConfiguration.Failure?)? {
    guard let text, let kept else { return nil }
    self.text = nil
    return {
      do throws(KeptConfiguration.Failure) {
        try kept.keep(text)
        return nil
      } catch { return error }
    }
  }

  /// What came of keeping it.
  func noteKeeping(_ failure: KeptConfiguration.Failure?) {
    guard let failure else { return }
    logger.warning("the configuration is not kept for a start with wrong files: \(failure)")
  }

  /// Reads the files, and says to the watchdog meanwhile that the daemon is alive.
  private mutating func load() throws(ConfigurationError) -> Configuration {
    let before = ConfigurationFingerprint(of: path)
    let (configuration, text) = try Self.load(path, withText: kept != nil, step: Self.alive)
    let after = ConfigurationFingerprint(of: path)
    note(text, before == after ? after : nil)
    return configuration
  }

  private static func load(
    _ path: String, withText: Bool, step: @escaping () -> Void = {}
  ) throws(ConfigurationError) -> (Configuration, text: String?) {
    if withText { return try Configuration.loadWithText(path, step: step) }
    return (try Configuration.load(path, step: step), nil)
  }

  private mutating func note(
    _ text: String?, _ fingerprint: ConfigurationFingerprint?
  ) {
    self.text = text
    self.fingerprint = fingerprint
    since = time(nil)
    isKept = false
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

  private static func alive() { ServiceManager.alive() }

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
