import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel

/// The examples whose rows are views, as processes, with the built daemon and injected fingers.
@Suite("Programs that add views", .serialized)
struct ViewProgramTests {
  private let daemon: DaemonProcess
  private let folder: TemporaryDirectory

  init() throws {
    let layout = Repository.root.appending(path: "examples/shared-window.toml")
    daemon = try DaemonProcess(
      try String(contentsOf: layout, encoding: .utf8)
        + "[touch]\ndecision_timeout_ms = 30000\nunresponsive_after_ms = 60000\n",
      arguments: DaemonProcess.withoutDevices)
    folder = try TemporaryDirectory()
  }

  /// A session on the control socket, once the daemon listens.
  private func controller() async throws -> TouchSession {
    for _ in 0..<3000 {
      if let session = try? TouchSession(path: daemon.controlSocket, name: "control") {
        return session
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    return try TouchSession(path: daemon.controlSocket, name: "control")
  }

  private func rows(_ control: TouchSession) async throws -> [String] {
    try await control.describe("home/list").dropFirst().map {
      "\($0.path.dropFirst("home/list/".count)) \(Int($0.frame.y))"
    }
  }

  private func wait(for count: Int, _ control: TouchSession) async throws {
    for _ in 0..<1000 {
      guard try await rows(control).count != count else { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(try await rows(control).count == count)
  }

  private func waitForLast(_ line: String, of child: RunningProgram) async throws {
    for _ in 0..<3000 {
      guard child.lines.last != line else { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(child.lines.last == line, "\(child.lines)")
  }

  @Test(
    "what is attached to views of its own, and their recognizers, come again behind them (L7)",
    .timeLimit(.minutes(10)))
  func reconnecting() async throws {
    let program = try TouchSession(path: daemon.socket, name: "program", options: .reconnect)
    let list = try await program.attach(to: "home/list").attachment
    try await program.addViews(in: list) {
      Subview("panel", frame: Rect(x: 0, y: 0, width: 400, height: 400)) {
        for row in 0..<3 {
          Subview("row\(row)", frame: Rect(x: 0, y: 40 * Double(row), width: 400, height: 40))
        }
      }
    }
    let row = try await program.attach(to: "home/list/panel/row1", options: .gestures).attachment
    var tap = GestureRecognizer.tap("open")
    // However slowly the test gets to lift the finger.
    tap.durationMilliseconds = 60_000
    try await program.addGesture(tap, to: row)
    try await program.changeViews(
      [.change("panel/row2", [.hidden(true)]), .remove("panel/row0")], in: list)
    daemon.kill()
    try daemon.start()
    var again: Set<AttachmentID> = []
    for try await event in program.events {
      if case .attached(let geometry) = event { again.insert(geometry.attachment) }
      if again == [list, row] { break }
    }
    try await program.ping()
    let control = try await controller()
    #expect(try await rows(control) == ["panel 0", "panel/row1 40", "panel/row2 80"])
    #expect(
      try await control.describe("home/list/panel/row2").first?.flags.contains(.hidden) == true)
    try await control.inject([InjectedContact(.began(Point(x: 100, y: 60)))])
    try await control.inject([InjectedContact(.ended)])
    for try await gesture in program.gestures {
      #expect(gesture.path == "home/list/panel/row1#open")
      break
    }
  }

  /// The same as `Programs/again.py`, by the C library.
  private func startAgain(_ errors: Errors) async throws -> Task<Void, any Error> {
    let program = try TouchSession(path: daemon.socket, name: "again", options: .reconnect)
    let collecting = Task {
      for try await event in program.events {
        if case .failed(let failure) = event {
          await errors.append("\(failure.serial.rawValue) \(failure.text)")
        }
      }
    }
    let list = try await program.attach(to: "home/list").attachment
    try await program.addViews(in: list) {
      Subview("header", frame: Rect(x: 0, y: 400, width: 400, height: 20)) {
        Subview("close", frame: Rect(x: 0, y: 0, width: 9, height: 9))
      }
      Subview("panel", frame: Rect(x: 0, y: 0, width: 400, height: 400)) {
        for row in 0..<3 {
          Subview("row\(row)", frame: Rect(x: 0, y: 40 * Double(row), width: 400, height: 40))
        }
      }
    }
    try await program.changeViews([.change("panel/row1", [.hidden(true), .alpha(0.5)])], in: list)
    try await program.changeViews(
      [.change("panel/row1", [.hidden(false)]), .remove("panel/row0")], in: list)
    return collecting
  }

  /// Sentences in the order in which they came.
  private actor Errors {
    private(set) var all: [String] = []
    func append(_ text: String) { all.append(text) }
  }

  @Test(
    "after a crash all is there again that can be, also what a reload had dropped (L7)",
    .timeLimit(.minutes(10)), arguments: ["C", "Python"])
  func asFarAsPossible(_ language: String) async throws {
    let errors = Errors()
    var collecting: Task<Void, any Error>?
    var script: RunningProgram?
    if language == "C" {
      collecting = try await startAgain(errors)
    } else {
      let python = try #require(Program.find("python3"), "python3 is not installed")
      let again = Repository.root.appending(path: "Tests/Client/TouchClientTests/Programs/again.py")
        .path
      script = try Program.start(python, ["-B", again], with: daemon)
    }
    defer { collecting?.cancel() }
    let all = ["header 400", "header/close 0", "panel 0", "panel/row1 40", "panel/row2 80"]
    var control = try await controller()
    try await wait(for: all, control)

    let layout = try String(contentsOfFile: daemon.configuration, encoding: .utf8)
    let other = layout + "[[view]]\npath = \"home/list/header\"\nframe = [0, 0, 400, 9]\n"
    try daemon.write(other)
    _ = try await control.reload()
    // A view that is configured has taken the place of one that was added.
    #expect(try await rows(control) == ["header 0"] + all.dropFirst())
    daemon.kill()
    try daemon.write(layout)
    try daemon.start()
    control = try await controller()
    try await wait(for: all, control)
    let row = try await control.describe("home/list/panel/row1").first
    #expect(row?.flags.contains(.hidden) == false)
    #expect(row?.alpha == 0.5)

    daemon.kill()
    try daemon.write(other)
    try daemon.start()
    control = try await controller()
    try await wait(for: ["header 0", "panel 0", "panel/row1 40", "panel/row2 80"], control)
    func said() async -> [String] { if let script { script.lines } else { await errors.all } }
    for _ in 0..<1000 {
      guard await said().isEmpty else { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    let told = await said()
    #expect(told.count == 1)
    #expect(
      told.first
        == "0 change_views: step 1, add of \"header\": there is another view \"home/list/header\"",
      "what lay in it is not spoken of")
  }

  private func wait(for expected: [String], _ control: TouchSession) async throws {
    for _ in 0..<1000 {
      guard try await rows(control) != expected else { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(try await rows(control) == expected)
  }

  @Test(
    "a batch adds a superview behind what lies in it: both are there again after a crash (L7)",
    .timeLimit(.minutes(10)))
  func superviewBehind() async throws {
    let program = try TouchSession(path: daemon.socket, name: "behind", options: .reconnect)
    let reading = Task { for try await _ in program.events {} }
    defer { reading.cancel() }
    let list = try await program.attach(to: "home/list").attachment
    let frame = Rect(x: 0, y: 0, width: 9, height: 9)
    try await program.changeViews(
      ["row/icon/dot", "row/icon", "row"].map { .add(Subview($0, frame: frame)) }, in: list)
    try await program.changeViews([.change("row/icon", [.alpha(0.5)])], in: list)
    daemon.kill()
    try daemon.start()
    let control = try await controller()
    try await wait(for: ["row 0", "row/icon 0", "row/icon/dot 0"], control)
    #expect(try await control.describe("home/list/row/icon").first?.alpha == 0.5)
  }

  @Test(
    "of what is kept only what still holds counts, and what is asked meanwhile comes behind (L7)",
    .timeLimit(.minutes(10)))
  func keptAndAsked() async throws {
    let program = try TouchConnection(path: daemon.socket, name: "many", options: .reconnect)
    let list = try program.attach(to: "home/list")
    func run(until isOver: (TouchEvent) -> Bool) throws {
      var found = false
      while !found {
        try program.dispatch(timeoutMilliseconds: 20_000) { found = found || isOver($0) }
      }
    }
    func change(_ steps: [ViewStep]) throws {
      let serial = try program.changeViews(steps, in: list)
      try run { $0.serial == serial }
    }
    func row(_ number: Int, at y: Double) -> ViewStep {
      .change("row\(number)", [.frame(Rect(x: 0, y: y, width: 400, height: 1))])
    }
    let frame = Rect(x: 0, y: 0, width: 400, height: 1)
    try change((0..<100).map { .add(Subview("row\($0)", frame: frame)) })
    // More than the library keeps, TOUCHROUTE_CLIENT_VIEWS: all but the last hundred are void.
    for round in 1...40 { try change((0..<800).map { row($0 % 100, at: Double(round)) }) }
    daemon.kill()
    try run { if case .lost = $0 { true } else { false } }
    // As many as may wait for their answers.
    for number in 0..<64 { try program.changeViews([.remove("row\(number)")], in: list) }
    try daemon.start()
    var answered = 0
    try run { event in
      if case .done = event { answered += 1 }
      return answered == 64
    }
    let control = try await controller()
    #expect(try await rows(control) == (64..<100).map { "row\($0) 40" })
  }

  @Test(
    "rows of a list are found, taken out and moved up, and are there again after a crash (L7)",
    .timeLimit(.minutes(10)), arguments: ["C", "Swift", "Python"])
  func list(_ language: String) async throws {
    let (program, arguments) =
      switch language {
      case "C": (try Program.buildC("examples/c/rows.c", in: folder), [String]())
      case "Swift": (Repository.program("rows"), [])
      default: try Program.python("rows.py")
      }
    let list = try Program.start(program, arguments, with: daemon)
    var control = try await controller()
    try await wait(for: 12, control)
    // The third row, and then what has moved up to its place.
    for (name, left) in [("row-2", 11), ("row-3", 10)] {
      try await control.inject([InjectedContact(.began(Point(x: 100, y: 100)))])
      try await control.inject([InjectedContact(.ended)])
      try await waitForLast("\(name) is out, \(left) are left", of: list)
      try await wait(for: left, control)
    }
    let before = try await rows(control)
    #expect(before.prefix(3) == ["row-0 0", "row-1 40", "row-4 80"])
    daemon.kill()
    try daemon.start()
    control = try await controller()
    try await wait(for: 10, control)
    #expect(try await rows(control) == before)
  }
}
