import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel

/// The plugin of `clients/qt` in programs of Debian's Qt 6 that know nothing of it, with the built
/// daemon and injected fingers.
@Suite(
  "Qt 6",
  .enabled(
    if: FileManager.default.fileExists(
      atPath: "/usr/include/\(Repository.machine)/qt6/QtQuick")
      && Program.find("cmake") != nil,
    "Debian's Qt 6 and its private headers are not installed, so clients/qt is not run"),
  .serialized)
struct QtTests {
  /// A screen as large as the platform's, of which the programs' windows take a corner.
  private static let layout = """
    [screen.panel]
    size = [1600, 1600]
    [[window]]
    name = "home"
    frame = [0, 0, 1600, 1600]
    """

  private let fingers: InjectedFingers

  init() throws {
    fingers = try InjectedFingers(Self.layout)
  }

  /// Where the plugin and the programs are built, beside the test bundle; what is there is brought
  /// up to date.
  private static let built = Result { () throws -> URL in
    let folder = Repository.program("qt-of-the-tests")
    let script = Repository.root.appending(path: "scripts/lib/qt-programs.sh")
    let result = try RunningProgram.run("bash", script.path, folder.path)
    try #require(result.status == 0, "\(result.output)\(result.errors)")
    return folder
  }

  private func run(
    _ name: String, plugin: String = "touchroute:home", platform: String = "offscreen"
  ) throws -> RunningProgram {
    let folder = try Self.built.get()
    return try RunningProgram(
      folder.appending(path: name), ["-platform", platform, "-plugin", plugin],
      environment: [
        "TOUCHROUTE_SOCKET": fingers.daemon.socket, "QT_PLUGIN_PATH": folder.path,
        "QT_QUICK_BACKEND": "software",
      ], hasInput: true)
  }

  /// Runs it, and waits until it is shown and attached.
  private func start(_ name: String, platform: String = "offscreen") async throws -> RunningProgram
  {
    let program = try run(name, platform: platform)
    try await wait(for: ["shown"], of: program)
    try await fingers.waitForHolder()
    return program
  }

