import Foundation

/// Which worlds are run: `TOUCHROUTE_SIMULATE_SEED` the one of that seed,
/// `TOUCHROUTE_SIMULATE_FIRST`, `TOUCHROUTE_SIMULATE_WORLDS` and `TOUCHROUTE_SIMULATE_STEPS` from
/// which seed, how many and how long, `TOUCHROUTE_SIMULATE_SECONDS` as many as there are time for
/// (`scripts/soak`), and `TOUCHROUTE_SIMULATE_SCRIPT` names a file with a seed and steps as a
/// failure prints them.
package struct SimulationSettings: Sendable {
  /// How many parts there are, each with a share of the worlds, for as many threads.
  package static let parts = 8
  /// When the first of the parts began: of more parts than processors, some come later.
  private static let start = ContinuousClock.now

  let script = text("SCRIPT")
  let seed = text("SEED").flatMap(UInt64.init)
  let steps = text("STEPS").flatMap(Int.init) ?? 500
  private let worlds = text("WORLDS").flatMap(Int.init) ?? 2000
  private let first = text("FIRST").flatMap(UInt64.init) ?? 0
  private let seconds = text("SECONDS").flatMap(Int.init)

  private static func text(_ name: String) -> String? {
    ProcessInfo.processInfo.environment["TOUCHROUTE_SIMULATE_" + name]
  }

  /// Does something with the seed of each world of a part.
  func forEachSeed(of part: Int, _ body: (UInt64) throws -> Void) rethrows {
    let deadline = seconds.map { Self.start + .seconds($0) }
    var number = part
    while deadline.map({ ContinuousClock.now < $0 }) ?? (number < worlds) {
      try body(first + UInt64(number))
      number += Self.parts
    }
    guard deadline != nil else { return }
    print("\(number / Self.parts) worlds, every eighth seed from \(first) on")
  }
}
