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
    for _ in 0..<1000 where try await rows(control).count != count {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(try await rows(control).count == count)
  }

  private func waitForLast(_ line: String, of child: RunningProgram) async throws {
    for _ in 0..<3000 where child.lines.last != line {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(child.lines.last == line, "\(child.lines)")
  }

  @Test(
    "what is attached to views of its own, and their recognisers, come again behind them (L7)",
    .timeLimit(.minutes(2)))
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

  @Test(
    "rows of a list are found, taken out and moved up, and are there again after a crash (L7)",
    .timeLimit(.minutes(3)), arguments: ["C", "Swift", "Python"])
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
