import Measuring

/// What a recorder costs the daemon.
enum RecordingCosts {
  /// Measures frames as fast as they can be routed, and at the pace of touchscreens.
  static func time() throws {
    try timeTurns()
    try timePaces()
  }

  /// The recorder reads between batches.
  private static func timeTurns() throws {
    print(
      "\na ten-finger frame for one program, and for a recorder too: us a frame, to the socket\n")
    show(["x1", "recorded", "more", "x8", "recorded", "more"])
    var cells: [String] = []
    for perTurn in [1, 8] {
      let worlds = [try World(programs: 1), try World(programs: 1)]
      try worlds[1].record()
      cells += try compare(worlds, rounds: 21) { world in
        var fingers = Fingers(.together, programs: 1)
        return try world.timeTurns(of: &fingers, framesPerTurn: perTurn, frames: 256, rounds: 1)
      }
    }
    show(cells)
  }

  /// The recorder is a process of its own, which sleeps until something comes.
  private static func timePaces() throws {
    print(
      """

      the same at the pace of touchscreens, with each wake of the daemon and of the recorder

      """)
    show(["120 Hz", "recorded", "more", "1000 Hz", "recorded", "more"])
    var cells: [String] = []
    for (hertz, frames) in [(120, 128), (1000, 512)] {
      let worlds = [try World(programs: 1), try World(programs: 1)]
      try worlds[1].recordApart()
      cells += try compare(worlds, rounds: 7) { try $0.timePaced(hertz: hertz, frames: frames) }
    }
    show(cells)
  }

  /// Medians of both worlds, in turns, and what is more in the second.
  private static func compare(
    _ worlds: [World], rounds: Int, _ measure: (World) throws -> Double
  ) throws -> [String] {
    var times: [[Double]] = worlds.map { _ in [] }
    for _ in 0..<rounds {
      for (index, world) in worlds.enumerated() { times[index].append(try measure(world) / 1000) }
    }
    for world in worlds { try world.finish() }
    let (plain, recorded) = (median(times[0]), median(times[1]))
    return [fixed(plain, 2), fixed(recorded, 2), fixed(max(0, recorded - plain), 2)]
  }
}
