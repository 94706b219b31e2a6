/// When the next transaction may begin, and how many requests it may have. Rule F1.
///
/// A change of the layout takes a time that grows with its views, and can't be interrupted. So
/// after each the layout is left alone for several times as long as it took.
struct TransactionBudget {
  /// When the next transaction may begin, on CLOCK_MONOTONIC, in microseconds.
  private(set) var earliest: UInt64 = 0
  /// How many requests it may have: fewer after transactions that took long.
  private(set) var size = mostRequests

  /// How much longer than a change took the layout is left alone after it.
  private static let pauseFactor: UInt64 = 4
  /// For how long it is left alone after one change at most, and after several, in microseconds.
  private static let longestPause: UInt64 = 50_000
  private static let longestPauses: UInt64 = 250_000
  private static let mostRequests = 64
  private static let fewestRequests = 8
  /// If a transaction took longer than that, in microseconds, the next has fewer requests.
  private static let longTransaction: UInt64 = 4_000

  /// Takes note that the layout was changed, which took so long, in microseconds.
  mutating func note(_ microseconds: UInt64, at now: UInt64) {
    let pause = min(microseconds * Self.pauseFactor, Self.longestPause)
    earliest = min(max(earliest, now) + pause, now + Self.longestPauses)
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
