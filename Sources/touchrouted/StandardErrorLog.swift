import Glibc
import Logging

/// Log lines on stderr: with the journal's priorities in front where it reads them, as sd-daemon(3)
/// has it, and with the level's name otherwise.
struct StandardErrorLog: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  let isJournal: Bool

  init(logLevel: Logger.Level, isJournal: Bool) {
    self.logLevel = logLevel
    self.isJournal = isJournal
  }

  /// Whether stderr is the journal's: JOURNAL_STREAM names its device and inode.
  static var isJournal: Bool {
    var status = stat()
    guard let stream = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else {
      return false
    }
    return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    write(event.message.description, event.level, prefix: "touchrouted: \(event.level): ")
  }

  /// Says why the daemon does not run. Lines that name a place in a file begin with it, as editors
  /// expect it of a compiler.
  func report(_ text: String) { write(text, .critical, prefix: "") }

  private func write(_ message: String, _ level: Logger.Level, prefix: String) {
    var text = ""
    // Every line of a message is an entry of its own to the journal, and needs its priority.
    for line in message.split(whereSeparator: \.isNewline) {
      text += (isJournal ? "<\(Self.priority(level))>" : prefix) + line + "\n"
    }
    text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// syslog's number for a level.
  static func priority(_ level: Logger.Level) -> Int32 {
    switch level {
    case .trace, .debug: LOG_DEBUG
    case .info: LOG_INFO
    case .notice: LOG_NOTICE
    case .warning: LOG_WARNING
    case .error: LOG_ERR
    case .critical: LOG_CRIT
    }
  }
}
