import ArgumentParser
import CTouchroute
import Glibc
import TouchClient

/// A connection to the daemon, and the waiting for what it says.
final class Daemon {
  /// Which of the daemon's two sockets.
  enum Socket {
    case client, control
  }

  let connection: TouchConnection
  /// The screens that events count among; known once anything has been answered.
  private(set) var screens: [Welcome.Screen] = []
  private let output: Output
  /// Whether the connection is made anew where it is lost, which is then no end.
  private let reconnects: Bool
  /// What else is waited for, and what is done once there is something to read.
  private var watched: [(descriptor: CInt, handle: () throws -> Void)] = []

  /// How long an answer may take before the daemon counts as stuck.
  private static let timeout: CInt = 10_000

  /// Connects. `path` overrides the environment and the daemon's own paths.
  ///
  /// - Parameter reconnects: Whether a daemon may end and come, and need not be there yet. Events
  ///   say so: welcome and lost. Welcome comes for other screens too.
  init(
    _ socket: Socket, path: String?, output: Output, name: String = "touchroute",
    reconnects: Bool = false
  ) throws(Failure) {
    self.output = output
    self.reconnects = reconnects
    do throws(TouchClientError) {
      connection = try TouchConnection(
        path: path ?? Self.path(of: socket), name: name, options: reconnects ? .reconnect : [])
    } catch {
      throw Failure(error.description)
    }
  }

  /// TOUCHROUTE_SOCKET names the client socket; the control socket lies beside it.
  private static func path(of socket: Socket) -> String? {
    let variable = getenv(TOUCHROUTE_SOCKET_VARIABLE).map { String(cString: $0) }
    guard socket == .control else { return variable }
    guard let variable, !variable.isEmpty else { return TOUCHROUTE_CONTROL_SOCKET_PATH }
    guard let slash = variable.lastIndex(of: "/") else { return "control.sock" }
    return variable[...slash] + "control.sock"
  }

  /// From now on waits for a descriptor too, wherever it waits for the daemon.
  func watch(_ descriptor: CInt, _ handle: @escaping () throws -> Void) {
    watched.append((descriptor, handle))
  }

  /// Makes a request and hands on what belongs to it, up to its end, and meanwhile what else comes.
  @discardableResult
  func ask(
    _ request: (TouchConnection) throws(TouchClientError) -> Serial?,
    _ handle: (TouchEvent) throws -> Void = { _ in },
    others: (TouchEvent) throws -> Void = { _ in },
    refusal: (RequestFailure) -> Failure = Failure.init(_:)
  ) throws -> Completion {
    let serial = try asked { () throws(TouchClientError) in try request(connection) }
    var result: Result<Completion, Failure>?
    while result == nil {
      try next(timeoutMilliseconds: Self.timeout) { event in
        guard event.serial == serial else { return try others(event) }
        switch event {
        case .done(let completion): result = .success(completion)
        case .failed(let failure): result = .failure(refusal(failure))
        default: try handle(event)
        }
      }
    }
    return try result?.get() ?? { throw Failure("the daemon gave no answer") }()
  }

  /// Waits for events and hands them on; ends the process quietly where nobody reads its output any
  /// more.
  ///
  /// - Parameter timeoutMilliseconds: how long the daemon may be silent; -1 for ever.
  func next(timeoutMilliseconds: CInt = -1, _ handle: (TouchEvent) throws -> Void) throws {
    guard try hasSomething(timeoutMilliseconds) else {
      throw Failure("the daemon has not answered within \(timeoutMilliseconds / 1000) s")
    }
    try handOn(handle)
  }

  /// Waits for a moment of CLOCK_MONOTONIC, in nanoseconds, and hands on what comes before; whether
  /// the moment has come.
  func wait(until due: UInt64, _ handle: (TouchEvent) throws -> Void) throws -> Bool {
    let now = MonotonicClock.now
    let milliseconds = due > now ? CInt(clamping: (due - now) / 1_000_000) : 0
    if milliseconds > 0 {
      if try hasSomething(milliseconds) { try handOn(handle) }
      return false
    }
    // poll counts in whole milliseconds.
    MonotonicClock.sleep(until: due)
    return true
  }

  /// Waits for what else is watched, and not for the daemon, until a moment of CLOCK_MONOTONIC, in
  /// nanoseconds, at the latest.
  func waitForOthers(until due: UInt64) throws {
    let now = MonotonicClock.now
    let milliseconds = due > now ? CInt(clamping: (due - now) / 1_000_000 + 1) : 0
    _ = try hasSomething(milliseconds, heedsDaemon: false)
  }

  /// Waits for the daemon; whether it may have said something.
  private func hasSomething(
    _ timeoutMilliseconds: CInt, heedsDaemon: Bool = true
  ) throws -> Bool {
    try output.flush()
    var descriptors = [
      pollfd(
        fd: heedsDaemon ? connection.descriptor : -1, events: connection.pollEvents, revents: 0),
      // Of no interest but for its errors: its reader may go while we are silent.
      pollfd(fd: output.needsReader ? STDOUT_FILENO : -1, events: 0, revents: 0),
    ]
    descriptors += watched.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    let count = poll(&descriptors, nfds_t(descriptors.count), timeoutMilliseconds)
    if descriptors[1].revents & Int16(POLLERR | POLLHUP) != 0 { exit(0) }
    for (other, descriptor) in zip(watched, descriptors[2...]) where descriptor.revents != 0 {
      try other.handle()
    }
    return count != 0
  }

  private func handOn(_ handle: (TouchEvent) throws -> Void) throws {
    do {
      try dispatch(handle)
    } catch {
      // What came before the end belongs before its reason.
      try output.flush()
      throw error
    }
  }

  private func dispatch(_ handle: (TouchEvent) throws -> Void) throws {
    var thrown: (any Error)?
    try asked { () throws(TouchClientError) in
      try connection.dispatch { event in
        guard thrown == nil else { return }
        do {
          switch event {
          case .closing(let notice) where !reconnects: throw Failure(notice)
          case .welcome(let welcome):
            screens = welcome.screens
            try handle(event)
          default: try handle(event)
          }
        } catch {
          thrown = error
        }
      }
    }
    if let thrown { throw thrown }
  }

  /// A client's call, its error made ours.
  func asked<Result>(
    _ call: () throws(TouchClientError) -> Result
  ) throws(Failure) -> Result {
    do throws(TouchClientError) {
      return try call()
    } catch {
      throw Failure(error.description)
    }
  }
}

/// Where the daemon is.
struct SocketOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The daemon's socket.",
      discussion:
        "By default TOUCHROUTE_SOCKET of the environment, with control.sock beside it as the "
        + "control socket; without that, those in /run/touchroute."),
    completion: .file())
  var socket: String?
}
