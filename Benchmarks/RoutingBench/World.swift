import CTouchroute
import Configuration
import EventLoop
import Exchange
import Glibc
import Logging
import Measuring
import Server
import TouchModel

/// The daemon's exchange with a window for each program, and the programs.
final class World {
  let exchange: Exchange
  let loop: EventLoop
  private let folder: String
  private var processes: [pid_t]
  private let programCount: Int
  private let counts: Counts
  private var idle: [OpaquePointer] = []
  /// A program in this process that observes everything.
  private var recorder: OpaquePointer?
  private var events: ReusableArray<DeviceEvent> = []
  /// Records that were routed, each of which a program has to get.
  private var sent: UInt64 = 0

  var socket: String { folder + "/socket" }

  /// - Parameters:
  ///   - count: Programs that get touches, each a process of its own with a window of its own.
  ///   - views: The views of each window.
  ///   - idle: Programs that only are attached to a window.
  ///   - windows: How many there are; as many as programs where that is more.
  ///   - rows: The rows of a list in the first window.
  init(
    programs count: Int, viewsOfEach views: Int = 5, idle others: Int = 0, windows: Int = 0,
    rows: Int = 0
  ) throws {
    var template = Array("/tmp/touchroute-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure("no folder for the socket") }
    let folder = String(
      decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.folder = folder
    guard let counts = Counts(path: folder + "/counts") else { throw Failure("no shared memory") }
    self.counts = counts
    loop = try EventLoop()
    let text =
      Self.layout(windows: max(count + others, windows), views: views) + Self.list(rows: rows)
    exchange = try Exchange(
      Configuration.parse([(file: "bench.toml", text: text)]), loop: loop,
      logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
    try exchange.server.listen(on: Listener(.client, path: folder + "/socket"))
    programCount = count
    processes = (0..<count).map {
      Program.start(.program, [folder + "/socket", folder + "/counts", "\($0)", "w\($0)"])
    }
    for index in 0..<others { try attachIdle(to: "w\(count + index)") }
    while exchange.pipeline.router.attachments.all.count < count + others { _ = try loop.runTurn() }
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
  }

  /// The corner of a program's window, in points of the screen.
  static func corner(of program: Int) -> Point {
    Point(x: Double(program % 40) * 100, y: Double(program / 40) * 100)
  }

  private static func layout(windows: Int, views: Int) -> String {
    var text = "[screen.panel]\nsize = [4000, 2600]\n[limits]\nclients = 4096\n"
    for window in 0..<windows {
      let corner = corner(of: window)
      text += "[[window]]\nname = \"w\(window)\"\napplication = \"bench\"\n"
      text += "frame = [\(corner.x), \(corner.y), 100, 100]\n"
      // Columns, or rows of squares where they are many.
      let columns = views > 100 ? Int(Double(views - 1).squareRoot().rounded(.up)) : views - 1
      for view in 0..<(views - 1) {
        let width = 100.0 / Double(columns)
        let x = Double(view % columns) * width
        let y = Double(view / columns) * width
        let height = views > 100 ? width : 100
        text += "[[view]]\npath = \"w\(window)/v\(view)\"\n"
        text += "frame = [\(x), \(y), \(width), \(height)]\n"
      }
    }
    return text
  }

  /// A list of which two rows are within it.
  private static func list(rows: Int) -> String {
    if rows == 0 { return "" }
    var text = "[[view]]\npath = \"w0/list\"\nframe = [0, 0, 100, 100]\n"
    for row in 0..<rows {
      text += "[[view]]\npath = \"w0/list/v\(row)\"\nframe = [0, \(50 * row), 100, 50]\n"
    }
    return text
  }

  private func attachIdle(to window: String) throws {
    var listener = touchroute_listener()
    listener.size = MemoryLayout<touchroute_listener>.size
    guard let connection = touchroute_connect(socket, "idle", 0, &listener, nil) else {
      throw Failure(String(cString: touchroute_error_text(nil)))
    }
    touchroute_attach(connection, window, UInt32(TOUCHROUTE_HANDLES_ALL.rawValue), 0, 0)
    idle.append(connection)
    while try loop.runTurn(timeoutMicroseconds: 0) {}
    touchroute_dispatch(connection, 0)
  }

  /// Has a program record from now on, which reads between batches.
  func record() throws {
    try exchange.server.listen(on: Listener(.control, path: folder + "/control"))
    var listener = touchroute_listener()
    listener.size = MemoryLayout<touchroute_listener>.size
    recorder = touchroute_connect(folder + "/control", "recorder", 0, &listener, nil)
    touchroute_observe(recorder, CInt(TOUCHROUTE_OBSERVE_CHANGES.rawValue))
    while !exchange.server.hasRecorders { _ = try loop.runTurn() }
    try drain()
  }

  /// The same with a recorder that is a process of its own, and reads as it comes.
  func recordApart() throws {
    try exchange.server.listen(on: Listener(.control, path: folder + "/control"))
    processes.append(Program.start(.recorder, [folder + "/control"]))
    while !exchange.server.hasRecorders { _ = try loop.runTurn() }
    try drain()
  }

  /// Takes part in the loop until the programs have read all that was sent.
  private func drain() throws {
    while counts.sum(programCount) < sent {
      while try loop.runTurn(timeoutMicroseconds: 0) {}
      usleep(50)
    }
    repeat {
      if let recorder { touchroute_dispatch(recorder, 0) }
    } while try loop.runTurn(timeoutMicroseconds: 0)
  }

  /// Nanoseconds a frame from its events to the end of the turn, as a median of rounds. Between two
  /// batches the programs are waited for, so that no queue grows.
  func timeTurns(
    of fingers: inout Fingers, framesPerTurn: Int, frames least: Int = 320, rounds: Int = 5
  ) throws -> Double {
    var times: [Double] = []
    for round in 0...rounds {
      var time = 0.0
      var frames = 0
      while frames < least || !fingers.isIdle {
        let now = loop.now
        var turns: [ReusableArray<DeviceEvent>] = []
        for _ in 0..<(fingers.batch / framesPerTurn) {
          var turn: ReusableArray<DeviceEvent> = []
          for _ in 0..<framesPerTurn { fingers.next(at: now, into: &turn) }
          turns.append(turn)
        }
        let start = processorTime()
        for turn in turns {
          exchange.take(turn)
          exchange.endTurn()
        }
        time += processorTime() - start
        frames += fingers.batch
        sent += UInt64(fingers.batch) * 10
        try drain()
      }
      if round > 0 { times.append(time / Double(frames)) }
    }
    return median(times)
  }

  /// Nanoseconds a frame at a pace, whatever the thread does for it.
  ///
  /// - Parameter frames: As many as end with all fingers lifted.
  func timePaced(hertz: Int, frames: Int) throws -> Double {
    var fingers = Fingers(.together, programs: 1)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Failure("no pipe") }
    let pacer = Program.start(.pacer, ["\(ends[1])", "\(hertz)", "\(frames)"])
    close(ends[1])
    var left = frames
    var byte: UInt8 = 0
    let source = try loop.addDescriptor(ends[0], interest: .read, priority: .input) { [self] _ in
      guard read(ends[0], &byte, 1) == 1 else { return left = 0 }
      fingers.next(at: loop.now, into: &events)
      exchange.take(events)
      events.removeAll()
      left -= 1
    }
    let start = processorTime()
    while left > 0 { _ = try loop.runTurn() }
    let time = processorTime() - start
    source.cancel()
    close(ends[0])
    waitpid(pacer, nil, 0)
    return time / Double(frames)
  }

  /// Nanoseconds a frame from its events to the queues, as a median of rounds; of frames of moves,
  /// or of those in which ten fingers come down.
  func timeFrames(of fingers: inout Fingers, began: Bool) throws -> Double {
    var times: [Double] = []
    for round in 0...5 {
      var time = 0.0
      var frames = 0
      while frames < (began ? 60 : 300) || !fingers.isIdle {
        var timed: [ReusableArray<DeviceEvent>] = []
        events.removeAll()
        let isMoving = fingers.isMoving
        repeat {
          var frame: ReusableArray<DeviceEvent> = []
          fingers.next(at: loop.now, into: &frame)
          timed.append(frame)
        } while timed.count < fingers.batch && fingers.isMoving == isMoving && !fingers.isIdle
        let isTimed = isMoving != began && !(began && fingers.isIdle)
        let start = processorTime()
        for frame in timed { exchange.take(frame) }
        if isTimed {
          time += processorTime() - start
          frames += timed.count
        }
        exchange.endTurn()
        sent += UInt64(timed.count) * 10
        try drain()
      }
      if round > 0 { times.append(time / Double(frames)) }
    }
    return median(times)
  }

  // One touchscreen, by hand.

  func down(_ slot: Int32, x: Double, y: Double) {
    let place = Point(x: x, y: y)
    events.append(
      .down(DeviceID(1), slot: slot, screen: ScreenIndex(0), location: place, time: exchange.now))
  }

  func move(_ slot: Int32, x: Double, y: Double) {
    let place = Point(x: x, y: y)
    events.append(.motion(DeviceID(1), slot: slot, location: place, time: exchange.now))
  }

  func up(_ slot: Int32) { events.append(.up(DeviceID(1), slot: slot, time: exchange.now)) }

  /// The frame of what was done, and the end of its turn.
  func turn() {
    events.append(.frame(DeviceID(1), time: exchange.now))
    exchange.take(events)
    exchange.endTurn()
    events.removeAll()
  }

  /// Everybody goes, and nothing was lost on the way.
  func finish() throws {
    try drain()
    let lost = exchange.pipeline.checker.violationCount
    for connection in idle { touchroute_disconnect(connection) }
    if let recorder { touchroute_disconnect(recorder) }
    exchange.stop()
    for process in processes { waitpid(process, nil, 0) }
    for name in ["socket", "counts", "control"] { unlink(folder + "/" + name) }
    rmdir(folder)
    guard lost == 0 else { throw Failure("\(lost) violations of T5") }
  }
}
