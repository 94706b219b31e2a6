import ArgumentParser
import TouchClient
import TouchModel

/// `touchroute screen`: which screens are dark, and making one so.
struct SetScreen: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "screen",
    abstract: "Shows which screens are dark, and makes one dark or on.",
    discussion: """
      Needs the control socket. While a screen is dark, no program gets a touch that begins there: \
      the first finger wakes the screen. It does not change the light itself. Whatever turns that \
      off and on is the screen's blanker, and tells touchrouted; this tells it by hand.

      Examples:
        touchroute screen
        touchroute screen panel dark
        touchroute screen panel on
        touchroute screen --watch
      """)

  @OptionGroup var socket: SocketOption

  @Flag(help: "Print a line of JSON for each screen.")
  var json = false

  @Flag(help: "Print each change too, until Ctrl-C.")
  var watch = false

  @Argument(help: "The screen's name. Without it, all screens are shown.")
  var name: String?

  @Argument(help: "What it is from now on: dark or on.", completion: .list(["dark", "on"]))
  var state: String?

  func validate() throws {
    if let state, state != "dark", state != "on" {
      throw ValidationError("A screen is made dark or on, not \"\(state)\".")
    }
    if watch, state != nil { throw ValidationError("--watch changes no screen.") }
  }

  func run() throws {
    let output = Output()
    let daemon = try Daemon(.control, path: socket.socket, output: output)
    if let name, let state {
      try daemon.ask { connection throws(TouchClientError) in
        try connection.setScreen(name, isOn: state == "on")
      }
    } else if watch {
      try watch(daemon, output)
    } else {
      try show(daemon, output)
    }
    try output.flush()
  }

  private func show(_ daemon: Daemon, _ output: Output) throws {
    let screens = try StatusReport(daemon).screens
    let shown = screens.filter { $0.name == name ?? $0.name }
    if shown.isEmpty, let name {
      let names = screens.map(\.name).joined(separator: ", ")
      throw Failure("there is no screen \"\(name.printable())\", only \(names)")
    }
    for screen in shown { try output.line(json ? jsonLine(screen) : screen.text) }
  }

  private func watch(_ daemon: Daemon, _ output: Output) throws {
    var missing = name
    func take(_ event: TouchEvent) throws {
      guard case .screen(let notice) = event, notice.name == name ?? notice.name else { return }
      missing = nil
      try output.line(json ? jsonLine(WatchedScreen(notice)) : WatchedScreen(notice).text)
    }
    try daemon.ask(
      { connection throws(TouchClientError) in try connection.watchScreens() }, others: take)
    // The states of all come behind the answer, and a pong behind these.
    let pong = try daemon.asked { () throws(TouchClientError) in try daemon.connection.ping() }
    var isComplete = false
    while true {
      try daemon.next { event in
        if case .pong(pong) = event { isComplete = true } else { try take(event) }
      }
      if isComplete, let missing {
        throw Failure("there is no screen \"\(missing.printable())\"")
      }
    }
  }
}

/// A change of a screen's state, as `screen --watch` prints it.
private struct WatchedScreen: Encodable {
  let cause: String?
  let name: String
  let state: String

  init(_ notice: ScreenNotice) {
    cause = notice.cause?.word
    name = notice.name
    state = notice.state.word
  }

  var text: String { "\(name): \(state)" + (cause.map { " (\($0))" } ?? "") }
}
