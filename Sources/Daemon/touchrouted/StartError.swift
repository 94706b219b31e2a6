import Configuration
import DaemonLog
import EventLoop
import Server
import TouchInput

/// Why the daemon can't run. Each line begins with the daemon's name.
struct StartError: Error, CustomStringConvertible {
  let description: String

  init(_ error: ConfigurationError) { self.init(error.description) }
  init(_ error: EventLoopError) { self.init(error.description) }
  init(_ error: ServerError) { self.init(error.description) }
  init(_ error: TouchInputError) { self.init(error.description) }

  /// The journal adds the name itself.
  init(_ sentence: String) {
    let name = StandardErrorLog.isJournal ? "" : "touchrouted: "
    description = sentence.split(separator: "\n").map { name + $0 }.joined(separator: "\n")
  }
}
