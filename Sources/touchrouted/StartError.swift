import Configuration
import DaemonLog
import EventLoop
import Server
import TouchInput

/// Why the daemon can't run: what a room says of it, behind the daemon's name. What is wrong with
/// the configuration begins with its source location instead, as editors expect it of a compiler.
struct StartError: Error, CustomStringConvertible {
  let description: String

  init(_ error: ConfigurationError) { description = error.description }
  init(_ error: EventLoopError) { self.init(error.description) }
  init(_ error: ServerError) { self.init(error.description) }
  init(_ error: TouchInputError) { self.init(error.description) }

  /// The journal has the name by itself.
  init(_ sentence: String) {
    description = StandardErrorLog.isJournal ? sentence : "touchrouted: \(sentence)"
  }
}
