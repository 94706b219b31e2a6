import ArgumentParser
import Glibc

/// `touchroute output tuio`: cursors of TUIO over a network.
struct TuioOutput: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tuio",
    abstract: "Sends a responder's touches to a program, here or elsewhere, by TUIO.",
    discussion: """
      It sends cursors of TUIO 1.1 (2Dcur) over UDP, as touch tables do. Each datagram has every \
      finger, and is repeated after a second in which nothing happens. So a lost one leaves no \
      finger behind. Places run from 0 to 1 of the responder. There is no encryption and no \
      password: use a network of your own. It goes on if nothing receives.

      Examples:
        touchroute output tuio home --to 127.0.0.1
        touchroute output tuio --wait wall/left --to table.local:3333
        touchroute output tuio home --to '[fd00::7]:3333' --cancel lift
      """)

  @OptionGroup var socket: SocketOption

  @Option(
    help: """
      The receiver: HOST, HOST:PORT or, with an IPv6 address, [ADDRESS]:PORT. The port is from 1 \
      to 65535; by default it is 3333, TUIO's own.
      """,
    transform: NetworkAddress.init)
  var to: NetworkAddress

  @Option(
    help: "Its name at the receiver, before @ and the host name. By default touchroute:PATH.")
  var source: String?

  @Option(
    help: ArgumentHelp(
      "What the receiver sees of a cancelled touch: away or lift.",
      discussion:
        "TUIO has no cancel. away: it leaves by an edge, across the way it went, and is lifted "
        + "2 % beyond; several at once leave by one edge. lift: it is lifted where it is, "
        + "which is a click."))
  var cancel = TuioCancel.away

  @OptionGroup var holding: HoldingOptions

  @Argument(help: "The responder's path.", completion: Completions.responders)
  var path: String

  func validate() throws {
    if path.isEmpty { throw ValidationError("The path is empty.") }
    if let source, source.isEmpty || source.utf8.count > 200 || source.contains("@") {
      throw ValidationError("--source must be 1 to 200 bytes long, without @.")
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
