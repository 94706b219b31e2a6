import Foundation
import TestSupport

/// Random worlds against the oracle: of touches alone, or of screens too.
package enum TouchSimulator {
  /// Runs a part of the worlds.
  ///
  /// - Parameters:
  ///   - onWorld: Is told the seed of each world before it is run.
  ///   - onFailure: Is told what fails, once it is shortened.
  package static func run(
    _ part: Int, of settings: SimulationSettings, _ kind: SimulationSettings.Kind,
    onWorld: (UInt64) -> Void = { _ in }, onFailure: (String) -> Void
  ) throws {
    if let script = settings.script {
      guard part == 0, script.kind == kind else { return }
      try failure(of: script.steps, script.seed, kind).map(onFailure)
      return
    }
    try settings.forEachSeed(of: part, kind) { seed in
      onWorld(seed)
      var steps = steps(seed: seed, count: settings.steps)
      if kind == .screens { Self.addScreens(to: &steps, seed: seed) }
      if let failure = try failure(of: steps, seed, kind) { onFailure(failure) }
    }
  }

  /// Has programs do what they do with screens, in the place of every third step.
  private static func addScreens(to steps: inout [Step], seed: UInt64) {
    var generator = SeededGenerator(seed: seed ^ 0xda4c57e5)
    for index in steps.indices where index > 6 && generator.oneIn(3) {
      steps[index] = Step.ofScreens(using: &generator)
    }
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

  private static func bug(
    _ steps: [Step], _ seed: UInt64, _ kind: SimulationSettings.Kind
  ) throws -> (step: Int, bug: String)? {
    let world = try SimulatedWorld(seed: seed, of: kind)
    return world.run(steps)
  }

  /// Leaves out what the bug does not need: ever shorter runs of steps, as long as one can go.
  private static func shortened(
    _ steps: [Step], _ seed: UInt64, _ kind: SimulationSettings.Kind
  ) throws -> [Step] {
    var steps = steps
    var length = max(1, steps.count / 2)
    while true {
      var hasShrunk = false
      var start = 0
      while start < steps.count {
        var fewer = steps
        fewer.removeSubrange(start..<min(start + length, steps.count))
        if let failure = try bug(fewer, seed, kind) {
          steps = Array(fewer.prefix(failure.step + 1))
          hasShrunk = true
        } else {
          start += length
        }
      }
      if length > 1 { length /= 2 } else if !hasShrunk { return steps }
    }
  }

  /// What fails in a world, shortened; nil where nothing does.
  private static func failure(
    of steps: [Step], _ seed: UInt64, _ kind: SimulationSettings.Kind
  ) throws -> String? {
    guard let failure = try bug(steps, seed, kind) else { return nil }
    kind.tellOfFailure(of: seed)
    let short = try shortened(Array(steps.prefix(failure.step + 1)), seed, kind)
    let last = try bug(short, seed, kind)?.bug ?? failure.bug
    return """
      world \(seed) of \(kind) fails at step \(failure.step): \(kind.command(for: seed))
      This is enough for it (TOUCHROUTE_SIMULATE_SCRIPT=FILE runs it again):
      seed \(seed)\(kind == .touches ? "" : " \(kind)")
      \(short.map(\.description).joined(separator: "\n"))
      # \(last.split(separator: "\n").joined(separator: "\n# "))
      """
  }
}
