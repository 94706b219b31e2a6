import Foundation

/// The seeds of random tests.
package enum Seeds {
  /// Seeds that are drawn anew at every run.
  ///
  /// `TOUCHROUTE_SEED` gives one seed in place of all: it repeats what failed. `TOUCHROUTE_SEEDS`
  /// gives how many are drawn of each hundred: 10 where a processor is emulated, 10000 to search
  /// for hours.
  package static func fresh(_ count: Int) -> [UInt64] {
    if let seed = number("TOUCHROUTE_SEED") { return [seed] }
    let share = Int(number("TOUCHROUTE_SEEDS") ?? 100)
    return (0..<max(1, count * share / 100)).map { _ in UInt64.random(in: 0..<1 << 48) }
  }

  /// One of them.
  package static func fresh() -> UInt64 { fresh(1)[0] }

  private static func number(_ name: String) -> UInt64? {
    guard let text = ProcessInfo.processInfo.environment[name] else { return nil }
    guard let number = UInt64(text) else {
      fatalError("\(name) is \"\(text)\", which is no number")
    }
    return number
  }
}
