import Configuration
import EventLoop
import Server
import TouchInput

/// Why the daemon can't run: what a room says of it, as it is.
struct StartError: Error, CustomStringConvertible {
  let description: String

  init(_ error: ConfigurationError) { description = error.description }
  init(_ error: EventLoopError) { description = error.description }
  init(_ error: ServerError) { description = error.description }
  init(_ error: TouchInputError) { description = error.description }
  init(_ sentence: String) { description = sentence }
}
