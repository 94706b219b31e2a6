import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel

/// Where sources of others are, for the tests that need them.
private enum Checkout {
  static let lvgl = ProcessInfo.processInfo.environment["LVGL_DIR"]
}

/// `clients/lvgl` in a program with LVGL's own sources, whose display is memory, with the built
/// daemon and injected fingers. LVGL_DIR names a checkout of LVGL 9.4 or newer; what is built of it
/// stays beside the test bundle. The driver is compiled as C99; of a checkout whose headers are in
/// `include`, as master's, against these.
@Suite(
  "LVGL",
  .enabled(
    if: Checkout.lvgl != nil,
    "LVGL_DIR names no checkout of LVGL 9.4: clients/lvgl is not run"),
  .serialized)
struct LVGLTests {
  /// The window has twice the pixels of the display.
  private static let layout = """
    [screen.panel]
    size = [800, 480]
    [[window]]
    name = "home"
    frame = [0, 0, 800, 480]
    """

  private let folder: TemporaryDirectory
  private let program: URL
  private let fingers: InjectedFingers

  init() throws {
    folder = try TemporaryDirectory()
    program = try Self.build(in: folder)
    fingers = try InjectedFingers(Self.layout)
  }

  /// The program, with all of LVGL but its drivers, in which warnings are LVGL's affair.
  private static func build(in folder: TemporaryDirectory) throws -> URL {
    let checkout = try #require(Checkout.lvgl)
    let own = Repository.root.appending(path: "Tests/Client/TouchClientTests/Programs/lvgl").path
    let driver = Repository.root.appending(path: "clients/lvgl").path
    let script = """
      set -e
      mkdir -p "$1" && cd "$1"
      if [ "$(cat built-from 2>/dev/null)" != "$2" ]; then
        rm -f *.o liblvgl.a
        find "$2/src" -path '*/drivers/*' -prune -o -name '*.c' -print0 |
          xargs -0 -P 2 -n 40 cc -O0 -w -c -DLV_CONF_INCLUDE_SIMPLE -I "$3" -I "$2"
        ar cr liblvgl.a *.o
        rm *.o
        printf %s "$2" >built-from
      fi
      headers=$2
      [ ! -d "$2/include/lvgl" ] || headers=$2/include
      cc -std=c99 -Wall -Wextra -Werror $7 -DLV_CONF_INCLUDE_SIMPLE -I "$3" -isystem "$headers" \\
        -I "$4" -I "$5" "$3/panel.c" "$4/lv_touchroute.c" "$6" liblvgl.a -lm -o "$0/panel"
      """
    let result = try RunningProgram.run(
      URL(filePath: "/bin/sh"),
      [
        "-c", script, folder.path, Repository.program("lvgl-of-the-tests").path, checkout, own,
        driver, Program.include, Program.library, Program.sanitizers.joined(separator: " "),
      ])
    try #require(result.status == 0, "\(result.errors)")
    return folder.url.appending(path: "panel")
  }

  private func start(_ arguments: String...) async throws -> RunningProgram {
    let panel = try Program.start(program, ["home"] + arguments, with: fingers.daemon)
    try await fingers.waitForHolder()
    return panel
  }

