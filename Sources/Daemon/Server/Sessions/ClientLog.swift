import EventLoop
import Logging
import TouchModel

/// What the log says of clients: no more than each user's programs may cause, and at times how much
/// was left out. A line that is left out is not even made.
final class ClientLog {
  /// For lines that are not about a client.
  let logger: Logger
  private unowned let loop: EventLoop
  private var limiter = LogLimiter()
  private var names = UserNames()
  private var timer: DeadlineTimer?

  /// How long lines are left out until that is said, in microseconds.
  static let tellingInterval: UInt64 = 10_000_000

  init(_ logger: Logger, on loop: EventLoop) throws(EventLoopError) {
    self.logger = logger
    self.loop = loop
    timer = try DeadlineTimer(on: loop) { [unowned self] in tellOmissions() }
  }

  deinit { timer?.stop() }

  /// The lines that were left out so far.
  var omittedCount: UInt64 { limiter.omittedCount }

  /// Writes a line about somebody, unless that is over the limit of its user.
  func write(
    _ level: Logger.Level, about peer: PeerCredentials, _ text: @autoclosure () -> String
  ) {
    guard level >= logger.logLevel else { return }
    guard limiter.admits(peer.uid, at: loop.now) else {
      timer?.include(loop.now + Self.tellingInterval)
      return
    }
    // One line, whatever names are in it.
    logger.log(level: level, "\(text().printable())")
  }

  /// `user kiosk`, or `uid 1000` where the machine's own list of users has none of that number.
  func user(of peer: PeerCredentials) -> String { names.name(of: peer.uid, at: loop.now) }

  /// The users may have changed.
  func lookAgainForUsers() { names.lookAgain() }

  /// Says what was left out, and nothing where that is nothing.
  func tellOmissions() {
    for omission in limiter.takeOmissions() {
      let seconds = max(1, (loop.now - omission.since + 500_000) / 1_000_000)
      let whose = omission.uid.map { names.name(of: $0, at: loop.now) } ?? "other users"
      let lines = omission.count == 1 ? "1 more line" : "\(omission.count) more lines"
      let are = omission.count == 1 ? "was" : "were"
      logger.notice(
        "... and \(lines) about programs of \(whose) \(are) left out in the last \(seconds) s")
    }
  }

  /// Says so for the last time.
  func stop() {
    tellOmissions()
    timer?.stop()
    timer = nil
  }
}
