import ArgumentParser
import Glibc

/// `touchroute output tuio`: cursors of TUIO over a network.
struct TuioOutput: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tuio",
    abstract: "Tells a program, on this machine or another, of a responder's touches by TUIO.",
    discussion: """
      It sends the cursors of TUIO 1.1 (2Dcur) over UDP, as tables and walls of touchscreens do. \
      Each datagram has every finger, and is repeated after a second in which nothing happens: \
      one that is lost leaves no finger behind. Places are from 0 to 1 of what it is attached to. \
      Nothing of it is encrypted, and who receives it is not asked: send it over a network of \
      your own. It goes on while nobody receives.

      Examples:
        touchroute output tuio home --to 127.0.0.1
        touchroute output tuio --wait wall/left --to table.local:3333
        touchroute output tuio home --to '[fd00::7]:3333' --cancel lift
      """)

  @OptionGroup var socket: SocketOption

  @Option(
    help: """
      Who is told: HOST, HOST:PORT or, by an address of IPv6, [ADDRESS]:PORT. The port, 1 to \
      65535, is otherwise 3333, TUIO's own.
      """,
    transform: NetworkAddress.init)
  var to: NetworkAddress

  @Option(
    help: "What the receiver calls this, before @ and the host's name. Otherwise touchroute:PATH.")
  var source: String?

  @Option(
    help: ArgumentHelp(
      "What becomes of a touch that is cancelled: away or lift.",
      discussion:
        "TUIO knows no cancel. away: it leaves by an edge, across the way it went, and is lifted "
        + "2 % beyond; several at once leave by one edge. lift: it is lifted where it is, "
        + "which is a click."))
  var cancel = TuioCancel.away

  @OptionGroup var holding: HoldingOptions

  @Argument(help: "The responder's path.", completion: Completions.responders)
  var path: String

  func validate() throws {
    if path.isEmpty { throw ValidationError("The path is empty.") }
    if let source, source.isEmpty || source.utf8.count > 200 || source.contains("@") {
      throw ValidationError("--source is from 1 to 200 bytes, without @.")
    }
  }

  /// Goes on as a small program of its own: one runs for each table all day.
  func run() throws {
    try OwnProgram.become(
      "touchroute-tuio", of: "touchroute-tuio",
      [
        socket.socket ?? "", path, to.host, "\(to.port ?? 3333)", source ?? "touchroute:\(path)",
        cancel == .lift ? "1" : "0", "\(holding.number)",
      ])
  }
}

/// What becomes of a touch that is cancelled, where there is no word for it.
enum TuioCancel: String, CaseIterable, ExpressibleByArgument {
  case away, lift
}
