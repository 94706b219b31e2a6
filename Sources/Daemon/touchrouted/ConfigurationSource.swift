import Configuration
import EventLoop
import Exchange
import Glibc
import Logging

/// Where the daemon's configuration comes from: its files, or at a start with invalid files the
/// kept configuration that was last in force.
struct ConfigurationSource {
  /// The outcome of reading the files again.
  enum Reading {
    /// The files have not changed.
    case unchanged
    /// The configuration, ready to be put in force, and its text if that is to be kept.
    case changed(PreparedConfiguration, text: String?, ConfigurationFingerprint?)
    /// The files are invalid.
    case refused(ConfigurationError)
  }

  private let path: String
  /// The absolute path: a client that asks may be in another directory.
  private let absolutePath: String
  private let logger: Logger
  /// Nil if the daemon has no state directory.
  private let kept: KeptConfiguration?
  /// Whether the daemon starts only with valid files.
  private let isStrict: Bool
  /// The files of the configuration in force. Nil if they may have changed while they were read, or
  /// if the configuration in force is the kept one.
  private var fingerprint: ConfigurationFingerprint?
  /// When the configuration came in force, in seconds since 1970.
  private var since = 0
  /// The text that is to be kept.
  private var text: String?
  /// Whether the configuration in force is the kept one.
  private(set) var isKept = false

  /// The source that the options name.
  ///
  /// - Parameter stateDirectory: The value of systemd's STATE_DIRECTORY. Of several directories,
  ///   separated by colons, the first is used.
  init(_ options: Options, stateDirectory: String?, logger: Logger) {
    path = options.configuration
    absolutePath = Configuration.absolutePath(of: path)
    isStrict = options.isStrict
    self.logger = logger
    let directory = stateDirectory?.split(separator: ":").first.map(String.init)
    kept = directory.map { KeptConfiguration(in: $0) }
  }

  /// The configuration in force, as `status` shows it.
  var description: String {
    guard isKept, let kept else { return absolutePath }
    return "\(kept.path), in force since \(Self.date(since)), as \(absolutePath) is not valid"
  }

  /// Reads the configuration to start with.
  ///
  /// - Throws: what is wrong with the files, if no kept configuration can be used instead.
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

  /// Returns a closure that reads the files again, and prepares them to be put in force. It may be
  /// called on any thread.
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

  /// Notes that the configuration that was read is now in force.
  mutating func take(
    _ configuration: Configuration, text: String?, _ fingerprint: ConfigurationFingerprint?
  ) {
    note(text, fingerprint)
    warn(configuration)
  }

  /// Logs and returns what is wrong with the files, and which configuration stays in force.
  func refusal(of error: ConfigurationError) -> String {
    let stays =
      "the configuration was not reloaded: that of \(Self.date(since)) stays in force"
      + (isKept ? ", as it was kept" : "")
    logger.error("\(error)\n\(stays)")
    return "\(error)\n\(stays)"
  }

  /// Returns a closure that keeps what was read last, now that it is in force, for a start with
  /// invalid files. It may be called on any thread. Nil if there is nothing to keep.
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

  /// Logs a failure to keep the configuration.
  func noteKeeping(_ failure: KeptConfiguration.Failure?) {
    guard let failure else { return }
    logger.warning("the configuration is not kept for a start with wrong files: \(failure)")
  }

  /// Reads the files. Meanwhile it tells the watchdog that the daemon is alive.
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

  /// Starts with the kept configuration instead of invalid files. Nil if there is none to use.
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

  /// A time as text, in the machine's time zone.
  private static func date(_ seconds: Int) -> String {
    var seconds = seconds
    var parts = tm()
    localtime_r(&seconds, &parts)
    let capacity = 64
    var text = [CChar](repeating: 0, count: capacity)
    let count = strftime(&text, capacity, "%Y-%m-%d %H:%M:%S %z", &parts)
    return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
