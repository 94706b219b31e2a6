import EventLoop
import Glibc
import Logging

/// A listener at work in a server's loop: lets connections in, one a turn.
final class Door {
  let listener: Listener
  private unowned let server: Server
  private var source: EventSource?
  /// Opens the door again after a shortage.
  private var reopening: TimerSource?
  /// A descriptor kept for the day on which there is none left, so that whoever comes then can be
  /// told; -1 where it was not to be had.
  private var spare: Int32

  /// How long nobody is let in when descriptors or memory are short, in microseconds.
  private static let pause: UInt64 = 1_000_000

  init(_ listener: Listener, server: Server) throws(EventLoopError) {
    self.listener = listener
    self.server = server
    spare = Self.openSpare()
    reopening = try server.loop.addTimer(after: nil) { [weak self] in
      self?.source?.setInterest(.read)
    }
    // Behind the clients that are there, or whoever comes and goes all the time would delay them.
    source = try server.loop.addDescriptor(
      listener.descriptor, interest: .read, priority: .flooding
    ) {
      [weak self] _ in self?.letIn()
    }
  }

  deinit { close() }

  /// Lets nobody in any more, and gives the socket up.
  func close() {
    source?.cancel()
    reopening?.cancel()
    if spare >= 0 { Glibc.close(spare) }
    spare = -1
    listener.close()
  }

  private func letIn() {
    switch listener.accept() {
    case .success(let descriptor):
      server.admit(descriptor, from: listener.kind)
    case .failure(let failure) where failure.isShortage:
      turnAway(failure)
    case .failure(let failure):
      guard failure.code != EAGAIN else { return }
      server.logger.error("\(listener.path): accepting failed: \(errorText(failure.code))")
      pause()
    }
  }

  /// Out of descriptors: the connection would stay pending and wake the loop for ever. It is taken
  /// with the spare one, told, and closed; then the door stays shut for a while.
  private func turnAway(_ failure: Listener.Errno) {
    server.logger.error(
      "\(listener.path): a connection was refused: \(errorText(failure.code)); raise LimitNOFILE=")
    if spare >= 0 {
      Glibc.close(spare)
      if case .success(let descriptor) = listener.accept() {
        server.turnAway(
          descriptor, from: listener.kind,
          "the daemon has no descriptor left: \(errorText(failure.code))")
      }
    }
    spare = Self.openSpare()
    pause()
  }

  private func pause() {
    source?.setInterest([])
    reopening?.arm(after: Self.pause)
  }

  private static func openSpare() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }
}
