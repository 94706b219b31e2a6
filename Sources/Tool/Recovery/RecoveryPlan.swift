/// Which ill touchscreens are recovered when. Rule N11.
///
/// It knows no clock and no device: time comes in microseconds with what the daemon says.
package struct RecoveryPlan {
  /// Something that is wrong with a touchscreen.
  private struct Illness {
    /// The daemon's number for the touchscreen.
    let device: UInt32
    /// The protocol's word.
    let fault: String
    /// Whether it needs nothing more: it was recovered, or is none that is meant.
    var isDone = false
  }

  private let faults: Set<String>
  private var ill: [Illness] = []
  /// Whether it was said that the limit is reached.
  private var isExhausted = false
  private var budget: RecoveryBudget

  /// What is to be done.
  package enum Step: Equatable {
    /// A touchscreen, by the daemon's number, because of a fault.
    case recover(UInt32, because: String)
    /// Nothing before a time: it was recovered as often as it may be.
    case exhausted(until: UInt64)
  }

  /// - Parameter faults: Those that are a reason, by the protocol's words.
  package init(_ faults: Set<String>, budget: RecoveryBudget) {
    self.faults = faults
    self.budget = budget
  }

  /// The daemon says that something is wrong with a touchscreen, or no longer. It may say so again.
  package mutating func heard(_ fault: String, of device: UInt32, isOver: Bool) {
    guard faults.contains(fault) else { return }
    let index = ill.firstIndex { $0.device == device && $0.fault == fault }
    if isOver {
      if let index { ill.remove(at: index) }
    } else if index == nil {
      ill.append(Illness(device: device, fault: fault))
    }
  }

  /// The daemon is gone: the next one says anew what is wrong, and numbers touchscreens anew.
  package mutating func forget() { ill = [] }

  /// Leaves a touchscreen alone until it is well and ill again.
  package mutating func leave(_ device: UInt32) {
    for index in ill.indices where ill[index].device == device { ill[index].isDone = true }
  }

  /// What is to be done now; nil where nothing is. That the limit is reached is said once.
  package mutating func next(at time: UInt64) -> Step? {
    guard let first = ill.first(where: { !$0.isDone }) else { return nil }
    guard budget.next <= time else {
      defer { isExhausted = true }
      return isExhausted ? nil : .exhausted(until: budget.next)
    }
    isExhausted = false
    leave(first.device)
    return .recover(first.device, because: first.fault)
  }

  /// Notes that one is being recovered. Returns when that was done lately.
  package mutating func spend(at time: UInt64) -> [UInt64] {
    budget.spend(at: time)
    return budget.times
  }

  /// Notes that it came to nothing, so that it does not count. Returns when it was done lately.
  package mutating func takeBack() -> [UInt64] {
    budget.takeBack()
    return budget.times
  }

  /// When to look again; nil where nothing waits.
  package var deadline: UInt64? { ill.contains { !$0.isDone } ? budget.next : nil }
}
