import TestSupport
import TouchModel

/// Random recognizers against an oracle written from the rules alone, while touchscreens are
/// unplugged, programs go and stop reading, recognizers come and go, and views move, hide, change
/// places and go.
///
/// A failure is a configuration and a script, for `touchroute rehearse --config world.toml
/// story.txt`; what that does not know is a comment there.
package enum GestureSimulator {
  /// Runs a part of the worlds.
  ///
  /// - Parameters:
  ///   - onWorld: Is told the seed of each world before it is run.
  ///   - onFailure: Is told what fails, once it is shortened.
  package static func run(
    _ part: Int, of settings: SimulationSettings, onWorld: (UInt64) -> Void = { _ in },
    onFailure: (String) -> Void
  ) throws {
    try settings.forEachSeed(of: part, .gestures) { seed in
      onWorld(seed)
      if let failure = try failure(of: seed) { onFailure(failure) }
    }
  }

  private static func bug(_ world: GestureWorld, _ steps: [GestureStep]) throws -> String? {
    do { try GestureSimulation(world).play(steps) } catch let bug as GestureSimulation.Bug {
      return bug.text
    }
    return nil
  }

  /// Leaves out what the bug does not need: steps, contacts of frames, recognizers.
  private static func shortened(
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

  /// What fails in the world of a seed; nil where nothing does.
  private static func failure(of seed: UInt64) throws -> String? {
    var generator = SeededGenerator(seed: seed ^ 0x6e57)
    var world = GestureWorld(using: &generator)
    // Drawn by itself, so that worlds that failed once stay what they were.
    var limits = SeededGenerator(seed: seed ^ 0x401d)
    world.holdLimit = limits.pick([50, 120, 300, 600, 1000])
    var steps = GestureStep.story(of: world, using: &generator)
    // Of their own, so that the rest of a world does not depend on reloads.
    var reloader = SeededGenerator(seed: seed ^ 0x2e10)
    world.editions = GestureEditions(of: world.gestures, using: &reloader)
    GestureStep.addReloads(to: &steps, of: world, using: &reloader)
    var phases = SeededGenerator(seed: seed ^ 0x3a15)
    var first = try bug(world, steps)
    if first == nil, phases.oneIn(4) {
      world = world.partial(using: &phases)
      GestureStep.addDecisions(to: &steps, of: world, using: &phases)
      first = try bug(world, steps)
    }
    guard let first else { return nil }
    SimulationSettings.Kind.gestures.tellOfFailure(of: seed)
    let (least, story) = try shortened(world, steps)
    var time = 0
    var script = ""
    for step in story {
      if step.time > time { script += "wait \(step.time - time)\n" }
      time = step.time
      script += step.script(least)
    }
    let programs = least.programs.map { program in
      let (handles, passes) = (program.handles.words, program.passes.words)
      let phases =
        world.isPartial
        ? " (\(handles.joined(separator: " ")), passes \(passes.joined(separator: " ")))" : ""
      return program.path + phases + (program.handlesGestures ? "" : " (no gestures)")
    }
    return """
      world \(seed) of gestures fails: \(SimulationSettings.Kind.gestures.command(for: seed))
      \(try bug(least, story) ?? first)
      programs: \(programs.joined(separator: ", "))
      \(least.toml)
      \(script)
      """
  }
}
