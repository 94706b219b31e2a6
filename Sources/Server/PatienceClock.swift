import EventLoop

/// The one timer for everything that sessions are waited for: armed for the earliest deadline, and
/// not at all where there is none.
final class PatienceClock {
  private var timer: TimerSource?
  private var armedFor: UInt64 = 0

  /// Makes the timer; `onDeadline` is called when the earliest deadline has passed.
  func start(on loop: EventLoop, onDeadline: @escaping () -> Void) throws(EventLoopError) {
    timer = try loop.addTimer(after: nil, accuracy: 10_000, onDeadline)
  }

  /// Sees to it that `onDeadline` is called at that moment of CLOCK_MONOTONIC, in microseconds, or
  /// before.
  func include(_ deadline: UInt64) {
    guard let timer, !timer.isArmed || deadline < armedFor else { return }
    armedFor = deadline
    timer.arm(at: deadline)
  }

  /// There is no deadline any more.
  func clear() { timer?.disarm() }

  /// Ends the timer.
  func stop() { timer?.cancel() }
}
