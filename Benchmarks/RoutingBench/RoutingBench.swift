import Configuration
import EventLoop
import Glibc
import Measuring

/// Measures the daemon between libinput and its clients: device events in, bytes on real sockets
/// out, with the daemon's own exchange and server, and programs that are processes of their own.
///
/// Times are those for which the routing thread ran, its system calls among them, so that neither
/// the programs' own work nor whatever else the machine does is counted.
@main struct RoutingBench {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let kind = arguments.first.flatMap(Program.Kind.init) {
      return Program.run(kind, Array(arguments.dropFirst()))
    }
    do {
      if arguments.first == "worst" { return try WorstCosts.time() }
      if arguments.first == "recognizers" { return try RecognizerCosts.time() }
      if arguments.first == "recording" { return try RecordingCosts.time() }
      if arguments.first == "filters" { return FilterCosts.time() }
      let allocations =
        try Allocations.count(frames: 10_000) + FilterCosts.countAllocations()
      if arguments.first == "allocations" { exit(allocations == 0 ? 0 : 1) }
      try Changes.time()
      try AddedRows.time()
      try RecognizerCosts.time()
      try RecognizerCosts.timeChanges()
      try WorstCosts.time()
      FilterCosts.time()
      try queues()
      try throughput()
      try crowd()
      try RecordingCosts.time()
    } catch {
      print("\(error)")
      exit(1)
    }
  }

  /// Records a second, from device events to the socket.
  static func throughput() throws {
    print(
      """

      one thread, to the socket: million touch records a second of its time; us a frame
      together: ten touchscreens, the ten fingers of each on one program, one message a frame
      apart: one touchscreen, each of its ten fingers on another program, ten messages a frame
      x8: eight frames a turn, as where the devices are ahead of the daemon

      """)
    show(["programs", "together", "us", "x8", "us", "apart", "us", "x8", "us"])
    for count in [1, 2, 5, 10, 20, 50, 100, 200] {
      let world = try World(programs: count)
      var cells = ["\(count)"]
      for hand in [Hand.together, .apart] {
        for perTurn in [1, 8] {
          var fingers = Fingers(hand, programs: count)
          let time = try world.timeTurns(of: &fingers, framesPerTurn: perTurn)
          cells += [fixed(10e3 / time, 2), fixed(time / 1000, 2)]
        }
      }
      show(cells)
      try world.finish()
    }
  }

  /// A frame from the sequencer to the queues.
  static func queues() throws {
    print("\nten-finger frames, sequencer to queues, no socket: us a frame\n")
    show(["views", "programs", "moves", "apart", "begans", "apart"])
    for (programs, views) in [(1, 10), (10, 10), (10, 100), (10, 1000)] {
      let world = try World(programs: programs, viewsOfEach: views / programs)
      var cells = ["\(views)", "\(programs)"]
      for began in [false, true] {
        for hand in [Hand.together, .apart] {
          var fingers = Fingers(hand, programs: programs, stay: began ? 4 : 64)
          cells.append(fixed(try world.timeFrames(of: &fingers, began: began) / 1000, 2))
        }
      }
      show(cells)
      try world.finish()
    }
  }

  /// What programs cost that get nothing.
  static func crowd() throws {
    print("\na ten-finger frame for one program, with others attached: us a frame, to the socket\n")
    show(["attached", "us", "ratio"])
    let counts = [1, 10, 100, 1000]
    let worlds = try counts.map { try World(programs: 1, idle: $0 - 1, windows: 1000) }
    var times = counts.map { _ in [Double]() }
    for _ in 0..<21 {
      for (index, world) in worlds.enumerated() {
        var fingers = Fingers(.together, programs: 1)
        let time = try world.timeTurns(of: &fingers, framesPerTurn: 1, frames: 256, rounds: 1)
        times[index].append(time)
      }
    }
    for (index, count) in counts.enumerated() {
      let time = median(times[index])
      show(["\(count)", fixed(time / 1000, 2), fixed(time / median(times[0]), 2)])
    }
    for world in worlds { try world.finish() }
  }
}

/// Prints a line of a table at once.
func show(_ cells: [String]) {
  print(cells.map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }.joined())
  fflush(nil)
}
