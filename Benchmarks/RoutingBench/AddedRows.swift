import CTouchroute
import Glibc
import Measuring

/// What it takes that a program adds the rows of its list, and takes them away: from the request on
/// the socket until they are in force, with the layout, the hit-tester and the attachments behind
/// it; and for how much of that the loop is busy, so that touches wait.
enum AddedRows {
  private static let rows = 1000
  private static let rounds = 15

  static func time() throws {
    print("\n\(rows) rows that a program adds and removes, from the request to its answer: us\n")
    show(["other views", "add", "loop", "remove", "loop"])
    for views in [10, 1000, 10_000] {
      let world = try World(programs: 0, viewsOfEach: views, windows: 1)
      let program = try ListProgram(world, rows: rows)
      var times: [[Double]] = [[], [], [], []]
      for _ in 0..<rounds {
        for (index, kind) in [TOUCHROUTE_STEP_ADD, TOUCHROUTE_STEP_REMOVE].enumerated() {
          let (all, loop) = try program.change(kind)
          times[2 * index].append(all)
          times[2 * index + 1].append(loop)
        }
      }
      show(["\(views)"] + times.map { fixed(median($0) / 1000, 0) })
      program.leave()
      try world.finish()
    }
  }
}

/// A program in this process that holds a window and has a list in it.
private final class ListProgram {
  private let world: World
  private let program: AskingProgram
  private let attachment: UInt32
  private let names: [UnsafeMutablePointer<CChar>]
  private let frames: UnsafeMutableBufferPointer<touchroute_property_change>

  init(_ world: World, rows: Int) throws {
    self.world = world
    names = (0..<rows).compactMap { strdup("row-\($0)") }
    frames = .allocate(capacity: rows)
    for row in 0..<rows {
      var frame = touchroute_property_change()
      frame.property = TOUCHROUTE_PROPERTY_FRAME.rawValue
      frame.values = (0, Double(row), 100, 1, 0, 0)
      frames.initializeElement(at: row, to: frame)
    }
    program = AskingProgram(world, "list")
    attachment = try program.attach("w0")
  }

  deinit {
    for name in names { free(name) }
    frames.deallocate()
  }

  /// Nanoseconds, for all rows with one request, and those of the processor.
  func change(_ kind: touchroute_view_step_kind) throws -> (all: Double, processor: Double) {
    // Changes share a budget: one that comes too soon waits for its time.
    let rest = wallTime() + 60e6
    while wallTime() < rest { _ = try world.loop.runTurn(timeoutMicroseconds: 1000) }
    let steps = names.indices.map { row in
      touchroute_view_change(
        kind: kind.rawValue, path: names[row], controller: nil,
        properties: frames.baseAddress.map { UnsafePointer($0) + row },
        property_count: kind == TOUCHROUTE_STEP_ADD ? 1 : 0)
    }
    return try program.time {
      let serial = touchroute_change_views(
        program.connection, attachment, steps, UInt32(steps.count))
      precondition(serial > 0, "the rows do not fit into a request")
    }
  }

  func leave() { program.leave() }
}
