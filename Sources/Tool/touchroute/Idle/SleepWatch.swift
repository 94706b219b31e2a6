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

  /// Has the next sleep wait.
  func inhibit() throws(Failure) {
    var text = [CChar](repeating: 0, count: Self.size)
    if clogind_inhibit(logind, &text, CInt(text.count)) < 0 { throw Self.failure(text) }
  }

  /// Hears what has come.
  func hear() throws(Failure) {
    var text = [CChar](repeating: 0, count: Self.size)
    while true {
      let event = clogind_next(logind, &text, CInt(text.count))
      if event < 0 { throw Self.failure(text) }
      if event == CInt(CLOGIND_NOTHING.rawValue) { return }
      let sleeps = event == CInt(CLOGIND_SLEEPS.rawValue)
      if !sleeps { try inhibit() }
      handle(sleeps)
    }
  }

  private static func failure(_ text: [CChar]) -> Failure {
    let bytes = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    return Failure(
      "before-sleep and after-resume need logind: \(String(decoding: bytes, as: UTF8.self))")
  }
}
