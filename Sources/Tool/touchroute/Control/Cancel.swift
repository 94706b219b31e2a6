import ArgumentParser
import TouchClient
import TouchModel

/// `touchroute cancel`: a touch is over for everybody.
struct Cancel: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Cancels a touch, or every touch, for the programs that get it.",
    discussion: """
      Needs the control socket. The finger may stay down; what it does from then on goes to no \
      program. `touchroute monitor` shows the numbers of touches.

      Examples:
        touchroute cancel
        touchroute cancel 17
      """)

  @OptionGroup var socket: SocketOption

  @Argument(
    help: "The touch's number. Without it, every live touch.",
    transform: Cancel.number)
  var touch: UInt64?

  func validate() throws {
    if touch == 0 { throw ValidationError("Touches are numbered from 1.") }
  }

  private static func number(_ argument: String) throws -> UInt64 {
    guard let number = UInt64(argument) else {
      throw ValidationError("it is not the number of a touch.")
    }
    return number
  }

  func run() throws {
    let output = Output()
    let daemon = try Daemon(.control, path: socket.socket, output: output)
    let completion = try daemon.ask { connection throws(TouchClientError) in
      try connection.cancel(touch.map { TouchID($0) })
    }
    let count = completion.total
    try output.line(count == 1 ? "1 touch cancelled" : "\(count) touches cancelled")
    try output.flush()
  }
}
