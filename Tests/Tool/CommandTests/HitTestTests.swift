import Foundation
import TestSupport
import Testing

@Suite("touchroute hit-test")
struct HitTestTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write("panel.toml", panel)
  }

  private func run(_ arguments: String...) throws -> Command.Result {
    try Command.run(["hit-test", "--config", "panel.toml"] + arguments, in: directory.url)
  }

  @Test("The target, the point in its coordinates and the chain are printed (H1, R1)")
  func target() throws {
    #expect(
      try run("20", "20.5")
        == .init(
          status: 0,
          output: """
            home/toolbar/back
              at (12, 12.5) in its coordinates
              asked in this order: home/toolbar/back, home/toolbar, home/toolbar@bar, home, app:dashboard

            """, errors: ""))
  }

  @Test("The edges of a view are half-open, grown by its outset (H3)")
  func edges() throws {
    #expect(try run("59.99", "59.99").output.hasPrefix("home/toolbar/back\n"))
    #expect(try run("60", "20").output.hasPrefix("home/toolbar\n"))
    #expect(try run("20", "60").output.hasPrefix("home\n"))
  }

  @Test("Bounds' origin and shape count (L2, H4)")
  func ellipse() throws {
    #expect(
      try run("200", "200").output.hasPrefix(
        "home/dial\n  at (100, 150) in its coordinates\n"))
    #expect(try run("102", "102").output.hasPrefix("home\n"))
  }

  @Test("A point outside of the screen, or in no window, hits nothing (H7, T8)")
  func nothing() throws {
    #expect(
      try run("800", "20")
        == .init(
          status: 0,
          output: """
            nothing at (800, 20): it is outside screen "panel", which has 800 by 480 points

            """, errors: ""))
    try directory.write(
      "empty.toml", "[screen.a]\nsize = [9, 9]\n[[window]]\nname = \"w\"\nhidden = true\n")
    let result = try Command.run(["hit-test", "-c", "empty.toml", "1", "1"], in: directory.url)
    #expect(result.output == "nothing at (1, 1): no window takes it\n")
    #expect(try run("--", "-1", "5").output.hasPrefix("nothing at (-1, 5): it is outside"))
  }

  @Test("Another screen is asked for by its name, and one that is not there is an error")
  func screens() throws {
    #expect(try run("--screen", "door", "5", "700").output.hasPrefix("bell\n"))
    #expect(
      try run("--screen", "dor", "5", "5")
        == .init(
          status: 1, output: "",
          errors: """
            touchroute: there is no screen "dor"; the configuration has "panel", "door"

            """))
  }

  @Test("A trace lists the calls as the recursion makes them (H9)")
  func trace() throws {
    #expect(
      try run("--trace", "70", "20").output == """
        home hit
        home inside (70.0, 20.0): yes
        dial hit
        dial inside (-30.0, -30.0): no
        dial hit: nothing
        toolbar hit
        toolbar inside (70.0, 20.0): yes
        back hit
        back inside (62.0, 12.0): no
        back hit: nothing
        toolbar hit: home/toolbar
        home hit: home/toolbar

        """)
  }

  @Test("JSON has the same as data, its keys in a stable order")
  func json() throws {
    #expect(
      try run("--json", "20", "20").output == """
        {"chain":["home/toolbar/back","home/toolbar","home/toolbar@bar","home","app:dashboard"],\
        "location":[12,12],"point":[20,20],"screen":"panel","target":"home/toolbar/back"}

        """)
    #expect(
      try run("--json", "--trace", "--screen", "door", "1", "2").output == """
        {"chain":["bell"],"location":[1,2],"point":[1,2],"screen":"door","target":"bell",\
        "trace":[{"call":"hit","view":"bell"},{"call":"result","found":"bell","view":"bell"}]}

        """)
    #expect(
      try run("--json", "900", "20").output
        == "{\"chain\":[],\"point\":[900,20],\"screen\":\"panel\"}\n")
  }

  @Test("It lists the recognizers that would take the touch, the nearest first (G2)")
  func gestures() throws {
    try directory.write(
      "gestures.toml",
      panel + """
        [[gesture]]
        screen = "panel"
        name = "back"
        kind = "edge_pan"
        edge = "left"
        to = "home"
        priority = true
        [[gesture]]
        view = "home"
        name = "pages"
        kind = "pan"
        direction = "horizontal"
        touches = 2
        enabled = false
        [[gesture]]
        view = "home/dial"
        name = "open"
        kind = "tap"
        taps = 2
        slop = 4.5
        after = ["home#pages"]
        [[gesture]]
        view = "home/dial"
        name = "menu"
        kind = "long_press"
        duration_ms = 800
        simultaneous = ["home#pages", "home/dial#open"]
        cancels_touches = false

        """)
    func run(_ words: String...) throws -> String {
      try Command.run(["hit-test", "-c", "gestures.toml"] + words, in: directory.url).output
    }
    #expect(
      try run("200", "200") == """
        home/dial
          at (100, 150) in its coordinates
          asked in this order: home/dial, home, app:dashboard
          recognizers:
            home/dial#open  tap, 2 taps, slop 4.5, after home#pages
            home/dial#menu  long_press, duration_ms 800, beside home#pages and home/dial#open, \
        cancels no touches
            home#pages  pan horizontal, 2 fingers, disabled: takes no part: it is disabled
            screen:panel#back  edge_pan left, to home, priority

        """)
    // Of another screen; and of none.
    #expect(try !run("--screen", "door", "5", "700").contains("recognizers"))
    #expect(try !run("900", "20").contains("recognizers"))
    let json = try run("--json", "700", "400")
    #expect(
      json.hasPrefix(
        """
        {"chain":["home","app:dashboard"],"gestures":[{"after":[],"cancels_touches":true,\
        "delays_began":false,"delays_ended":true,"direction":"horizontal","enabled":false,\
        "kind":"pan","path":"home#pages","priority":false,"simultaneous":[],"slop":10,\
        "takes_no_part":"it is disabled","touches":[2,2]},{"after":[],
        """), "\(json)")
  }

  @Test(
    "It says that a screen's gesture takes no part, where rehearse tells nothing of it (G2, F8)",
    arguments: [
      ("level = 1000", "", "the window lock has the level 1000, above the gesture's 999"),
      ("level = 999", "", nil),
      ("level = 6", "level = 5", "the window lock has the level 6, above the gesture's 5"),
      ("secure = true", "", "lock is secure, and the gesture has not secure = true"),
      ("secure = true", "secure = true", nil),
      ("", "enabled = false", "it is disabled"),
    ])
  func screenGesture(_ window: String, _ gesture: String, _ obstacle: String?) throws {
    try directory.write(
      "lock.toml",
      """
      [screen.panel]
      size = [800, 480]
      [[window]]
      name = "shell"
      [[window]]
      name = "lock"
      \(window)
      [[gesture]]
      screen = "panel"
      name = "poke"
      kind = "tap"
      to = "shell"
      \(gesture)

      """)
    try directory.write("tap.txt", "tap 100 100\n")
    let answer = try Command.run(["hit-test", "-c", "lock.toml", "100", "100"], in: directory.url)
    let line = answer.output.split(separator: "\n").first { $0.contains("#poke") }
    let end = obstacle.map { "takes no part: \($0)" }
    #expect(line.map { end.map($0.hasSuffix) ?? !$0.contains("takes no part") } == true)
    let played = try Command.run(["rehearse", "-c", "lock.toml", "tap.txt"], in: directory.url)
    #expect(played.output.contains("screen:panel#poke") == (obstacle == nil), "\(played.output)")
  }

  @Test("A file of points gives a target a line, - where there is none (H7, T8)")
  func points() throws {
    try directory.write("points.txt", "20 20\n\n  70\t20  \n900 20\n-1 5\n200 200.5\n")
    let answers = "home/toolbar/back\nhome/toolbar\n-\n-\nhome/dial\n"
    #expect(
      try run("--points", "points.txt") == .init(status: 0, output: answers, errors: ""))
    let timed = try run("--points", "points.txt", "--time")
    #expect(timed.output == answers)
    let figures = timed.errors.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(figures.map(\.first) == ["ns/lookup:", "build:"])
    #expect(figures.allSatisfy { (Double($0[1]) ?? -1) >= 0 })
  }

  @Test("A line that is no point is named, and so is a file that can't be read")
  func badPoints() throws {
    for (text, line) in [("1 2\n3\n", 2), ("x y\n", 1), ("1 2 3\n", 1), ("1 nan\n", 1)] {
      try directory.write("points.txt", text)
      let result = try run("--points", "points.txt")
      #expect(result.status == 1)
      #expect(
        result.errors == "touchroute: points.txt:\(line):1: a line must be two numbers, X Y\n")
    }
    let result = try run("--points", "gone.txt")
    #expect(
      result.errors == "touchroute: gone.txt can't be opened: No such file or directory\n")
  }

  @Test("A configuration that is not valid is listed like check does")
  func badConfiguration() throws {
    try directory.write("bad.toml", "[screen.a]\nsize = 3\n")
    let result = try Command.run(["hit-test", "-c", "bad.toml", "1", "1"], in: directory.url)
    #expect(
      result
        == .init(
          status: 1, output: "",
          errors: """
            bad.toml:2:8: screen "a": size needs two numbers (width, height), found 3

            """))
  }
}
