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
      throw ValidationError("The state must be dark or on, not \"\(state)\".")
    }
    if watch, state != nil {
      throw ValidationError("--watch can't be given together with a state.")
    }
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
    let report = try StatusReport(daemon)
    let screens = report.screens
    let shown = screens.filter { $0.name == name ?? $0.name }
    if shown.isEmpty, let name {
      let names = screens.map(\.name).joined(separator: ", ")
      throw Failure("there is no screen \"\(name.printable())\", only \(names)")
    }
    for screen in shown {
      let lock = report.locks.first { $0.name == screen.name }
      let text = screen.text + (lock.map { "; \($0.text)" } ?? "")
      let line = ShownScreen(screen: screen, locked_ms: lock?.remaining_ms)
      try output.line(json ? jsonLine(line) : text)
    }
  }

  private func watch(_ daemon: Daemon, _ output: Output) throws {
    var missing = name
    func take(_ event: TouchEvent) throws {
      guard let watched = WatchedScreen(event), watched.name == name ?? watched.name else {
        return
      }
      missing = nil
      try output.line(json ? jsonLine(watched) : watched.text)
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

/// A screen as `screen --json` prints it.
private struct ShownScreen: Encodable {
  let screen: StatusReport.ScreenReport
  let locked_ms: UInt32?

  enum CodingKeys: String, CodingKey { case blanker, locked_ms, name, pid, state }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(screen.blanker, forKey: .blanker)
    try container.encodeIfPresent(locked_ms, forKey: .locked_ms)
    try container.encode(screen.name, forKey: .name)
    try container.encodeIfPresent(screen.pid, forKey: .pid)
    try container.encode(screen.state, forKey: .state)
  }
}

/// A change of a screen, as `screen --watch` prints it.
private struct WatchedScreen: Encodable {
  let cause: String?
  let locked_ms: UInt32?
  let name: String
  let state: String

  init?(_ event: TouchEvent) {
    switch event {
    case .screen(let notice):
      cause = notice.cause?.word
      name = notice.name
      state = notice.state.word
      locked_ms = nil
    case .lock(let notice):
      cause = notice.cause?.word
      name = notice.name
      state = notice.remainingMilliseconds > 0 ? "locked" : "unlocked"
      locked_ms = notice.remainingMilliseconds > 0 ? notice.remainingMilliseconds : nil
    default: return nil
    }
  }

  var text: String {
    let time = locked_ms.map { " for \($0) ms" } ?? ""
    return "\(name): \(state)\(time)" + (cause.map { " (\($0))" } ?? "")
  }
}
