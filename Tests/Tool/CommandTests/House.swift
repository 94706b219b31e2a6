import Configuration
import DaemonSupport
import EventLoop
import Exchange
import Foundation
import Glibc
import Logging
import Routing
import Server
import TestSupport
import Testing
import TouchClient
import TouchModel
import Wire

/// The daemon's own exchange with both of its sockets, in the test's thread: all of the daemon but
/// its touchscreens, whose finger is the test.
final class House {
  let directory: TemporaryDirectory
  let loop: EventLoop
  let exchange: Exchange
  private static let device = DeviceID(1)
  private var microseconds: UInt64 = 5_000_000
  /// What the touchscreen's filters have done, and what is wrong with it.
  var findings: [DeviceFinding] = []

  init(_ text: String = panel) throws {
    directory = try TemporaryDirectory()
    try directory.write("touchroute.toml", text)
    let main = directory.url.path + "/touchroute.toml"
    loop = try EventLoop()
    let logger = Logger(label: "house") { _ in SwiftLogNoOpLogHandler() }
    exchange = try Exchange(try Configuration.load(main), loop: loop, logger: logger)
    for (kind, path) in [(SocketKind.client, clientSocket), (.control, controlSocket)] {
      try exchange.server.listen(on: Listener(kind, path: path))
    }
    exchange.reload = { [unowned exchange] answer in
      do throws(ConfigurationError) {
        answer(.applied(exchange.apply(try Configuration.load(main))))
      } catch {
        answer(.refused(error.description))
      }
    }
    exchange.status.devices = { [unowned self] in
      var goodix = DeviceStatus(
        id: Self.device, screen: ScreenIndex(0), isGrabbed: true,
        isIgnored: false, identity: (24, 0x0416, 0x38f, 1), touchCount: 10, liveTouches: 0,
        name: "Goodix",
        node: "/dev/input/event7", phys: "input/ts")
      goodix.findings = findings
      return [
        goodix,
        DeviceStatus(
          id: DeviceID(2), screen: ScreenIndex(0), isGrabbed: false,
          isIgnored: true, identity: (3, 0x0eef, 1, 1), touchCount: 2, liveTouches: 0,
          name: "eGTouch",
          node: "/dev/input/event8", phys: ""),
      ]
    }
  }

  deinit { exchange.server.stop() }

  /// One turn of the daemon.
  func turnOnce() throws { _ = try loop.runTurn(timeoutMicroseconds: 2_000) }

  /// A program in the test's own thread, which takes the responder over.
  func client(_ name: String = "test", attachedTo path: String) throws -> DaemonClient {
    let client = try DaemonClient(clientSocket, name: name)
    _ = try client.connection.attach(to: path, options: .takeOver)
    _ = try client.next(meanwhile: turnOnce, \.geometry)
    return client
  }

  /// The touchscreen is unplugged.
  func lose() {
    let time = Timestamp(microseconds: microseconds)
    exchange.take([.lost(Self.device, reason: .deviceRemoved, time: time)])
    exchange.endTurn()
  }

  /// How many times a program became unresponsive.
  var unresponsiveCount: UInt64 { exchange.server.counters[.unresponsive] }

  /// Whether somebody observes.
  var isObserved: Bool { exchange.server.hasObservers }

  /// Whether somebody wants to know that nobody touches anything.
  var isIdleWatched: Bool { !exchange.pipeline.idle.isEmpty }

  /// Stops as the daemon does on SIGTERM.
  func stop() { exchange.stop() }

  var clientSocket: String { directory.url.path + "/touchroute.sock" }
  var controlSocket: String { directory.url.path + "/control.sock" }

  /// Starts the tool as a program of this daemon.
  func start(_ arguments: String...) throws -> RunningCommand { try start(arguments) }

  /// Starts `touchroute listen`, and waits until it has what it listens to.
  ///
  /// - Parameter lines: How many responders these are, each told of with a line.
  func listen(_ arguments: String..., lines: Int = 1) throws -> RunningCommand {
    let listener = try start(["listen"] + arguments)
    _ = try listener.waitForLines(lines)
    return listener
  }

  func start(_ arguments: [String]) throws -> RunningCommand {
    try RunningCommand(Command.tool, arguments, of: self)
  }

  /// Starts a line of a shell in the daemon's directory, where `touchroute` is the tool.
  func start(shell line: String) throws -> RunningCommand {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return try RunningCommand(
      URL(filePath: "/bin/sh"), ["-c", line.contains("|") ? line : "exec \(line)"],
      in: directory.url,
      environment: ["PATH": "\(Command.tool.deletingLastPathComponent().path):\(path)"], of: self)
  }

