import DaemonSupport
import Glibc
import TestSupport
import Testing
import TouchClient
import Wire

/// Touches of `touchroute tap` and its like, in views with recognizers.
@Suite("Commands that steer, beside gestures")
struct InjectedGestureTests {
  private static let gestures =
    panel + """
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

      """

  @Test("tap tells of a touch that a gesture takes away after its end (G7, G9, G10)")
  func waits() throws {
    let house = try House(Self.gestures)
    let listener = try house.listen("--gestures", "home")
    defer { withExtendedLifetime(listener) {} }
    let tap = try house.start("tap", "200", "470").waitForEnd()
    #expect(tap.status == 0)
    let told = "home#once recognized: pid \(listener.pid) (touchroute) is told"
    #expect(
      tap.output.hasSuffix("\ntouch 1 was cancelled: gesture\n\(told)\n"), "\(tap.output)")
  }

  private static let alone =
    panel + """
      [[window]]
      name = "shell"
      [[gesture]]
      view = "home"
      name = "zoom"
      kind = "pinch"
      to = "shell"
      [[gesture]]
      view = "home"
      name = "menu"
      kind = "long_press"
      to = "shell"
      [[gesture]]
      view = "home"
      name = "once"
      kind = "tap"
      to = "shell"

      """

  @Test(
    "a touch that a gesture alone gets is no miss: who is told is said, and the status is 0 (G13)")
  func gesturesAlone() throws {
    let house = try House(Self.alone)
    let listener = try house.listen("--gestures", "shell")
    let told = "pid \(listener.pid) (touchroute) is told"
    _ = try house.start("set", "shell", "interaction=false").waitForEnd()
    let whose = "only gestures get it: no program holds home, app:dashboard"
    #expect(
      try house.start("tap", "200", "470").waitForEnd()
        == .init(
          status: 0,
          output: """
            touch 1 at (200, 470) on panel hit home: \(whose)
            home#once recognized: \(told)

            """, errors: ""))
    #expect(
      try house.start("press", "200", "470", "--hold", "900").waitForEnd()
        == .init(
          status: 0,
          output: """
            touch 2 at (200, 470) on panel hit home: \(whose)
            home#menu has begun: \(told)

            """, errors: ""))
    #expect(
      try house.start("pinch", "400", "300").waitForEnd()
        == .init(
          status: 0,
          output: """
            touch 3 at (350, 300) on panel hit home: \(whose)
            touch 4 at (450, 300) on panel hit home: \(whose)
            home#zoom has begun: \(told)

            """, errors: ""))
  }

  @Test("a touch of which no gesture comes, and that no program gets, is a miss (R4, G2)")
  func noGesture() throws {
    let house = try House(Self.alone)
    let listener = try house.listen("--gestures", "shell")
    defer { withExtendedLifetime(listener) {} }
    _ = try house.start("set", "shell", "interaction=false").waitForEnd()
    #expect(
      try house.start("swipe", "200", "470", "400", "470").waitForEnd()
        == .init(
          status: 2,
          output: """
            touch 1 at (200, 470) on panel hit home: only gestures get it: no program holds home, \
            app:dashboard
            touch 1 went to no program, and no gesture came of it

            """, errors: ""))
  }

  @Test("tap, hit-test --live and monitor --why say why a recognizer takes no part (G2, G13)")
  func takesNoPart() throws {
    let house = try House(panelWithPages)
    let program = try house.client("nav", attachedTo: "home")
    let lack = "takes no part: no program that holds home or app:dashboard handles gestures"
    let tap = try house.start("tap", "200", "470", "--count", "2").waitForEnd()
    let gets = "pid \(getpid()) (nav) gets it"
    #expect(
      tap
        == .init(
          status: 0,
          output: """
            touch 1 at (200, 470) on panel hit home: \(gets)
            home#pages \(lack)
            touch 2 at (200, 470) on panel hit home: \(gets)

            """, errors: ""))
    let hit = try house.start("hit-test", "--live", "200", "470").waitForEnd().output
    #expect(hit.hasSuffix("\n    home#pages  pan horizontal: \(lack)\n"), "\(hit)")
    let json = try house.start("hit-test", "--live", "--json", "200", "470").waitForEnd().output
    #expect(json.contains("\"takes_no_part\":\"no program that holds home or"), "\(json)")
    let monitor = try house.start("monitor", "--why")
    try house.turn { house.isObserved }
    house.finger(.down(200, 470))
    #expect(try monitor.waitForLines(4)[3] == "5.008  touch 3  home#pages \(lack)")
    _ = try monitor.interrupt()
    try house.turn { !house.isObserved }
    let data = try house.start("monitor", "--json")
    try house.turn { house.isObserved }
    house.finger(.up, .down(200, 470))
    try house.turn({ data.output }) {
      data.poll()
      return data.output.contains("\"path\":\"home#pages\",\"reason\":\"no program that holds home")
    }
    withExtendedLifetime(program) {}
  }

  @Test("one who holds it and handles gestures, but does not read, is named as that (F3, G13)")
  func unresponsive() throws {
    let house = try House(panelWithPages + "[touch]\nunresponsive_after_ms = 100\n")
    let program = try DaemonClient(house.clientSocket, name: "nav")
    _ = try program.connection.attach(to: "home", options: .gestures)
    _ = try program.next(meanwhile: house.turnOnce, \.geometry)
    let count = house.unresponsiveCount
    house.finger(.down(200, 470))
    try house.turn { house.unresponsiveCount > count }
    house.finger(.up)
    let tap = try house.start("tap", "200", "470").waitForEnd()
    #expect(
      tap.output.hasSuffix(
        "\nhome#pages takes no part: the program that holds home is unresponsive\n"),
      "\(tap.output)")
    withExtendedLifetime(program) {}
  }

  @Test("a finger that a script leaves down is not held there for gestures")
  func leavesDown() throws {
    let house = try House(
      panel + """
        [[gesture]]
        view = "home"
        name = "menu"
        kind = "long_press"
        duration_ms = 4000

        """)
    let listener = try house.listen("--gestures", "home")
    defer { withExtendedLifetime(listener) {} }
    let inject = try house.start(shell: "printf 'began 0 200 470\nframe\n' | touchroute inject -")
    let result = try inject.waitForEnd()
    #expect(result.status == 0)
    #expect(!result.output.contains("cancelled: gesture"), "\(result.output)")
  }
}
