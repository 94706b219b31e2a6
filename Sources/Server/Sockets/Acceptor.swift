import EventLoop
import Glibc
import Logging

/// A listener at work in a loop: accepts connections, one a turn.
final class Acceptor {
  let listener: Listener
  private unowned let pool: SessionPool
  private let logger: Logger
  private var source: EventSource?
  /// Accepts again after a shortage.
  private var resumption: TimerSource?
  /// A descriptor kept for the day on which there is none left, so that whoever comes then can be
  /// told; -1 where there is none.
  private var spare: Int32

  /// How long nobody is accepted when descriptors or memory are short, in microseconds.
  private static let pause: UInt64 = 1_000_000

  init(
    _ listener: Listener, for pool: SessionPool, on loop: EventLoop, logger: Logger
  ) throws(EventLoopError) {
    self.listener = listener
    self.pool = pool
    self.logger = logger
    spare = Self.openSpare()
    resumption = try loop.addTimer(after: nil) { [weak self] in
      self?.source?.setInterest(.read)
    }
    // Behind the clients that are there, or whoever comes and goes all the time would delay them.
    source = try loop.addDescriptor(
      listener.descriptor, interest: .read, priority: .flooding
    ) {
      [weak self] _ in self?.accept()
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

  private func accept() {
    switch listener.accept() {
    case .success(let descriptor):
      pool.admit(descriptor, from: listener.kind)
    case .failure(let failure) where failure.isShortage:
      turnAway(failure)
    case .failure(let failure):
      guard failure.code != EAGAIN else { return }
      logger.error("\(listener.path): accepting failed: \(errorText(failure.code))")
      pause()
    }
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
