/// When the next transaction may begin, and how many requests it may have. Rule F1.
///
/// A change of the layout takes a time that grows with its views, and can't be interrupted. So
/// after each the layout is left alone for several times as long as it took.
struct TransactionBudget {
  /// How many requests the next transaction may have: fewer after transactions that took long.
  private(set) var size = mostRequests
  /// When the pause is over, on CLOCK_MONOTONIC, in microseconds.
  private var pauseEnd: UInt64 = 0
  /// When the next transaction may begin even in a pause; nil where nobody waits for it.
  private var limit: UInt64?

  /// How much longer than a change took the layout is left alone after it.
  private static let pauseFactor: UInt64 = 4
  /// For how long it is left alone at most, and how long a client waits for that, in microseconds.
  private static let longestPause: UInt64 = 50_000
  private static let mostRequests = 64
  private static let fewestRequests = 8
  /// If a transaction took longer than that, in microseconds, the next has fewer requests.
  private static let longTransaction: UInt64 = 4_000

  /// When the next transaction may begin, on CLOCK_MONOTONIC, in microseconds.
  var earliest: UInt64 { limit.map { min($0, pauseEnd) } ?? pauseEnd }

  /// Takes note that somebody waits for a transaction; whether it may begin.
  mutating func isDue(at now: UInt64) -> Bool {
    if limit == nil { limit = now + Self.longestPause }
    return now >= earliest
  }

  /// Takes note that a transaction begins, or that nobody waits for it any more.
  mutating func endWait() { limit = nil }

  /// Takes note that the layout was changed, which took so long, in microseconds.
  mutating func note(_ microseconds: UInt64, at now: UInt64) {
    pauseEnd = min(max(pauseEnd, now) + microseconds * Self.pauseFactor, now + Self.longestPause)
  }

  /// The same of a transaction of so many requests.
  mutating func noteTransaction(of requests: Int, took microseconds: UInt64, at now: UInt64) {
    note(microseconds, at: now)
    if microseconds <= Self.longTransaction {
      size = min(Self.mostRequests, size * 2)
    } else if requests > Self.fewestRequests {
      size = max(Self.fewestRequests, min(size, requests) / 2)
    }
  }
}
