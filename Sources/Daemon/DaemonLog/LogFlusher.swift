package import EventLoop

/// Has a loop write what waits in a log as soon as it is taken. While nothing waits the loop
/// watches nothing for it.
package final class LogFlusher {
  private let log: NonblockingLog
  private unowned let loop: EventLoop
  private var source: EventSource?

  /// Watches for a log from now on.
  ///
  /// - Parameter loop: Its owner keeps this as long as it turns.
  package init(_ log: NonblockingLog, on loop: EventLoop) {
    self.log = log
    self.loop = loop
    loop.atEndOfTurn { [unowned self] in watch() }
  }

  /// Not an interest of nothing: who has closed the other end would wake the loop for ever.
  private func watch() {
    if !log.isWaiting {
      guard let source else { return }
      source.cancel()
      self.source = nil
    } else if source == nil {
      // Where it can't be watched, the next line tries again.
      do throws(EventLoopError) {
        source = try loop.addDescriptor(log.descriptor, interest: .write) { [log] _ in log.flush() }
      } catch { log.flush() }
    }
  }
}