  private func wait(for lines: [String], of program: RunningProgram) async throws {
    for _ in 0..<2000 {
      guard program.lines != lines else { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(program.lines == lines, "\(program.errors)")
  }

  /// A place in the window, in pixels of the platform, which has 800 x 800 of them.
  private func at(_ x: Double, _ y: Double) -> Point { Point(x: 2 * x, y: 2 * y) }

  @Test("Widgets: a finger clicks a button and drags a slider", .timeLimit(.minutes(10)))
  func widgets() async throws {
    let program = try await start("widgets")
    try await fingers.inject(.began(at(50, 50)), .ended)
    var lines = ["shown", "button pressed", "button released", "button clicked"]
    try await wait(for: lines, of: program)
    try await fingers.inject(.began(at(156, 40)), .moved(at(200, 40)), .moved(at(390, 40)), .ended)
    lines.append("lying at 100")
    try await wait(for: lines, of: program)
  }

  @Test(
    "Widgets: a touch that is cancelled clicks nothing, and its drag goes back (T7)",
    .timeLimit(.minutes(10)))
  func widgetsCancelled() async throws {
    let program = try await start("widgets")
    try await fingers.inject(.began(at(50, 50)))
    var lines = ["shown", "button pressed"]
    try await wait(for: lines, of: program)
    try await fingers.inject(.cancelled)
    lines.append("button released")
    try await wait(for: lines, of: program)
    try await fingers.inject(
      .began(at(156, 40)), .moved(at(200, 40)), .moved(at(340, 40)), .cancelled)
    lines.append("lying at 0")
    try await wait(for: lines, of: program)
    try await fingers.inject(
      .began(at(170, 155)), .moved(at(170, 130)), .moved(at(170, 90)), .cancelled)
    lines.append("standing at 50")
    try await wait(for: lines, of: program)
    try await fingers.inject(.began(at(50, 50)), .ended)
    lines += ["button pressed", "button released", "button clicked"]
    try await wait(for: lines, of: program)
  }

  @Test(
    "Widgets: a dialog that a cancelled touch opens has the next finger (T7)",
    .timeLimit(.minutes(10)))
  func dialog() async throws {
    let program = try await start("widgets")
    try await fingers.inject(.began(at(300, 150)), .cancelled)
    var lines = ["shown", "dialog asks"]
    try await wait(for: lines, of: program)
    try await fingers.inject(.began(at(200, 120)), .ended)
    lines.append("dialog answered")
    try await wait(for: lines, of: program)
    try await fingers.inject(.began(at(50, 50)), .ended)
    lines += ["button pressed", "button released", "button clicked"]
    try await wait(for: lines, of: program)
  }

  @Test(
    "Widgets: a finger that comes as another one goes is not lost with it (T3, T5)",
    .timeLimit(.minutes(10)))
  func turns() async throws {
    let program = try await start("widgets")
    func inject(_ contacts: InjectedContact...) async throws {
      try await fingers.control.inject(contacts)
    }
    var lines = ["shown"]
    for change in [InjectedContact.Change.ended, .cancelled] {
      try await inject(InjectedContact(slot: 0, .began(at(50, 50))))
      try await inject(
        InjectedContact(slot: 0, change),
        InjectedContact(slot: 1, .began(at(change == .ended ? 156 : 344, 40))))
      try await inject(InjectedContact(slot: 1, .moved(at(250, 40))))
      try await inject(InjectedContact(slot: 1, .moved(at(change == .ended ? 390 : 100, 40))))
      try await inject(InjectedContact(slot: 1, .ended))
      lines += ["button pressed", "button released"]
      lines += change == .ended ? ["button clicked", "lying at 100"] : ["lying at 0"]
      try await wait(for: lines, of: program)
    }
  }

  @Test(
    "Quick: handlers and areas get touches, and a real cancel (T7)", .timeLimit(.minutes(10)))
  func quick() async throws {
    let program = try await start("quick")
    try await fingers.inject(.began(at(50, 50)), .ended)
    var lines = ["shown", "mouse down", "mouse up", "mouse clicked"]
    try await wait(for: lines, of: program)
    // Not as the second tap of two, of which Qt 6.4 forgets the cancel.
    try await fingers.inject(.began(at(50, 200)), .cancelled)
    lines += ["mouse down", "mouse cancelled", "mouse up"]
    try await wait(for: lines, of: program)
    try await fingers.inject(.began(at(150, 50)), .ended)
    lines += ["tap down", "tap", "tap up"]
    try await wait(for: lines, of: program)
    try await fingers.inject(.began(at(150, 50)), .cancelled)
    lines += ["tap down", "tap up"]
    try await wait(for: lines, of: program)
    try await fingers.inject(.began(at(150, 50)), .ended)
    lines += ["tap down", "tap", "tap up"]
    try await wait(for: lines, of: program)
  }

  @Test(
    "Quick: two fingers, of which one is cancelled, are both, and mean nothing until they lift",
    .timeLimit(.minutes(10)))
  func twoFingers() async throws {
    let program = try await start("quick")
    try await fingers.inject(.began(at(220, 20)))
    try await fingers.inject(.began(at(240, 30)), slot: 1)
    try await fingers.inject(.moved(at(230, 20)))
    var lines = ["shown", "down 20,20", "move 20,20", "down 40,30", "move 30,20 40,30"]
    try await wait(for: lines, of: program)
    try await fingers.inject(.cancelled, slot: 1)
    lines.append("cancelled 2")
    try await wait(for: lines, of: program)
    try await fingers.inject(.moved(at(260, 20)), .ended, .began(at(250, 50)), .ended)
    lines += ["down 50,50", "up 1"]
    try await wait(for: lines, of: program)
  }

  @Test(
    "a daemon that dies in the middle of a touch presses nothing (R9)", .timeLimit(.minutes(10)))
  func restarts() async throws {
    let program = try await start("widgets")
    try await fingers.inject(.began(at(50, 50)))
    var lines = ["shown", "button pressed"]
    try await wait(for: lines, of: program)
    fingers.daemon.kill()
    lines.append("button released")
    try await wait(for: lines, of: program)
    try fingers.restart()
    try await fingers.waitForHolder()
    try await fingers.inject(.began(at(50, 50)))
    try await fingers.inject(.ended)
    lines += ["button pressed", "button released", "button clicked"]
    try await wait(for: lines, of: program)
  }

  @Test(
    "what is wrong with the plugin's words is said, and the program runs on",
    .timeLimit(.minutes(10)),
    arguments: [
      ("touchroute:nowhere", "\"nowhere\""),
      ("touchroute:", "the plugin needs the path of a responder: -plugin touchroute:home"),
      ("touchroute:home,rotate=90", "\"rotate=90\" is no option of the plugin: it has screen=NAME"),
      ("touchroute:home,screen=HDMI-1", "there is no screen \"HDMI-1\"; there are: "),
    ])
  func refused(_ plugin: String, _ words: String) async throws {
    let program = try run("widgets", plugin: plugin)
    for _ in 0..<2000 {
      guard !program.errors.contains("touchroute: ") else { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(program.errors.contains(words), "\(program.errors)")
    try await wait(for: ["shown"], of: program)
  }
}
