import ArgumentParser
import TouchClient
import TouchModel

/// `touchroute status`: what the daemon is doing.
struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints the daemon's state: devices, programs, attachments and counters.",
    discussion: """
      Needs the control socket.

      Examples:
        touchroute status
        touchroute status --json
      """)

  @OptionGroup var socket: SocketOption

  @Flag(help: "Print a line of JSON.")
  var json = false

  func run() throws {
    let output = Output()
    let daemon = try Daemon(.control, path: socket.socket, output: output)
    let report = try StatusReport(daemon)
    if json {
      try output.line(jsonLine(report))
    } else {
      for line in report.lines { try output.line(line) }
    }
    try output.flush()
  }
}
