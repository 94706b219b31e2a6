import InspectorLink
import TouchClient

/// Tells pages what the daemon does, and answers them. If the daemon ends, it waits for the next.
final class LiveInspector {
  private let socket: SocketOption
  private let server: InspectorServer
  /// Nil while there is none.
  private var daemon: InspectedDaemon?
  /// Why there is none, in a sentence.
  private var absence = ""
  private var drawings = Drawings()
  private var pages: Set<UInt32> = []

  /// Between two states of the daemon, in nanoseconds.
  private static let interval: UInt64 = 1_000_000_000
  /// Between two attempts to connect, in milliseconds.
  private static let pause: Int32 = 250

  /// Connects. At the start a daemon must be there, so that a wrong command line is told at once.
  init(_ socket: SocketOption, _ settings: InspectorSettings) throws {
    self.socket = socket
    let daemon = try InspectedDaemon(socket)
    server = try InspectorServer(settings)
    daemon.hear(server)
    self.daemon = daemon
  }

  func run() throws {
    while true {
      do {
        try serve(from: daemon ?? awaitDaemon())
      } catch let failure as Failure {
        lose(failure)
      }
    }
  }

  private func serve(from daemon: InspectedDaemon) throws {
    var due = MonotonicClock.now
    while true {
      while let message = server.next() { try take(message) }
      server.flush()
      let isDue = try daemon.wait(until: due)
      for line in daemon.takeLines() where !pages.isEmpty {
        server.send(InspectorMessage(.line, 0, line))
      }
      if isDue {
        if !pages.isEmpty { try tellState(of: daemon) }
        due = MonotonicClock.now + Self.interval
      }
    }
  }

  /// The daemon has ended, or says what can't be understood.
  private func lose(_ failure: Failure) {
    // What it has said before its end has happened.
    for line in daemon?.takeLines() ?? [] { server.send(InspectorMessage(.line, 0, line)) }
    daemon = nil
    absence = failure.sentence
    Failure("\(absence); waiting for it").report()
    for page in pages { server.send(InspectorMessage(.away, page, absence)) }
  }

  /// Answers pages until there is a daemon again.
  private func awaitDaemon() throws -> InspectedDaemon {
    while true {
      while let message = server.next() { try take(message) }
      server.flush()
      if server.wait(milliseconds: Self.pause) { continue }
      guard let daemon = try? InspectedDaemon(socket) else { continue }
      Failure("touchrouted is there again").report()
      daemon.hear(server)
      self.daemon = daemon
      for page in pages { try begin(page, isAgain: true) }
      return daemon
    }
  }

  private func tellState(of daemon: InspectedDaemon) throws {
    let report = try jsonLine(daemon.status())
    server.send(InspectorMessage(.line, 0, "{\"event\":\"status\",\"status\":\(report)}"))
  }

  private func take(_ message: InspectorMessage) throws {
    switch message.kind {
    case .joined:
      pages.insert(message.number)
      try begin(message.number, isAgain: !message.body.isEmpty)
    case .left:
      pages.remove(message.number)
      daemon?.leave(message.number)
    default:
      let answer = InspectorMessage.answer(to: message) { try self.answer(message) }
      if let answer { server.send(answer) }
    }
  }

  /// Tells a page what it must know: with what was, or, where it has missed lines, what is now.
  private func begin(_ page: UInt32, isAgain: Bool) throws {
    guard let daemon else { return server.send(InspectorMessage(.away, page, absence)) }
    try server.send(InspectorMessage(.record, page, daemon.record(ofNow: isAgain)))
    try tellState(of: daemon)
  }

  private func answer(_ message: InspectorMessage) throws -> InspectorMessage? {
    switch message.kind {
    case .metrics:
      return try InspectorMessage(.text, message.number, present().status().metrics)
    case .input:
      try present().move(message.body, of: pages)
      return InspectorMessage(.json, message.number, "{}")
    default: return try drawings.answer(message)
    }
  }

  private func present() throws(Failure) -> InspectedDaemon {
    guard let daemon else { throw Failure("there is no daemon at the moment: \(absence)") }
    return daemon
  }
}
