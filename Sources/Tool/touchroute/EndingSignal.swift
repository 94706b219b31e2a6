import Glibc

/// The end of the process as of a signal that it waits for by a descriptor.
enum EndingSignal {
  /// Ends the process: whoever started it sees that the signal did.
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
