import ArgumentParser
import InspectorLink
import TouchScripts

/// `touchroute inspect`: a page in a browser that shows what happens.
struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serves a page that shows touches and who gets them, live or of a record.",
    discussion: """
      Needs the control socket and the package touchroute-inspect. It prints the page's address, \
      which has a token in it: whoever has the address sees where people touch. It listens on \
      127.0.0.1 and [::1]; for a browser elsewhere forward the port by ssh. docs/inspect.md shows \
      the page.

      The page shows the screens with their views, fingers with the colour of the program that \
      gets them, why it does, gestures, and who does not read. It can be stopped and gone back \
      in, and saves what it has as a record. A click on a screen says what a touch there would \
      hit, and presses nothing; with --allow-input the mouse is a finger.

      With a FILE it shows that record, and needs no daemon.

      It runs until Ctrl-C, or until nobody reads its output any more: so the end of an ssh \
      connection ends it too. If the daemon ends, it waits for the next, and pages go on.

      Examples:
        touchroute inspect
        touchroute inspect friday.jsonl
        ssh -L 8420:127.0.0.1:8420 kiosk sudo touchroute inspect
      """)

  @OptionGroup var socket: SocketOption

  @Option(
    help: "The port to listen on; 0 takes any that is free. By default 8420.",
    transform: Inspect.port)
  var port: UInt16?

  @Option(
    help: "A Unix socket to make and listen on, in place of a port. Only you can connect to it.",
    completion: .file())
  var listen: String?

  @Flag(help: "Let the mouse be a finger on the daemon's screens.")
  var allowInput = false

  @Argument(
    help: "A record to show, in place of what happens now.",
    completion: .file(),
    transform: NegativeNumbers.restored)
  var file: String?

  private static func port(_ text: String) throws -> UInt16 {
    guard let port = UInt16(text) else {
      throw ValidationError("the port is not a number from 0 to 65535")
    }
    return port
  }

  func validate() throws {
    if port != nil, listen != nil {
      throw ValidationError("--port and --listen can't be given together.")
    }
    if let listen, listen.isEmpty || listen.utf8.count > 107 {
      throw ValidationError("--listen must be a path of 1 to 107 bytes.")
    }
    if let listen, !listen.contains("/") {
      // It would be the name of a file here, where an address was meant.
      throw ValidationError(
        "--listen takes the path of a Unix socket, such as ./\(listen): for a browser elsewhere "
          + "forward the port by ssh.")
    }
    guard let file else { return }
    if file == "-" { throw ValidationError("A record must be a file, as pages read it again.") }
    if file.isEmpty { throw ValidationError("FILE is empty.") }
    if allowInput { throw ValidationError("--allow-input needs a daemon, and FILE has none.") }
    if socket.socket != nil { throw ValidationError("--socket and FILE can't be given together.") }
  }

  func run() throws {
    let place: InspectorSettings.Place = listen.map { .socket($0) } ?? .port(port ?? 8420)
    let settings = InspectorSettings(place: place, file: file, allowsInput: allowInput)
    guard let file else { return try LiveInspector(socket, settings).run() }
    // Better told here than in the page.
    _ = try RecordReader(file: file).header()
    try RecordInspector(settings).run()
  }
}