  private func wait(for lines: [String], of panel: RunningProgram) async throws {
    for _ in 0..<1000 {
      guard panel.lines != lines else { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(panel.lines == lines)
  }

  @Test(
    "a button is clicked and a slider dragged, in the display's own pixels",
    .timeLimit(.minutes(10)), arguments: [[], ["timer"]])
  func clicks(_ mode: [String]) async throws {
    let panel = try await mode.isEmpty ? start() : start("timer")
    try await fingers.inject(.began(Point(x: 199, y: 199)), .ended)
    try await wait(for: ["button pressed", "button released", "button clicked"], of: panel)
    try await fingers.inject(.began(Point(x: 201, y: 201)), .ended)
    try await fingers.inject(.began(Point(x: 420, y: 220)))
    try await fingers.inject(.moved(Point(x: 450, y: 220)), .moved(Point(x: 500, y: 900)), .ended)
    try await wait(
      for: ["button pressed", "button released", "button clicked", "slider at 50"], of: panel)
  }

  @Test("a finger that goes as another comes down is let go of first (T3, T5)")
  func turns() async throws {
    let panel = try await start()
    func inject(_ contacts: InjectedContact...) async throws {
      try await fingers.control.inject(contacts)
    }
    let elsewhere = Point(x: 50, y: 400)
    try await inject(InjectedContact(slot: 0, .began(Point(x: 100, y: 100))))
    try await inject(
      InjectedContact(slot: 0, .cancelled), InjectedContact(slot: 1, .began(elsewhere)))
    try await wait(for: ["button pressed", "button reset"], of: panel)
    try await inject(
      InjectedContact(slot: 1, .ended),
      InjectedContact(slot: 0, .began(Point(x: 100, y: 100))))
    try await inject(
      InjectedContact(slot: 0, .ended),
      InjectedContact(slot: 1, .began(Point(x: 420, y: 220))))
    try await inject(InjectedContact(slot: 1, .moved(Point(x: 500, y: 220))))
    try await inject(InjectedContact(slot: 1, .ended))
    try await wait(
      for: [
        "button pressed", "button reset", "button pressed", "button released", "button clicked",
        "slider at 50",
      ], of: panel)
  }

  @Test("a finger that rests presses for long, by LVGL's own timer", .timeLimit(.minutes(10)))
  func longPress() async throws {
    let panel = try await start()
    try await fingers.inject(.began(Point(x: 100, y: 100)))
    try await wait(for: ["button pressed", "button long pressed"], of: panel)
    try await fingers.inject(.ended)
    try await wait(
      for: ["button pressed", "button long pressed", "button released", "button clicked"],
      of: panel)
  }

  @Test(
    "a touch that is cancelled clicks nothing, and the next one does (T7)",
    .timeLimit(.minutes(10)))
  func cancels() async throws {
    let panel = try await start()
    try await fingers.inject(.began(Point(x: 100, y: 100)))
    try await wait(for: ["button pressed"], of: panel)
    try await fingers.inject(.cancelled)
    try await wait(for: ["button pressed", "button reset"], of: panel)
    try await fingers.inject(.began(Point(x: 100, y: 100)), .ended)
    try await wait(
      for: [
        "button pressed", "button reset", "button pressed", "button released", "button clicked",
      ], of: panel)
  }

  @Test("a daemon that dies in the middle of a touch clicks nothing (R9)", .timeLimit(.minutes(10)))
  func restarts() async throws {
    let panel = try await start()
    try await fingers.inject(.began(Point(x: 100, y: 100)))
    try await wait(for: ["button pressed"], of: panel)
    fingers.daemon.kill()
    try await wait(for: ["button pressed", "button reset"], of: panel)
    try fingers.restart()
    try await fingers.waitForHolder()
    try await fingers.inject(.began(Point(x: 100, y: 100)))
    try await fingers.inject(.ended)
    try await wait(
      for: [
        "button pressed", "button reset", "button pressed", "button released", "button clicked",
      ], of: panel)
  }

  @Test(
    "a tileview whose scroll is cancelled comes to rest on one tile, the nearer one (T7)",
    .timeLimit(.minutes(10)),
    arguments: [(560.0, 0), (240, 1)])
  func snaps(_ end: Double, _ tile: Int) async throws {
    let lines = ["rests at \(tile * 400) 0", "tile \(tile)"]
    let color: [UInt8] = tile == 0 ? [255, 0, 0] : [0, 0, 255]
    let picture = folder.url.appending(path: "picture.ppm")
    let panel = try await start("tiles", picture.path)
    try await fingers.inject(.began(Point(x: 700, y: 240)))
    for x in stride(from: 660, through: end, by: -20) {
      try await fingers.inject(.moved(Point(x: x, y: 240)))
    }
    try await fingers.inject(.cancelled)
    for _ in 0..<1000 {
      guard !Set(lines).isSubset(of: panel.lines) else { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(Set(lines).isSubset(of: panel.lines), "\(panel.lines)")
    panel.signal(SIGTERM)
    #expect(panel.finish().status == 0)
    let pixels = try Data(contentsOf: picture).dropFirst("P6 400 240 255\n".utf8.count)
    #expect(pixels.count == 400 * 240 * 3)
    let others = stride(from: pixels.startIndex, to: pixels.endIndex, by: 3).count {
      Array(pixels[$0..<$0 + 3]) != color
    }
    #expect(others == 0, "pixels of the other tile, or between them")
  }

  @Test(
    "a list whose scroll is cancelled rests where it stopped, and comes back from its end (T7)",
    .timeLimit(.minutes(10)))
  func rests() async throws {
    let panel = try await start("list")
    try await fingers.inject(.began(Point(x: 400, y: 400)))
    for y in stride(from: 380.0, through: 200, by: -20) {
      try await fingers.inject(.moved(Point(x: 400, y: y)))
    }
    try await fingers.inject(.cancelled)
    try await wait(for: ["rests at 0 100"], of: panel)
    try await fingers.inject(.began(Point(x: 400, y: 100)))
    for y in stride(from: 120.0, through: 440, by: 20) {
      try await fingers.inject(.moved(Point(x: 400, y: y)))
    }
    try await fingers.inject(.cancelled)
    try await wait(for: ["rests at 0 100", "rests at 0 0"], of: panel)
  }

  @Test(
    "two fingers are LVGL's pinch, and one of them cancelled ends none", .timeLimit(.minutes(10)))
  func pinches() async throws {
    let panel = try await start()
    func spread() async throws {
      try await fingers.inject(.began(Point(x: 300, y: 400)))
      try await fingers.inject(.began(Point(x: 400, y: 400)), slot: 1)
      try await fingers.inject(.moved(Point(x: 450, y: 400)), slot: 1)
      try await fingers.inject(.moved(Point(x: 500, y: 400)), slot: 1)
      try await fingers.inject(.moved(Point(x: 502, y: 400)), slot: 1)
    }
    try await spread()
    for _ in 0..<1000 {
      guard !panel.lines.contains(where: { $0.hasPrefix("pinch") }) else { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    let told = panel.lines
    #expect(told.first?.hasPrefix("pinch") == true, "\(told)")
    try await fingers.inject(.cancelled, slot: 1)
    try await fingers.inject(.ended)
    try await spread()
    try await fingers.inject(.ended, slot: 1)
    try await fingers.inject(.ended)
    for _ in 0..<1000 {
      guard panel.lines.last != "pinch ended" else { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(panel.lines.filter { $0 == "pinch ended" }.count == 1, "\(panel.lines)")
  }

  @Test(
    "a responder that is held is waited for, and one that is not there is said to be so (R2)",
    .timeLimit(.minutes(10)))
  func refused() async throws {
    var holder: DaemonClient? = try DaemonClient(fingers.daemon.socket, name: "other")
    _ = try holder?.connection.attach(to: "home")
    _ = try holder?.next { $0.geometry }
    let panel = try Program.start(program, ["home"], with: fingers.daemon)
    let nobody = try Program.start(program, ["nowhere"], with: fingers.daemon)
    for _ in 0..<1000 {
      guard panel.errors.isEmpty || nobody.errors.isEmpty else { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(panel.errors.contains("\"home\" is held by pid"), "\(panel.errors)")
    #expect(nobody.errors.contains("\"nowhere\""), "\(nobody.errors)")
    holder = nil
    withExtendedLifetime(holder) {}
    for _ in 0..<3000 {
      try await fingers.inject(.began(Point(x: 100, y: 100)), .ended)
      if panel.lines.contains("button clicked") { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(panel.lines.contains("button clicked"))
  }
}
