import EventLoop
import Routing

/// Has memory given back to the system once programs no longer need it. Rule F5.
///
/// The C library keeps what is freed piece by piece. To give that back takes up to milliseconds, in
/// which whoever allocates waits: a thread does it, while no finger is on the glass, no layout is
/// being made and nothing is still being freed.
final class MemoryReturn {
  private let pipeline: RunningPipeline
  private let discarded: DeferredRelease
  private let transactions: LayoutTransactions
  private var timer: TimerSource?
  /// What was charged when it was noted last, in bytes.
  private var charged = 0
  /// What fell since memory was given back, in bytes; what rose again is not taken from it.
  private var fallen = 0
  /// How much of that had fallen when it was decided to give it back; 0 where it was not.
  private var decided = 0

  /// So much must have fallen, in bytes.
  private static let least = 256 << 10
  /// In microseconds.
  private static let delay: UInt64 = 1_000_000

  init(
    _ pipeline: RunningPipeline, _ discarded: DeferredRelease, _ transactions: LayoutTransactions,
    on loop: EventLoop
  ) throws(EventLoopError) {
    self.pipeline = pipeline
    self.discarded = discarded
    self.transactions = transactions
    timer = try loop.addTimer(after: nil, priority: .busy) { [unowned self] in giveBack() }
  }

  /// Takes note of what is charged now to all users.
  func note(_ bytes: Int) {
    fallen += max(0, charged - bytes)
    charged = bytes
    decide()
  }

  private func decide() {
    guard fallen >= Self.least, decided == 0 else { return }
    decided = fallen
    timer?.arm(after: Self.delay)
  }

  private func giveBack() {
    let isBusy =
      pipeline.router.liveTouchCount > 0 || discarded.isFreeing || transactions.isInBackground
    if isBusy {
      timer?.arm(after: Self.delay)
    } else {
      // What fell after the decision may not be free yet, so it counts for the next one.
      fallen -= decided
      decided = 0
      discarded.giveBack()
      decide()
    }
  }
}
