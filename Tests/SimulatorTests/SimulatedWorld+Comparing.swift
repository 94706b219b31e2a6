import Routing
import TouchModel

@testable import touchrouted

extension SimulatedWorld {
  /// What observers are told of a touch's chain is what was delivered: to those that it names, and
  /// to nobody else. In a secure view less is told.
  func compareChain(_ observed: Observation.Record) {
    guard !observed.flags.contains(.secure), !observed.flags.contains(.replayed) else { return }
    let named = observed.chain.filter { $0.phases.contains(.began) }.compactMap(\.attachment)
    let told = exchange.deliveries.records.filter { $0.id == observed.id && $0.phase == .began }
      .filter { !$0.flags.contains(.replayed) }.map(\.attachment)
    if Set(told) != Set(named) || told.isEmpty != (observed.discardReason != nil) {
      found("observers are told \(named) of touch \(observed.id), clients are \(told)")
    }
  }

  /// What observers were told of what was just routed.
  func compareObservations() {
    for observation in exchange.deliveries.observations {
      for record in observation.records where record.phase == .began { compareChain(record) }
    }
  }

  /// What the daemon counts is what the oracle does, and it adds up.
  func compare() {
    if let violation = exchange.checker.latestViolation { found("violation: \(violation)") }
    let counters = exchange.router.counters
    if counters != oracle.counters {
      found("counters: \(counters)\nexpected: \(oracle.counters)")
    }
    if exchange.router.nextDeadline != oracle.nextDeadline {
      found(
        "deadline: \(String(describing: exchange.router.nextDeadline)), "
          + "expected \(String(describing: oracle.nextDeadline))")
    }
    let over = counters.ended + counters.cancelled + counters.orphaned
    if counters.began != over + UInt64(exchange.router.pendingTouchCount) {
      found("began is not ended + cancelled + orphaned + pending: \(counters)")
    }
    if counters.began != counters.delivered + counters.discarded - counters[.declined] {
      found("began is not delivered + discarded: \(counters)")
    }
    if exchange.router.liveTouchCount != oracle.touches.values.count(where: \.isLive) {
      found("live touches")
    }
  }
}
