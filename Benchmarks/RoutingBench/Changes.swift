import CTouchroute
import Glibc
import Measuring

/// What it takes to change one view of a layout in force: from the request on the socket to the
/// answer, with the layout, the hit-tester and the attachments' geometry behind it.
enum Changes {
  static func time() throws {
    print("\na change of one view, from the request to its answer: us\n")
    show(["views", "windows", "alpha", "frame", "order"])
    for (windows, views) in [(1, 100), (1, 1000), (10, 100), (200, 5), (1, 10_000)] {
      let world = try World(programs: 0, viewsOfEach: views, windows: windows)
      let changer = try Changer(world)
      var cells = ["\(windows * views)", "\(windows)"]
      for property in [
        TOUCHROUTE_PROPERTY_ALPHA, TOUCHROUTE_PROPERTY_FRAME, TOUCHROUTE_PROPERTY_ORDER,
      ] {
        cells.append(fixed(try changer.time(property) / 1000, 0))
      }
      show(cells)
      changer.leave()
      try world.finish()
    }
    try timeLists()
  }

  /// The same of a list that scrolls, and of a row of it. The lists take turns, so that whatever
  /// else the machine does meets all of them.
  private static func timeLists() throws {
    print("\na change of a list, from the request to its answer: us; against the shortest list\n")
    show(["rows", "scroll", "ratio", "frame", "ratio", "hidden", "ratio"])
    let counts = [10, 1000, 10_000, 100_000]
    let worlds = try counts.map { try World(programs: 0, windows: 1, rows: $0) }
    let changers = try worlds.map { try Changer($0) }
    let properties = [
      (TOUCHROUTE_PROPERTY_BOUNDS_ORIGIN, "w0/list"), (TOUCHROUTE_PROPERTY_FRAME, "w0/list/v1"),
      (TOUCHROUTE_PROPERTY_HIDDEN, "w0/list/v1"),
    ]
    var times = counts.map { _ in properties.map { _ in [Double]() } }
    for _ in 0..<9 {
      for index in counts.indices {
        for (number, (property, path)) in properties.enumerated() {
          times[index][number].append(try changers[index].time(property, of: path, rounds: 21))
        }
      }
    }
    for (index, count) in counts.enumerated() {
      var cells = ["\(count)"]
      for number in properties.indices {
        let time = median(times[index][number])
        cells += [fixed(time / 1000, 1), fixed(time / median(times[0][number]), 2)]
      }
      show(cells)
    }
    for (changer, world) in zip(changers, worlds) {
      changer.leave()
      try world.finish()
    }
  }
}

/// A program in this process that holds the application of every window.
private final class Changer {
  private let program: AskingProgram

  init(_ world: World) throws {
    program = AskingProgram(world, "changer")
    _ = try program.attach("app:bench")
  }

  /// Nanoseconds of the daemon's time, as a median.
  func time(
    _ property: touchroute_property, of path: String = "w0/v1", rounds: Int = 61
  ) throws -> Double {
    var times: [Double] = []
    for round in 0..<rounds {
      var change = touchroute_property_change()
      change.property = property.rawValue
      switch property {
      case TOUCHROUTE_PROPERTY_FRAME:
        change.values = (Double(round % 7), 0, 20, 50, 0, 0)
      case TOUCHROUTE_PROPERTY_BOUNDS_ORIGIN: change.values.1 = Double(round % 7)
      case TOUCHROUTE_PROPERTY_HIDDEN: change.values.0 = Double(round % 2)
      case TOUCHROUTE_PROPERTY_ORDER: change.values.0 = Double(round % 3)
      default: change.values.0 = round % 2 == 0 ? 1 : 0.5
      }
      // Changes share a budget: one that comes too soon waits for its time.
      let time = try program.time {
        path.withCString { path in
          change.path = path
          touchroute_set(program.connection, &change, 1)
        }
        touchroute_dispatch(program.connection, 0)
      }
      times.append(time.processor)
    }
    return median(times)
  }

  func leave() { program.leave() }
}
