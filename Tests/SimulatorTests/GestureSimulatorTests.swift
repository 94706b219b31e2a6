import Foundation
import TestSupport
import Testing

/// Random recognisers against an oracle written from the rules alone, while touchscreens are
/// unplugged, programs go and stop reading, recognisers come and go, and views move, hide, change
/// places and go.
/// `TOUCHROUTE_SIMULATE_SEED`, `_FIRST`, `_WORLDS` and `_SECONDS` as for ``SimulatorTests``. A
/// failure prints a configuration and a script, for
/// `touchroute rehearse --config world.toml story.txt`; what that does not know is a comment there.
@Suite("Simulator of gestures")
struct GestureSimulatorTests {
  private static let start = ContinuousClock.now

  private static func setting(_ name: String) -> String? {
    ProcessInfo.processInfo.environment["TOUCHROUTE_SIMULATE_" + name]
  }

  static func bug(_ world: GestureWorld, _ steps: [GestureStep]) throws -> String? {
    do { try GestureSimulation(world).play(steps) } catch let bug as GestureSimulation.Bug {
      return bug.text
    }
    return nil
  }

  /// Leaves out what the bug does not need: steps, contacts of frames, recognisers.
  static func shortened(
    _ world: GestureWorld, _ steps: [GestureStep]
  ) throws -> (GestureWorld, [GestureStep]) {
    var (world, steps) = (world, steps)
    for path in world.gestures.map(\.path) {
      let fewer = world.without(path)
      if try bug(fewer, steps) != nil { world = fewer }
    }
    var length = max(1, steps.count / 2)
    while length > 0 {
      var start = 0
      while start < steps.count {
        var fewer = steps
        fewer.removeSubrange(start..<min(start + length, steps.count))
        if try bug(world, fewer) != nil { steps = fewer } else { start += length }
      }
      length /= 2
    }
    for index in steps.indices {
      for contact in steps[index].contacts.indices.reversed() where steps[index].contacts.count > 1
      {
        var fewer = steps
        fewer[index].contacts.remove(at: contact)
        if try bug(world, fewer) != nil { steps = fewer }
      }
    }
    return (world, steps)
  }

  /// The text of what fails in the world of a seed; nil where nothing does.
  static func check(_ seed: UInt64) throws -> String? {
    var generator = SeededGenerator(seed: seed ^ 0x6e57)
    let world = GestureWorld(using: &generator)
    let steps = GestureStep.story(of: world, using: &generator)
    guard let first = try bug(world, steps) else { return nil }
    let (least, story) = try shortened(world, steps)
    var time = 0
    var script = ""
    for step in story {
      if step.time > time { script += "wait \(step.time - time)\n" }
      time = step.time
      script += step.script(least)
    }
    let programs = least.programs.map { "\($0.path)\($0.handlesGestures ? "" : " (no gestures)")" }
    return """
      world \(seed) fails: \(try bug(least, story) ?? first)
      programs: \(programs.joined(separator: ", "))
      \(least.toml)
      \(script)
      """
  }

  @Test(
    "whatever fingers do, recognisers and touches go as the oracle says (G2 to G13, G15, G16)",
    arguments: 0..<8)
  func worlds(part: Int) throws {
    if let seed = Self.setting("SEED").flatMap(UInt64.init) {
      guard part == 0 else { return }
      let failure = try Self.check(seed)
      #expect(failure == nil, "\(failure ?? "")")
      return
    }
    let worlds = Self.setting("WORLDS").flatMap(Int.init) ?? 2000
    let first = Self.setting("FIRST").flatMap(UInt64.init) ?? 0
    let deadline = Self.setting("SECONDS").flatMap(Int.init).map { Self.start + .seconds($0) }
    var number = part
    while deadline.map({ ContinuousClock.now < $0 }) ?? (number < worlds) {
      if let failure = try Self.check(first + UInt64(number)) { Issue.record("\(failure)") }
      number += 8
    }
  }
}
