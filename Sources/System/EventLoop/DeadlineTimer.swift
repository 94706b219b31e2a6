/// One timer for many deadlines: armed for the earliest that it was told of, and not at all where
/// there is none. Deadlines that are put off cost nothing; the timer then goes off once in vain.
public final class DeadlineTimer {
  private var timer: TimerSource?
  /// When it goes off; never while it is not armed. Each frame of touches may ask for a deadline.
  private var armedFor = UInt64.max

  /// Makes the timer. `onDeadline` is called when the earliest deadline has passed, at most
  /// `accuracy` microseconds later; it includes the deadlines that remain.
  public init(
    on loop: EventLoop, accuracy: UInt64 = 10_000, onDeadline: @escaping () -> Void
  ) throws(EventLoopError) {
    timer = try loop.addTimer(after: nil, accuracy: accuracy) { [weak self] in
      self?.armedFor = .max
      onDeadline()
    }
  }

  /// Sees to it that `onDeadline` is called at that moment of CLOCK_MONOTONIC, in microseconds, or
  /// before.
  public func include(_ deadline: UInt64) {
    guard deadline < armedFor, let timer else { return }
    armedFor = deadline
    timer.arm(at: deadline)
  }

  /// There is no deadline any more.
  public func clear() {
    armedFor = .max
    timer?.disarm()
  }

  /// Ends the timer.
  public func stop() {
    timer?.cancel()
    timer = nil
  }
}
