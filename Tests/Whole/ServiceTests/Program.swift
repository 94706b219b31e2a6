import Glibc
import TouchClient
import TouchModel

/// A program of the service's: a connection that comes back, and all that came over it.
final class Program {
  let connection: TouchConnection
  private(set) var events: [TouchEvent] = []
  private var seen = 0

  /// Connects, and attaches; waits until the attachments are in force.
  init(_ paths: String..., options: ConnectOptions = .reconnect) throws {
    connection = try TouchConnection(name: "test", options: options)
    for path in paths { _ = try connection.attach(to: path) }
    for _ in paths { try wait(for: "attached") { if case .attached = $0 { true } else { false } } }
  }

  /// Connects to the control socket instead, as `touchroute status` does.
  init(control: String) throws {
    connection = try TouchConnection(path: control, name: "control")
  }

  /// The next event of a kind; those before it are passed over. 60 seconds are the bound of
  /// failure.
  @discardableResult
  func wait(for what: String, _ isMeant: (TouchEvent) -> Bool) throws -> TouchEvent {
    let end = ContinuousClock.now + .seconds(60)
    while true {
      while seen < events.count {
        seen += 1
        if isMeant(events[seen - 1]) { return events[seen - 1] }
      }
      guard ContinuousClock.now < end else { break }
      try connection.dispatch(timeoutMilliseconds: 1000) { events.append($0) }
    }
    throw Machine.Failure(description: "never: \(what); there was \(events.map { "\($0)" })")
  }

  /// The next touch of a phase.
  @discardableResult
  func wait(for phase: TouchPhase) throws -> RoutedTouch {
    var found: RoutedTouch?
    try wait(for: "\(phase)") { event in
      guard case .touches(let frame) = event else { return false }
      found = frame.touches.first { $0.phase == phase }
      return found != nil
    }
    guard let found else { throw Machine.Failure(description: "no \(phase)") }
    return found
  }

  /// Waits until the daemon answers.
  func ping() throws {
    let serial = try connection.ping()
    try wait(for: "pong") { $0 == .pong(serial) }
  }

  /// How many touchscreens the daemon has, asked over the control socket.
  func touchscreenCount() throws -> Int {
    let serial = try connection.status()
    let first = events.count
    try wait(for: "the status") {
      if case .done(let completion) = $0 { completion.serial == serial } else { false }
    }
    return events[first...].count { if case .status(serial, .device) = $0 { true } else { false } }
  }

  /// Every change of a touch, in words.
  var touches: [String] {
    events.flatMap { event -> [String] in
      guard case .touches(let frame) = event else { return [] }
      return frame.touches.filter { $0.phase != .stationary }.map { touch in
        "\(touch.phase) \(touch.targetPath)" + (touch.cancelReason.map { " \($0)" } ?? "")
      }
    }
  }

  /// Whether the connection was ever lost.
  var wasLost: Bool { events.contains { if case .lost = $0 { true } else { false } } }
}
