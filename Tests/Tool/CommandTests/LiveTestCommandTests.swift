import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel

@Suite("touchroute test, with a daemon and its programs")
struct LiveTestCommandTests {
  private static let layout = """
    [screen.panel]
    size = [800, 480]
    [[window]]
    name = "home"
    [[view]]
    path = "home/list"
    frame = [0, 60, 800, 420]
    [[gesture]]
    view = "home"
    name = "pages"
    kind = "pan"
    direction = "horizontal"
    [touch]
    decision_timeout_ms = 60000

    """

  private func run(_ house: House, _ script: String) throws -> Command.Result {
    try house.directory.write("a.touches", script)
    return try house.start(shell: "touchroute test a.touches").waitForEnd()
  }

  private static let ok = Command.Result(
    status: 0, output: "TAP version 14\n1..1\nok 1 - a.touches\n", errors: "")

  @Test("one script comes to the same with programs and without (G9, G13)")
  func same() throws {
    let house = try House(Self.layout)
    let home = try house.listen("--gestures", "home")
    let list = try house.listen("home/list")
    let script = """
      program home
      program home/list
      tap 400 240
      expect home/list gets began, ended
      expect home gets nothing
      expect no gesture
      began 0 400 240
      frame
      expect home/list gets began
      wait 16
      moved 0 370 241
      frame
      expect gesture home pan began
      expect home/list gets cancelled gesture
      ended 0
      frame
      expect gesture home#pages ended
      tap 400 20
      expect home gets began, ended

      """
    #expect(try run(house, script) == Self.ok)
    let rehearsed = try Command.run(
      ["test", "--config", "touchroute.toml", "a.touches"], in: house.directory.url)
    #expect(rehearsed == Self.ok)
    let wrong = script.replacing("gets cancelled gesture", with: "gets moved")
    let results = [
      try run(house, wrong),
      try Command.run(["test", "-c", "touchroute.toml", "a.touches"], in: house.directory.url),
    ]
    for result in results {
      #expect(result.status == 2, "\(result)")
      #expect(
        result.output.contains(
          "# a.touches:14:1: expect home/list gets moved: home/list got cancelled gesture; "),
        "\(result.output)")
    }
    withExtendedLifetime((home, list)) {}
  }

  @Test("feedback is the same with programs and without, and none where nothing was hit (D10, D12)")
  func feedback() throws {
    let layout =
      Self.layout
      // So that a test may follow at once on one that has made the screen dark.
      .replacing("size = [800, 480]", with: "size = [800, 480]\nwake_guard_ms = 0")
      .replacing(
        "frame = [0, 60, 800, 420]", with: "frame = [0, 60, 800, 420]\nfeedback = \"tock\""
      )
      .replacing("kind = \"pan\"", with: "kind = \"pan\"\nfeedback = \"swish\"")
        + """
        [[window]]
        name = "pin"
        frame = [0, 400, 800, 80]
        secure = true
        feedback = "click"

        """
    let house = try House(layout)
    let home = try house.listen("--gestures", "home")
    let pin = try house.listen("pin")
    let script = """
      program home
      program pin
      tap 400 240
      expect feedback tock at home/list within 0 ms
      expect home gets began, ended
      tap 400 20
      expect no feedback
      tap 400 440
      expect feedback click
      began 0 400 240
      frame
      wait 16
      moved 0 300 241
      frame
      ended 0
      frame
      expect feedback swish at home#pages
      dark panel
      tap 400 240
      expect no feedback

      """
    #expect(try run(house, script) == Self.ok)
    func rehearsed() throws -> Command.Result {
      try Command.run(
        ["test", "--config", "touchroute.toml", "a.touches"], in: house.directory.url)
    }
    #expect(try rehearsed() == Self.ok)
    let wrong = script.replacing("feedback click", with: "feedback click at pin")
      .replacing("dark panel\n", with: "")
    for result in [try run(house, wrong), try rehearsed()] {
      #expect(result.status == 2, "\(result)")
      for line in [
        "# a.touches:9:1: expect feedback click at pin: pin got began, ended; feedback click of a "
          + "secure view\n",
        "expect no feedback: home got began, ended; home#pages failed; "
          + "feedback tock at home/list\n",
      ] { #expect(result.output.contains(line), "\(result.output)") }
    }
    withExtendedLifetime((home, pin)) {}
  }

  @Test("a touch that a program declines goes on to the next, and that is waited for (R5)")
  func declined() throws {
    let house = try House(Self.layout)
    let list = try house.client(attachedTo: "home/list")
    let home = try house.client("home", attachedTo: "home")
    try house.directory.write(
      "a.touches",
      "tap 400 240\nexpect home gets began, ended\nexpect home/list gets began, ended\n")
    let test = try house.start(shell: "touchroute test a.touches")
    // Once it has ended already.
    let touch = try #require(
      try list.next(meanwhile: house.turnOnce) { $0.frame?.touches.first { $0.phase == .ended } })
    try list.connection.decline(touch.id, for: touch.attachment)
    #expect(try test.waitForEnd() == Self.ok)
    #expect(
      try home.next(meanwhile: house.turnOnce) { $0.frame?.touches.first?.phase } == .began)
  }

  @Test(
    "how late something is goes by the daemon's own times, so a busy machine fails no test (G7)")
  func late() throws {
    let house = try House(
      Self.layout + """
        [[gesture]]
        view = "home"
        name = "twice"
        kind = "tap"
        taps = 2
        [[gesture]]
        view = "home"
        name = "once"
        kind = "tap"
        after = ["home#twice"]

        """)
    let home = try house.listen("--gestures", "home")
    let tap = "tap 400 20\nexpect home gets began, cancelled gesture within"
    #expect(
      try run(house, "\(tap) 60000 ms\nexpect gesture home#once within 60000 ms\n") == Self.ok)
    let result = try run(house, "\(tap) 340 ms\nexpect gesture home#once within 340 ms\n")
    #expect(result.status == 2)
    // The daemon waits for 350 ms, and is told the time some time later.
    #expect(
      result.output.matches(of: #/ 340 ms: it came after \d+(\.\d+)? ms; home got /#).count == 2)
    withExtendedLifetime(home) {}
  }

  @Test("what no program gets is for nobody, and a program that must be there is missed (R4)")
  func nobody() throws {
    let house = try House(Self.layout)
    #expect(try run(house, "tap 400 240\nexpect nobody\nexpect home gets nothing\n") == Self.ok)
    let missing = try run(house, "program home/list\ntap 1 1\nexpect nobody\n")
    #expect(missing.status == 1 && missing.errors == "")
    #expect(
      missing.output.hasSuffix("\n# a.touches:1:9: no program holds \"home/list\"\n"),
      "\(missing.output)")
  }

  @Test("what the daemon's layout does not have is refused at its line, with what may be meant")
  func unknown() throws {
    let house = try House(Self.layout)
    for (line, error) in [
      (
        "expect home/lits gets nothing",
        "2:8: there is no responder \"home/lits\"; did you mean \"home/list\"?"
      ),
      (
        "expect gesture home#page",
        "2:16: there is no recognizer \"home#page\"; did you mean \"home#pages\"?"
      ),
      ("accept home 0", "2:1: what a program decides can only be said with --config"),
      ("screen door\ntap 9 9", "2:8: there is no screen \"door\"; the layout has panel"),
    ] {
      let result = try run(house, "tap 9 9\n\(line)\nexpect nobody\n")
      #expect(result.status == 1)
      #expect(result.output.hasSuffix("\n# a.touches:\(error)\n"), "\(result.output)")
    }
  }

  @Test("a finger that a script leaves down is cancelled, and the next file has its own (R9)")
  func leftDown() throws {
    let house = try House(Self.layout)
    let home = try house.listen("home")
    try house.directory.write("a.touches", "began 0 9 9\nframe\nexpect home gets began\n")
    try house.directory.write("b.touches", "began 0 9 9\nframe\nexpect home gets began\n")
    let result = try house.start(shell: "touchroute test a.touches b.touches").waitForEnd()
    #expect(result.status == 0 && result.output.hasSuffix("\nok 2 - b.touches\n"), "\(result)")
    try house.turn {
      home.poll()
      return home.output.components(separatedBy: "cancelled").count == 3
    }
  }

  @Test("a script makes a screen dark and locks it, with a daemon and without (D3, D9)")
  func screens() throws {
    let house = try House(Self.layout)
    let home = try house.listen("home")
    let script = """
      program home
      tap 400 20
      expect home gets began, ended
      dark panel
      tap 400 20
      expect nobody
      on panel
      wait 300
      tap 400 20
      expect home gets began, ended
      lock for 30 except home/list
      tap 400 20
      expect nobody
      tap 400 240
      expect home gets began, ended
      wait 900
      dark panel

      """
    #expect(try run(house, script) == Self.ok)
    // It leaves nothing behind.
    let screens = try house.start(shell: "touchroute screen").waitForEnd()
    #expect(screens.output == "panel: on\n", "\(screens)")
    let rehearsed = try Command.run(
      ["test", "--config", "touchroute.toml", "a.touches"], in: house.directory.url)
    #expect(rehearsed == Self.ok)
    let refused = try run(house, "tap 400 20\nexpect home gets began, ended\ndark pannel\n")
    #expect(
      refused.output.contains(
        "# a.touches:3:6: set_screen: there is no screen \"pannel\", only \"panel\""),
      "\(refused)")
    withExtendedLifetime(home) {}
  }

  @Test(
    "ended by a signal, a script leaves no screen dark or locked (D9)",
    arguments: [SIGINT, SIGTERM])
  func endedBySignal(_ number: Int32) throws {
    let house = try House(Self.layout)
    let home = try house.listen("home")
    try house.directory.write(
      "a.touches",
      """
      tap 400 20
      expect home gets began, ended
      lock for 600
      dark panel
      wait 60000
      tap 400 20
      expect nobody

      """)
    let test = try house.start(shell: "touchroute test a.touches")
    let screen = { try house.start(shell: "touchroute screen").waitForEnd().output }
    for _ in 0..<300 {
      let text = try screen()
      if text.contains("dark"), text.contains("locked") { break }
      usleep(10_000)
    }
    kill(test.pid, number)
    #expect(try test.waitForSignal() == number)
    #expect(try screen() == "panel: on\n")
    withExtendedLifetime(home) {}
  }

  @Test("a verdict stands though nobody reads what is printed")
  func noReader() throws {
    let house = try House(Self.layout)
    let config = try Command.run(["check", "touchroute.toml"], in: house.directory.url)
    try #require(config.status == 0)
    try house.directory.write("a.touches", "tap 400 20\nexpect nobody\n")
    let line = "touchroute test --config touchroute.toml a.touches"
    let result = try house.start(shell: "{ \(line); echo $? >&2; } | true").waitForEnd()
    #expect(result.errors == "2\n", "\(result)")
  }

  @Test("a screen that has a blanker is woken by that, not by the script (D2)")
  func blanker() throws {
    let house = try House(Self.layout)
    let home = try house.listen("home")
    let blanker = try DaemonClient(house.controlSocket, name: "blanker")
    try blanker.connection.setScreen("panel", isOn: true, asBlanker: true)
    _ = try blanker.next(meanwhile: house.turnOnce, \.completion)
    let script = """
      tap 400 20
      expect home gets began, ended
      dark panel
      tap 400 20
      expect nobody

      """
    #expect(try run(house, script) == Self.ok)
    withExtendedLifetime((home, blanker)) {}
  }
}
