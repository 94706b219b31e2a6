import CLinux
import Glibc

/// Signals that a command waits for by a descriptor, in place of what they do by default. Those
/// that the process ignores stay ignored.
final class AwaitedSignals {
  /// Those that ask a command to end.
  static let endings = [SIGINT, SIGTERM, SIGHUP]

  /// Can be read once one of them has come.
  let descriptor: CInt

  /// From now on they do nothing by themselves.
  init(_ numbers: [CInt]) throws(Failure) {
    descriptor = clinux_signal_descriptor(numbers, numbers.count)
    guard descriptor >= 0 else {
      throw Failure("signals can't be waited for: \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(descriptor) }

  /// The next one that has come; nil after the last.
  func next() -> CInt? {
    let number = clinux_next_signal(descriptor)
    return number == 0 ? nil : number
  }

  /// Ends the process as of a signal: whoever started it sees that the signal did.
  static func end(by number: CInt) {
    // Swift's runtime may have a handler of its own for SIGQUIT, as for a crash.
    signal(number, SIG_DFL)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    sigprocmask(SIG_UNBLOCK, &set, nil)
    raise(number)
  }
}

extension Daemon {
  /// From now on acts on signals too, wherever it waits for the daemon.
  func watch(_ signals: AwaitedSignals, _ act: @escaping (CInt) throws -> Void) {
    watch(signals.descriptor) { while let number = signals.next() { try act(number) } }
  }
}
