import EventLoop
import Routing

/// Has memory given back to the system once programs no longer need it. Rule F5.
///
/// The C library keeps what is freed piece by piece. To give that back takes up to milliseconds, in
/// which whoever allocates waits: a thread does it, and only while no finger is on the glass.
final class MemoryReturn {
  private let core: Core
  private var timer: TimerSource?
  /// The most that was charged since something was given back.
  private var most = 0

  /// So much less must be charged, in bytes.
  private static let least = 1 << 20
  /// Where the next time is not the last.
  private var isRepeated = false
  /// What was let go of is freed by then, in microseconds; on a busy machine by the second time.
  private static let delay: UInt64 = 1_000_000
  private static let longDelay: UInt64 = 10_000_000

  init(_ core: Core) throws(EventLoopError) {
    self.core = core
    timer = try core.loop.addTimer(after: nil, priority: .busy) { [unowned self] in giveBack() }
  }

  /// Takes note of what is charged now to all users.
  func note(_ bytes: Int) {
    most = max(most, bytes)
    guard most - bytes >= Self.least else { return }
    most = bytes
    isRepeated = true
    timer?.arm(at: core.loop.now + Self.delay)
  }

  private func giveBack() {
    if core.pipeline.router.liveTouchCount > 0 {
      timer?.arm(at: core.loop.now + Self.delay)
      return
    }
    core.discarded.giveBack()
    if isRepeated { timer?.arm(at: core.loop.now + Self.longDelay) }
    isRepeated = false
  }
}
