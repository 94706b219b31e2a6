import Configuration
import EventLoop
import Exchange
import Layout
import Logging
import Routing
import Server
import TestSupport
import TouchClient
import TouchModel

/// The daemon but for its touchscreens, in this thread and in a time of its own, with both of its
/// sockets and a program that behaves. This is all that the fuzz targets know of the daemon.
final class FuzzedDaemon {
  private let loop: EventLoop
  private let exchange: Exchange
  let folder: TemporaryDirectory
  private var witness: Witness?

  /// Turns after which the daemon has come to rest, whatever one step of an input asks for.
  private static let mostTurns = 20_000
  /// The fingers of each touchscreen.
  private static let slots: Int32 = 8

  /// Starts with that configuration.
  ///
  /// - Parameter kept: What the daemon before has left: its state, and the sockets of its clients.
  init(_ configuration: Configuration, kept: (state: Int32, sessions: [Int32])? = nil) throws {
    folder = try TemporaryDirectory()
    loop = try EventLoop(time: 1_000_000)
    exchange = try Exchange(
      configuration, loop: loop, logger: Logger(label: "fuzz") { _ in DiscardedLog() })
    for (kind, path) in [(SocketKind.client, clientSocket), (.control, controlSocket)] {
      try exchange.server.listen(on: Listener(kind, path: path))
    }
    exchange.reload = { [unowned exchange] in $0(.applied(exchange.apply(configuration))) }
    if let kept {
      exchange.takeOver(KeptDescriptors(sessions: kept.sessions, states: [kept.state]))
    }
    witness = try Witness(clientSocket)
    try settle()
  }

  deinit { exchange.server.stop() }

  var clientSocket: String { folder.path + "/client" }
  var controlSocket: String { folder.path + "/control" }

  /// What a finger of a touchscreen does; each screen has one, of the number of its index and 1.
  enum Finger {
    case down(Point)
    case moved(Point)
    case up
    case cancelled
  }

  /// Lets fingers do something, as a frame.
  func touch(screen: Int, _ fingers: [(slot: Int32, does: Finger)]) {
    let device = DeviceID(UInt32(screen) + 1)
    let time = Timestamp(microseconds: loop.now)
    var events: ReusableArray<DeviceEvent> = []
    for (slot, finger) in fingers {
      switch finger {
      case .down(let point):
        events.append(
          .down(
            device, slot: slot, screen: ScreenIndex(Int32(screen)), location: point, time: time))
      case .moved(let point):
        events.append(.motion(device, slot: slot, location: point, time: time))
      case .up: events.append(.up(device, slot: slot, time: time))
      case .cancelled:
        events.append(.cancel(device, slot: slot, reason: .palm, time: time))
      }
    }
    events.append(.frame(device, time: time))
    exchange.take(events)
    exchange.endTurn()
  }

  /// Lets time pass.
  func advance(milliseconds: UInt64) throws {
    loop.advance(to: loop.now + milliseconds * 1_000)
    try settle()
  }

  /// Lets the daemon do all that it has to do, and the program that behaves read it.
  func settle() throws {
    var turns = 0
    while try loop.runTurn(timeoutMicroseconds: 0) {
      turns += 1
      guard turns < Self.mostTurns else { throw Finding("the daemon does not come to rest") }
    }
    try witness?.read()
  }

  /// The input is over, its programs have left: what must hold then, whatever they did.
  func check() throws {
    for screen in 0..<exchange.pipeline.router.layout.screens.count {
      touch(screen: screen, (0..<Self.slots).map { ($0, .up) })
    }
    try settle()
    try advance(milliseconds: 100_000)
    try checkStatus()
    try witness?.check { try settle() }
  }

  /// Rules T5 and R7, as far as `touchroute status` tells of them.
  private func checkStatus() throws {
    let control = try TouchConnection(path: controlSocket, name: "inspector")
    _ = try control.status()
    var clients: [String] = []
    var daemon: TouchClient.DaemonStatus?
    for _ in 0..<8 {
      try settle()
      try control.dispatch { event in
        guard case .status(_, let item) = event else { return }
        switch item {
        case .daemon(let status): daemon = status
        case .client(let client): clients.append(client.name)
        case .attachment, .waiting, .device, .screen, .lock, .inhibitor, .signal: break
        }
      }
    }
    guard let daemon else { throw Finding("the control socket does not answer") }
    guard daemon[.violations] == 0 else {
      throw Finding("\(daemon[.violations]) breaches of the rules of touches")
    }
    guard daemon.liveTouches == 0 else {
      throw Finding("\(daemon.liveTouches) touches live on though every finger is lifted")
    }
    guard clients.sorted() == ["inspector", "witness"] else {
      throw Finding("clients are left over: \(clients)")
    }
  }
}

/// Makes every message of the log, and writes none.
private struct DiscardedLog: LogHandler {
  var logLevel = Logger.Level.trace
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { _ = event.message.description }
}
