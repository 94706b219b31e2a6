import Foundation
import Routing
import TestSupport
import Testing

/// Random worlds against the oracle. `TOUCHROUTE_SIMULATE_SEED` runs one world of that seed,
/// `TOUCHROUTE_SIMULATE_FIRST`, `TOUCHROUTE_SIMULATE_WORLDS` and `TOUCHROUTE_SIMULATE_STEPS` set
/// from which seed, how many and how long, `TOUCHROUTE_SIMULATE_SECONDS` runs as many as it can in
/// that time (`scripts/soak`), and `TOUCHROUTE_SIMULATE_SCRIPT` names a file with a seed and steps
/// as a failure prints them.
@Suite("Simulator")
struct SimulatorTests {
  /// When the first of the parts began: of more parts than processors, some come later.
  private static let start = ContinuousClock.now

  private static func setting(_ name: String) -> String? {
    ProcessInfo.processInfo.environment["TOUCHROUTE_SIMULATE_" + name]
  }

  private static func steps(seed: UInt64, count: Int) -> [Step] {
    var generator = SeededGenerator(seed: seed ^ 0x5eed)
    let adversaries = generator.oneIn(4) ? 1 + generator.below(Step.adversaries) : 0
    let hasLives = generator.oneIn(3)
    let attached = (0..<min(count, 20)).map { _ in Step.randomAttach(using: &generator) }
    return attached
      + (attached.count..<count).map { _ in
        let isLife = hasLives && generator.oneIn(8)
        return isLife
          ? Step.life(using: &generator) : step(beside: adversaries, using: &generator)
      }
  }

  /// What happens next. Beside adversaries the others behave well.
  private static func step(
    beside adversaries: Int, using generator: inout SeededGenerator
  ) -> Step {
    if adversaries > 0, generator.oneIn(4) {
      return Step.mischief(of: adversaries, using: &generator)
    }
    var step = Step.random(using: &generator)
    while adversaries > 0, !step.isGood { step = Step.random(using: &generator) }
    return step
  }

  private func bug(_ steps: [Step], seed: UInt64) throws -> (step: Int, bug: String)? {
    let world = try SimulatedWorld(seed: seed)
    return world.run(steps)
  }

  /// Leaves out what the bug does not need: ever shorter runs of steps, as long as one can go.
  private func shortened(_ steps: [Step], seed: UInt64) throws -> [Step] {
    var steps = steps
    var length = max(1, steps.count / 2)
    while true {
      var hasShrunk = false
      var start = 0
      while start < steps.count {
        var fewer = steps
        fewer.removeSubrange(start..<min(start + length, steps.count))
        if let failure = try bug(fewer, seed: seed) {
          steps = Array(fewer.prefix(failure.step + 1))
          hasShrunk = true
        } else {
          start += length
        }
      }
      if length > 1 { length /= 2 } else if !hasShrunk { return steps }
    }
  }

  private func check(_ steps: [Step], seed: UInt64) throws {
    guard let failure = try bug(steps, seed: seed) else { return }
    let short = try shortened(Array(steps.prefix(failure.step + 1)), seed: seed)
    let last = try bug(short, seed: seed)?.bug ?? failure.bug
    Issue.record(
      """
      world \(seed) fails at step \(failure.step); this is enough for it \
      (TOUCHROUTE_SIMULATE_SCRIPT=FILE runs it again):
      seed \(seed)
      \(short.map(\.description).joined(separator: "\n"))
      \(last)
      """)
  }

  @Test(
    "whatever happens, programs read what the oracle says, and nothing is left over (T, R, L6, F)",
    arguments: 0..<8)
  func worlds(part: Int) throws {
    if let script = Self.setting("SCRIPT") {
      guard part == 0 else { return }
      let lines = try String(contentsOfFile: script, encoding: .utf8).split(separator: "\n")
      let seed = try #require(lines.first.flatMap { UInt64($0.dropFirst("seed ".count)) })
      return try check(lines.dropFirst().compactMap { Step($0) }, seed: seed)
    }
    let steps = Self.setting("STEPS").flatMap(Int.init) ?? 500
    if let seed = Self.setting("SEED").flatMap(UInt64.init) {
      guard part == 0 else { return }
      return try check(Self.steps(seed: seed, count: steps), seed: seed)
    }
    let worlds = Self.setting("WORLDS").flatMap(Int.init) ?? 2000
    let first = Self.setting("FIRST").flatMap(UInt64.init) ?? 0
    let deadline = Self.setting("SECONDS").flatMap(Int.init).map { Self.start + .seconds($0) }
    var number = part
    while deadline.map({ ContinuousClock.now < $0 }) ?? (number < worlds) {
      let seed = first + UInt64(number)
      try check(Self.steps(seed: seed, count: steps), seed: seed)
      number += 8
    }
    if deadline != nil { print("\(number / 8) worlds, every eighth seed from \(first) on") }
  }
}
