import Foundation
import TestSupport
import Testing

/// What a script of touches would come to, without a daemon. Rules G1 to G13.
@Suite("touchroute rehearse")
struct RehearseTests {
  /// A pager over a list, whose rows know single and double taps.
  private static let pager = """
    [screen.panel]
    size = [800, 480]
    [[window]]
    name = "home"
    [[view]]
    path = "home/list"
    frame = [0, 40, 800, 400]
    [[gesture]]
    view = "home"
    name = "pages"
    kind = "pan"
    direction = "horizontal"
    [[gesture]]
    view = "home/list"
    name = "scroll"
    kind = "pan"
    direction = "vertical"
    [[gesture]]
    view = "home/list"
    name = "tap"
    kind = "tap"
    after = ["home/list#double"]
    [[gesture]]
    view = "home/list"
    name = "double"
    kind = "tap"
    taps = 2

    """

  private func rehearse(
    _ script: String, _ options: [String] = [], configuration: String = pager
  ) throws -> Command.Result {
    let directory = try TemporaryDirectory()
    try directory.write("home.toml", configuration)
    try directory.write("script.txt", script)
    return try Command.run(
      ["rehearse", "--config", "home.toml"] + options + ["script.txt"], in: directory.url)
  }

  /// The lines of a script that must be good.
  private func lines(
    _ script: String, _ options: [String] = [], configuration: String = pager
  ) throws -> [String] {
    let result = try rehearse(script, options, configuration: configuration)
    #expect(result.status == 0 && result.errors == "", "\(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test("what would click is told, as who listens hears it (D10, D12)")
  func feedback() throws {
    let configuration =
      Self.pager
      .replacing("name = \"home\"\n", with: "name = \"home\"\nfeedback = \"click\"\n")
      .replacing("taps = 2", with: "taps = 2\nfeedback = \"tock\"") + """
        [[window]]
        name = "pin"
        frame = [700, 0, 100, 40]
        secure = true
        feedback = "beep"

        """
    let lines = try lines(
      "tap 100 100\nwait 60\ntap 100 100\ntap 750 20\n", configuration: configuration)
    #expect(
      lines.filter { $0.contains("feedback") } == [
        "0 ms  panel  feedback click  on home/list", "110 ms  panel  feedback click  on home/list",
        "160 ms  panel  feedback tock  on home/list#double",
        "160 ms  panel  feedback beep  on a secure view",
      ])
    let json = try self.lines("tap 750 20\n", ["--json"], configuration: configuration)
    #expect(
      json.contains { line in
        ["\"event\":\"feedback\"", "\"feedback\":\"beep\"", "\"screen\":\"panel\"", "\"at_ms\":0"]
          .allSatisfy(line.contains) && !line.contains("pin")
      }, "\(json)")
    // Beside the program, nobody holds what is hit.
    let quiet = try rehearse(
      "tap 100 100\n", ["--program", "pin"], configuration: configuration)
    #expect(!quiet.output.contains("feedback"), "\(quiet)")
  }

  /// Once a trap of the daemon's: a client that guessed the touch's id took every touch with it.
  @Test("to accept a touch that is held back does nothing (G11)")
  func acceptedTooEarly() throws {
    let configuration = """
      [screen.panel]
      size = [800, 480]
      [[window]]
      name = "home"
      [[gesture]]
      view = "home"
      name = "tap"
      kind = "tap"
      delays_began = true

      """
    let script = """
      began 0 100 100
      frame
      accept home 0
      moved 0 101 100
      began 1 300 200
      frame
      """
    let lines = try lines(script, configuration: configuration)
    #expect(lines.count { $0.contains("replayed") } == 1, "\(lines)")
    #expect(lines.count { $0.contains("failed") } == 1, "\(lines)")
  }

  @Test(
    "a pager takes a finger from the list that had it, and the list says why it failed (G6, G9)")
  func pagerOverList() throws {
    let script = """
      began 0 100 100
      frame
      wait 20
      moved 0 112 100  # Across the list.
      frame
      wait 20
      ended 0
      frame

      """
    #expect(
      try lines(script, ["--program", "home", "--program", "home/list"]) == [
        "0 ms  home/list  touch 1  began  on home/list  at 100, 60",
        "20 ms  home/list#scroll  failed  (moved 12 points across, slop is 10)",
        "20 ms  home/list  touch 1  cancelled  on home/list  (gesture)  at 112, 60",
        "20 ms  home  home#pages  began  at 112, 100  moved 12, 0",
        "20 ms  home/list#double  failed  (home#pages recognized)",
        "20 ms  home/list#tap  failed  (home#pages recognized)",
        "40 ms  home  home#pages  ended  at 112, 100  moved 12, 0",
      ])
  }

  @Test(
    "a tap waits for the second one of a double tap, in a time in which nothing waits (G7, G10)")
  func tapAfterDoubleTap() throws {
    let tap = "began 0 100 100\nframe\nwait 30\nended 0\nframe\n"
    let single = try lines(tap, ["--program", "home/list"])
    #expect(single.last == "380 ms  home/list  home/list#tap  recognized  at 100, 60")
    #expect(single.contains { $0.hasPrefix("380 ms  home/list  touch 1  cancelled") })
    let double = try lines(tap + "wait 100\n" + tap, ["--program", "home/list"])
    #expect(double.contains("160 ms  home/list  home/list#double  recognized  at 100, 60"))
    #expect(double.last == "160 ms  home/list#tap  failed  (home/list#double recognized)")
  }

  @Test("a program that accepts beats its superview's gesture, and scripts say so (G8)")
  func accept() throws {
    let script = """
      began 3 100 100
      frame
      accept home/list 3
      moved 3 150 100
      frame
      ended 3
      frame

      """
    let found = try lines(script)
    #expect(found.contains("0 ms  home#pages  failed  (its touch was accepted)"))
    #expect(found.filter { $0.contains("  touch 1  ") }.count == 3)
    #expect(!found.contains { $0.contains("began  at") || $0.contains("cancelled") })
  }

  @Test("what nobody would get takes no part, and fingers left down are cancelled (G2, G12, G13)")
  func nobodyThere() throws {
    let script = "began 0 100 100\nframe\nwait 10\nmoved 0 160 100\nframe\n"
    let row = try lines(script, ["--program", "home@x"], configuration: Self.controlled)
    #expect(
      row == [
        "0 ms  home@x  touch 1  began  on home  at 100, 100",
        "10 ms  home@x  touch 1  cancelled  on home  (gesture)  at 160, 100",
        "10 ms  home@x  home#pages  began  at 160, 100  moved 60, 0",
        "10 ms  home@x  home#pages  cancelled  (requested)  at 160, 100  moved 60, 0",
      ])
    let nothing = try rehearse(script, ["--program", "bar"], configuration: Self.controlled)
    #expect(nothing.status == 0 && nothing.output == "")
    #expect(nothing.errors == "touchroute: no program would get anything of these touches\n")
  }

  private static let controlled = """
    [screen.panel]
    size = [800, 480]
    [[window]]
    name = "home"
    controller = "x"
    [[window]]
    name = "bar"
    frame = [0, 0, 10, 10]
    [[gesture]]
    view = "home"
    name = "pages"
    kind = "pan"

    """

  @Test(
    "--json prints an object for each event, with its own time where that is another (G10, G16)")
  func json() throws {
    let script =
      "began 0 100 100\nframe\nwait 100\nended 0\nframe\nwait 300\nbegan 0 500 100\nframe\n"
    let found = try lines(
      script, ["--json", "--program", "home/list"],
      configuration: Self.pager.replacing("after = [\"home/list#double\"]", with: "enabled = false")
    )
    #expect(
      found.first
        == #"{"at_ms":0,"event":"touch","phase":"began","program":"home/list","replayed":false,"#
        + #""slot":0,"taps":1,"target":"home/list","touch":1,"x":100,"y":60}"#)
    let ended = try #require(found.first { $0.contains(#""phase":"ended""#) })
    #expect(ended.hasPrefix(#"{"at_ms":400,"event":"touch","phase":"ended""#))
    #expect(ended.contains(#""time_ms":100"#))
  }

  @Test(
    "a script or a program that is wrong is refused at its line, and nothing is printed",
    arguments: [
      (
        "began 0 1 1\nframe\nwait 1\nended 1\nframe\n",
        "script.txt:5:1: slot 1 is not down, and so can't be ended"
      ),
      ("accept home 0\n", "script.txt:1:13: slot 0 has had no touch"),
      (
        "began 0 1 1\nframe\ndecline hom 0\n",
        "script.txt:3:9: there is no responder \"hom\"; did you mean \"home\"?"
      ),
      ("accept home\n", "script.txt:1:1: it must be accept PATH SLOT"),
      ("  began 0 1 one\n", "script.txt:1:13: it must be began SLOT X Y"),
      ("frame 1\n", "script.txt:1:7: it must be frame"),
      ("screen door\n", "script.txt:1:8: there is no screen \"door\"; the layout has panel"),
    ])
  func refused(_ script: String, _ message: String) throws {
    let result = try rehearse(script)
    #expect(result.status == 1 && result.output == "")
    #expect(result.errors == "touchroute: \(message)\n")
  }

  @Test("a configuration that is wrong is refused as check refuses it, and so is a program's path")
  func wrongConfiguration() throws {
    let wrong = try rehearse(
      "", configuration: Self.pager + "[[gesture]]\nview = \"hom\"\nname = \"a\"\nkind = \"pan\"\n")
    #expect(wrong.status == 1 && wrong.output == "")
    #expect(
      wrong.errors
        == "home.toml:29:8: gesture \"hom#a\": there is no view \"hom\"; did you mean \"home\"?\n")
    let nobody = try rehearse("", ["--program", "nav"])
    #expect(nobody.status == 1 && nobody.errors.hasPrefix("touchroute: --program: "))
  }

  /// A panel that bounces, over the right half of the screen.
  private static let bouncing =
    pager + """
      [[device]]
      match = { name = "Bad Panel*" }
      region = [400, 0, 400, 480]
      bridge_ms = 25
      min_contact_ms = 15
      dead_zones = [[700, 0, 100, 100]]

      """

  private static let bounce = """
    began 0 500 30
    frame
    wait 5
    ended 0
    frame
    wait 200
    began 1 750 50
    frame
    wait 50
    ended 1
    frame
    wait 200
    began 3 500 30
    frame
    wait 30
    ended 3
    frame
    wait 10
    began 4 502 30
    frame
    wait 40
    ended 4
    frame

    """

  @Test("touches play through a touchscreen's filters, which say what they did (N1)")
  func filters() throws {
    let lines = try lines(
      Self.bounce, ["--device", "Bad Panel 7", "--program", "home"],
      configuration: Self.bouncing)
    let touches = lines.filter { !$0.contains("home#") }
    #expect(
      touches == [
        "30 ms  filter: short  at 500, 30", "205 ms  filter: dead_zone  at 750, 50",
        "470 ms  home  touch 1  began  on home  at 500, 30",
        "495 ms  filter: bridged  at 502, 30",
        "495 ms  home  touch 1  moved  on home  at 502, 30",
        "560 ms  home  touch 1  ended  on home  at 502, 30",
      ])
  }

  @Test("without a touchscreen's name nothing is filtered, and a name that no rule has is refused")
  func unknownPanel() throws {
    let raw = try lines(
      Self.bounce, ["--program", "home"], configuration: Self.bouncing)
    #expect(raw.count { $0.contains("began") && $0.contains("touch") } == 4)
    let refused = try rehearse(
      Self.bounce, ["--device", "0416:038f"], configuration: Self.pager)
    #expect(refused.status == 1)
    #expect(
      refused.errors == "touchroute: --device: no [[device]] matches \"0416:038f\" by its name "
        + "or id, so it has no filters\n")
  }

  // MARK: - Screens that go dark, and locks

  private static let alarm = """
    [screen.panel]
    size = [800, 480]
    wake_timeout_ms = 2000
    [[window]]
    name = "home"
    [[view]]
    path = "home/emergency"
    frame = [0, 0, 100, 100]
    [[window]]
    name = "strip"
    frame = [0, 400, 800, 80]
    always_on = true
    [limits]
    lock_seconds = 60

    """

  @Test("a touch wakes a dark screen, and none goes to a program until the guard is over (D3)")
  func dark() throws {
    let script = """
      began 5 400 200
      frame
      dark panel
      wait 50
      tap 400 200
      tap 400 440      # On the window that is always on.
      on panel
      tap 400 200
      wait 200
      tap 400 200

      """
    #expect(
      try lines(script, ["--program", "home", "--program", "strip"], configuration: Self.alarm) == [
        "0 ms  home  touch 1  began  on home  at 400, 200",
        "0 ms  home  touch 1  cancelled  on home  (dark)  at 400, 200",
        "0 ms  panel  dark  (requested)",
        "50 ms  panel  waking  (woken)",
        "100 ms  strip  touch 3  began  on strip  at 400, 40",
        "150 ms  strip  touch 3  ended  on strip  at 400, 40",
        "150 ms  panel  on  (requested)",
        "400 ms  home  touch 5  began  on home  at 400, 200",
        "450 ms  home  touch 5  ended  on home  at 400, 200",
      ])
  }

  @Test("a blanker that does not answer is waited for until its time is over (D4)")
  func silentBlanker() throws {
    let found = try lines(
      "dark panel\nwait 10\ntap 9 9\nwait 5000\ntap 9 9\n", ["--program", "home", "--json"],
      configuration: Self.alarm)
    #expect(
      found.prefix(3) == [
        #"{"at_ms":0,"cause":"requested","event":"screen","screen":"panel","state":"dark"}"#,
        #"{"at_ms":10,"cause":"woken","event":"screen","screen":"panel","state":"waking"}"#,
        #"{"at_ms":2010,"cause":"timed_out","event":"screen","screen":"panel","state":"on"}"#,
      ])
    #expect(found.count == 5, "\(found)")
  }

  @Test("a lock keeps touches out, but for its exceptions, until fingers or its time end it (D9)")
  func lock() throws {
    let script = """
      lock for 30s except home/emergency unlock hold-corners
      tap 400 200
      tap 50 50
      began 0 790 10
      began 1 790 470
      frame
      wait 3010
      ended 0
      ended 1
      frame
      lock for 1
      wait 400
      unlock
      lock for 1.5
      tap 400 200

      """
    #expect(
      try lines(script, ["--program", "home"], configuration: Self.alarm) == [
        "0 ms  panel  locked  for 30000 ms  (requested)",
        "50 ms  home  touch 2  began  on home/emergency  at 50, 50",
        "100 ms  home  touch 2  ended  on home/emergency  at 50, 50",
        "3100 ms  panel  unlocked  (exit)",
        "3110 ms  panel  locked  for 1000 ms  (requested)",
        "3510 ms  panel  unlocked  (requested)",
        "3510 ms  panel  locked  for 1500 ms  (requested)",
        "5010 ms  panel  unlocked  (time_is_over)",
      ])
  }

  @Test(
    "what can't be said of screens is refused with its line and word (D2, D9)",
    arguments: [
      ("dark pannel", "1:6: there is no screen \"pannel\"; the layout has panel"),
      ("dark", "1:1: it must be dark NAME"), ("unlock panel", "1:8: it must be unlock"),
      ("unlock", "1:1: screen \"panel\" is not locked"),
      (
        "lock 30",
        "1:6: it must be lock for SECONDS [except PATH]... [unlock hold-corners]... "
          + "[unlock taps]..."
      ),
      ("lock for 0.5", "1:10: it must be a number of seconds from 1 to 86400"),
      ("lock for nan", "1:10: it must be a number of seconds from 1 to 86400"),
      ("lock for 61", "1:10: a lock lasts at most 60 s (limits.lock_seconds)"),
      (
        "lock for 9 unlock taps except home/emergenzy",
        "1:31: there is no view \"home/emergenzy\"; did you mean \"home/emergency\"?"
      ),
      ("lock for 9 unlock corners", "1:19: \"corners\" is none of hold-corners, taps"),
      (
        "dark panel\nwait 400\non panel\ndark panel",
        "4:1: screen \"panel\" was made dark 400 ms before: touchrouted refuses that within 1000 ms"
      ),
      ("began 0 1 1\ndark panel", "2:1: the contacts before it need a line \"frame\""),
    ])
  func refusedScreens(_ script: String, _ problem: String) throws {
    let result = try rehearse(script + "\n", configuration: Self.alarm)
    #expect(result.status == 1 && result.output == "", "\(result)")
    #expect(result.errors == "touchroute: script.txt:\(problem)\n")
  }
}
