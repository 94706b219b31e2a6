import ArgumentParser
import TouchClient

/// `touchroute reload`: the configuration is read again.
struct Reload: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Makes the daemon read its configuration again, and prints what changed.",
    discussion: """
      Needs the control socket. A configuration that is not valid changes nothing: its problems \
      are listed, and the exit status is 1.

      Example:
        touchroute reload
      """)

  @OptionGroup var socket: SocketOption

  func run() throws {
    let output = Output()
    let daemon = try Daemon(.control, path: socket.socket, output: output)
    let completion = try daemon.ask(
      { connection throws(TouchClientError) in try connection.reload() },
      refusal: { $0.code == .invalid ? Failure(problems: $0.text) : Failure($0) })
    try output.lines(completion.text.isEmpty ? "nothing changed" : completion.text)
    try output.flush()
  }
}
