import EventLoop
import Glibc
import Logging

/// A listener at work in a loop: accepts connections, a bounded number a turn, and every second
/// turn at most where others want one. Rule F1.
final class Acceptor {
  let listener: Listener
  private unowned let pool: SessionPool
  private unowned let entrance: Entrance
  private unowned let loop: EventLoop
  private let logger: Logger
  private var source: EventSource?
  /// Accepts again after a shortage.
  private var resumption: TimerSource?
  /// A descriptor kept for the day on which there is none left, so that whoever comes then can be
  /// told; -1 where there is none.
  private var spare: Int32
  /// Whether the next turn is for others.
  private var isYielding = false

  /// What is accepted in one turn, at most.
  private static let mostInTurn = 32
  /// How long a turn is, in microseconds: no further connection is accepted after that.
  private static let turnMicroseconds: UInt64 = 50
  /// How long nobody is accepted when descriptors or memory are short, in microseconds.
  private static let pause: UInt64 = 1_000_000

  init(
    _ listener: Listener, for pool: SessionPool, through entrance: Entrance, on loop: EventLoop,
    logger: Logger
  ) throws(EventLoopError) {
    self.listener = listener
    self.pool = pool
    self.entrance = entrance
    self.loop = loop
    self.logger = logger
    spare = Self.openSpare()
    resumption = try loop.addTimer(after: nil) { [weak self] in
      self?.source?.setInterest(.read)
    }
    // Beside quiet clients: whoever connects waits behind all connections that lie in the kernel.
    source = try loop.addDescriptor(listener.descriptor, interest: .read) {
      [weak self] _ in self?.acceptSome()
    }
  }

  deinit { close() }

  /// Stops accepting, and gives the socket up.
  func close() {
    source?.cancel()
    resumption?.cancel()
    if spare >= 0 { Glibc.close(spare) }
    spare = -1
    listener.close()
  }

  /// Others have had a turn.
  func resume() {
    guard isYielding else { return }
    isYielding = false
    source?.setPriority(.normal)
  }

  /// One turn. The next one is for whoever else wants one, down to those that flood.
  private func acceptSome() {
    if !isYielding { source?.setPriority(.idle) }
    isYielding = true
    let end = loop.present + Self.turnMicroseconds
    for number in 0..<Self.mostInTurn where number == 0 || loop.present < end {
      guard acceptOne() else { return }
    }
  }

  /// Whether there may be more.
  private func acceptOne() -> Bool {
    switch listener.accept() {
    case .success(let descriptor):
      entrance.take(descriptor, from: listener.kind)
      return true
    case .failure(let failure) where failure.isShortage:
      turnAway(failure)
    case .failure(let failure):
      guard failure.code != EAGAIN else { return false }
      logger.error("\(listener.path): accepting failed: \(errorText(failure.code))")
      pause()
    }
    return false
  }

  /// Out of descriptors: the connection would stay pending and wake the loop for ever. It is taken
  /// with the spare one, told, and closed; then nobody is accepted for a while.
  private func turnAway(_ failure: Listener.Errno) {
    logger.error(
      "\(listener.path): a connection was refused: \(errorText(failure.code)); raise LimitNOFILE=")
    if spare >= 0 {
      Glibc.close(spare)
      if case .success(let descriptor) = listener.accept() {
        pool.turnAway(
          descriptor, from: listener.kind,
          "the daemon has no descriptor left: \(errorText(failure.code))")
      }
    }
    spare = Self.openSpare()
    pause()
  }

  private func pause() {
    source?.setInterest([])
    resumption?.arm(after: Self.pause)
  }

  private static func openSpare() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }
}
