import ArgumentParser

/// `touchroute metrics`: what the daemon counts, for monitoring.
struct Metrics: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints what the daemon counts as OpenMetrics, for Prometheus and its like.",
    discussion: """
      Needs the control socket. It prints every counter of `touchroute status`, the latency \
      histogram, and numbers of each touchscreen and program. With --output it replaces a file \
      instead, as a whole, for the text files of node_exporter.

      Examples:
        touchroute metrics
        touchroute metrics --output touchroute.prom
      """)

  @OptionGroup var socket: SocketOption

  @Option(
    help: "Replace this file instead of printing. Its folder must exist.", completion: .file())
  var output: String?

  func validate() throws {
    if output == "" { throw ValidationError("--output must name a file.") }
  }

  func run() throws {
    let printed = Output()
    let daemon = try Daemon(.control, path: socket.socket, output: printed)
    let text = try StatusReport(daemon).metrics
    if let output { return try ReplacedFile.write(text, to: output) }
    // It is escaped already, and ends with a line's end.
    try printed.lines(String(text.dropLast()))
    try printed.flush()
  }
}
