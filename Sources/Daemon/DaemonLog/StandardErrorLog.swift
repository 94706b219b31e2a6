import Glibc
package import Logging
import TouchModel

/// Log lines on stderr: with the journal's priorities in front where it reads them, as sd-daemon(3)
/// has it, and with the level's name otherwise. Nobody waits for whoever reads them.
package struct StandardErrorLog: LogHandler {
  /// Lines below it are left out.
  package var logLevel: Logger.Level
  /// What every line is to be accompanied by; not written.
  package var metadata: Logger.Metadata = [:]
  private let isJournal: Bool
  private let lines: NonblockingLog

  /// A log on standard error, for the process's lifetime.
  package init(logLevel: Logger.Level, isJournal: Bool = Self.isJournal) {
    self.logLevel = logLevel
    self.isJournal = isJournal
    lines = NonblockingLog(STDERR_FILENO) { count in
      let lines = count == 1 ? "1 line of the log was lost" : "\(count) lines of the log were lost"
      let text = "\(lines): standard error, which a service has from the journal, was not read"
      return Self.lines(of: text, .warning, isJournal, prefix: Self.prefix(.warning))
    }
  }

  /// Where the lines go.
  package var output: NonblockingLog { lines }

  /// Whether stderr is the journal's: JOURNAL_STREAM names its device and inode.
  package static var isJournal: Bool {
    var status = stat()
    guard let stream = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else {
      return false
    }
    return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }

  /// One of the metadata.
  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes a line, or keeps it until it is taken.
  package func log(event: LogEvent) {
    let prefix = Self.prefix(event.level)
    lines.write(Self.lines(of: event.message.description, event.level, isJournal, prefix: prefix))
  }

  /// Says why the daemon does not run, in the words that are given.
  package func report(_ text: String) {
    lines.write(Self.lines(of: text, .critical, isJournal, prefix: ""))
  }

  private static func prefix(_ level: Logger.Level) -> String { "touchrouted: \(level): " }

  /// Every line of a message is an entry of its own to the journal, and needs its priority. Only
  /// line feeds end one; what else can't be printed is escaped.
  static func lines(
    of message: String, _ level: Logger.Level, _ isJournal: Bool, prefix: String
  ) -> String {
    var text = ""
    for line in message.printable(keepingLines: true).split(separator: "\n") {
      text += (isJournal ? "<\(priority(level))>" : prefix) + line + "\n"
    }
    return text
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
