import CLogind

/// What logind tells of the machine's sleep, which waits until it is let go.
final class SleepWatch {
  private let logind: OpaquePointer
  private let handle: (Bool) -> Void
  private static let size = 512

  /// From now on hears of sleep.
  ///
  /// - Parameter handle: Is told that the machine is about to sleep, or has slept.
  init(of daemon: Daemon, handle: @escaping (_ sleeps: Bool) -> Void) throws(Failure) {
    var text = [CChar](repeating: 0, count: Self.size)
    let logind = clogind_open(
      "touchroute idle", "runs commands before sleep", &text, CInt(text.count))
    guard let logind else { throw Self.failure(text) }
    self.logind = logind
    self.handle = handle
    daemon.watch(clogind_fd(logind)) { [unowned self] in try hear() }
  }

  deinit { clogind_close(logind) }

  /// Sleep no longer waits.
  func release() { clogind_release(logind) }

  /// Hears what has come.
  func hear() throws(Failure) {
    var text = [CChar](repeating: 0, count: Self.size)
    while true {
      let event = clogind_next(logind, &text, CInt(text.count))
      if event < 0 { throw Self.failure(text) }
      switch UInt32(event) {
      case CLOGIND_SLEEPS.rawValue: handle(true)
      case CLOGIND_WAKES.rawValue:
        handle(false)
        // The next sleep waits once logind has answered.
        if clogind_inhibit(logind, &text, CInt(text.count)) < 0 { throw Self.failure(text) }
      case CLOGIND_REFUSES.rawValue:
        CommandRunner.say("the next sleep waits for no command: \(Self.words(text))")
      default: return
      }
    }
  }

  private static func words(_ text: [CChar]) -> String {
    String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func failure(_ text: [CChar]) -> Failure {
    Failure("before-sleep and after-resume need logind: \(words(text))")
  }
}