  /// Lets the daemon work until the condition holds; a failure where it does not within 120 s.
  func turn(
    _ output: () -> String = { "" }, sourceLocation: SourceLocation = #_sourceLocation,
    until condition: () -> Bool
  ) throws {
    let deadline = ContinuousClock.now + .seconds(120)
    while !condition() {
      try #require(
        ContinuousClock.now < deadline, "not come true within 120 s: \(output())",
        sourceLocation: sourceLocation)
      _ = try loop.runTurn(timeoutMicroseconds: 2_000)
    }
  }

  /// Lets a finger do things at a time that the test names, each a frame.
  func finger(_ events: FingerEvent...) {
    for event in events {
      microseconds += 8_000
      let time = Timestamp(microseconds: microseconds)
      let change: DeviceEvent =
        switch event {
        case .down(let x, let y):
          .down(
            Self.device, slot: 0, screen: ScreenIndex(0), location: Point(x: x, y: y), time: time)
        case .move(let x, let y):
          .motion(Self.device, slot: 0, location: Point(x: x, y: y), time: time)
        case .up: .up(Self.device, slot: 0, time: time)
        case .palm: .cancel(Self.device, slot: 0, reason: .palm, time: time)
        }
      exchange.take([change, .frame(Self.device, time: time)])
      // What the seat's source of the loop would bring about.
      exchange.endTurn()
    }
  }

  /// A filter of the touchscreen does something, which the next frame shows.
  func filter(_ finding: SignalFinding, _ x: Double, _ y: Double, hasBegun: Bool = true) {
    let note = SignalNote(
      device: Self.device, time: Timestamp(microseconds: microseconds + 8_000), finding: finding,
      slot: hasBegun ? 0 : nil, screen: ScreenIndex(0), location: Point(x: x, y: y))
    exchange.tell([note])
    exchange.endTurn()
  }

  /// The touchscreen's filters have found ghosts, and it has fallen silent.
  func spoil(ghosts: UInt64) {
    findings = [
      DeviceFinding(.ghost, count: ghosts),
      DeviceFinding(.silent, since: Timestamp(microseconds: 1), "has reported nothing"),
    ]
  }

  /// What a finger does.
  enum FingerEvent {
    case down(Double, Double)
    case move(Double, Double)
    case up
    case palm
  }
}

/// The tool while it runs beside a ``House``.
final class RunningCommand {
  private let house: House
  private let process: ChildProcess
  private let pipe = Pipe()
  private let errorPipe = Pipe()
  private(set) var output = ""

  fileprivate init(
    _ program: URL, _ arguments: [String], in directory: URL? = nil,
    environment: [String: String] = [:], of house: House
  ) throws {
    self.house = house
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
    process = try Command.start(
      arguments, program: program, in: directory,
      environment: environment.merging(["TOUCHROUTE_SOCKET": house.clientSocket]) { $1 },
      output: pipe.fileHandleForWriting, errors: errorPipe.fileHandleForWriting)
    try pipe.fileHandleForWriting.close()
    try errorPipe.fileHandleForWriting.close()
  }

  /// Ends it as a service manager does, so that it ends the commands that it has started.
  deinit {
    process.signal(SIGTERM)
    for _ in 0..<500 {
      guard process.isRunning else { break }
      usleep(10_000)
    }
  }

  var pid: Int32 { process.identifier }
  var lines: [String] { output.split(separator: "\n").map(String.init) }

  /// Reads what has come.
  func poll() { read() }

  /// Waits for that many lines of output in all.
  func waitForLines(_ count: Int) throws -> [String] {
    try house.turn({ output }) {
      read()
      return lines.count >= count && output.hasSuffix("\n") || !process.isRunning
    }
    read()
    try #require(lines.count >= count, "it ended: \(output)\(errors())")
    return lines
  }

  /// Waits for its end.
  func waitForEnd() throws -> Command.Result {
    try house.turn {
      read()
      return !process.isRunning
    }
    read()
    let status = process.waitForExit()
    try #require(status >= 0, "signal \(-status) has ended it")
    return Command.Result(status: status, output: output, errors: errors())
  }

  /// Ends it as Ctrl-C does; the signal that it died of.
  func interrupt() throws -> Int32 {
    kill(pid, SIGINT)
    return try waitForSignal()
  }

  /// Waits until a signal has ended it; which.
  func waitForSignal() throws -> Int32 {
    try house.turn {
      read()
      return !process.isRunning
    }
    read()
    let status = process.waitForExit()
    try #require(status < 0, "it ended by itself, with status \(status)")
    return -status
  }

  /// Goes away as a reader.
  func closeOutput() throws { try pipe.fileHandleForReading.close() }

  private func errors() -> String {
    String(decoding: errorPipe.fileHandleForReading.availableData, as: UTF8.self)
  }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(pipe.fileHandleForReading.fileDescriptor, &bytes, bytes.count)
      guard count > 0 else { return }
      output += String(decoding: bytes[..<count], as: UTF8.self)
    }
  }
}
