import DaemonSupport
import Exchange
import Foundation
import Routing
import TestSupport
import Testing
import TouchClient

@Suite("Commands that steer")
struct SteerTests {
  @Test("set changes the layout in force, several views at once, and back")
  func set() throws {
    let house = try House()
    let done = try house.start(
      "set", "home/toolbar", "frame=0,10,800,70", "alpha=0.5", "home/dial",
      "transform=rotate:90,scale:2:1,translate:5:0", "bounds_origin=1,2", "order=0",
      "interaction=false", "bell", "hidden=true"
    ).waitForEnd()
    #expect(done == .init(status: 0, output: "", errors: ""))
    let tree = try house.start("tree").waitForEnd().output
    #expect(tree.contains("toolbar@bar  800x70 at (0, 10)"))
    let dial = try #require(tree.range(of: "dial"))
    let toolbar = try #require(tree.range(of: "toolbar"))
    #expect(dial.lowerBound < toolbar.lowerBound)
    #expect(tree.split(separator: "\n").contains { $0.hasPrefix("bell") && $0.contains("hidden") })
    let back = try house.start("set", "--configured", "home/toolbar", "home/dial", "bell")
      .waitForEnd()
    #expect(back == .init(status: 0, output: "", errors: ""))
    #expect(try house.start("tree").waitForEnd().output.contains("800x60 at (0, 0)"))
  }

  @Test("set says what is hit: every property of hit-testing, and back (H3, H4, H5, H6, L6)")
  func setHitTesting() throws {
    let house = try House()
    func answer(_ point: String...) throws -> String {
      try house.start(["tap"] + point).waitForEnd().output
    }
    func set(_ words: String...) throws {
      #expect(
        try house.start(["set"] + words).waitForEnd() == .init(status: 0, output: "", errors: ""))
    }
    let listener = try house.listen("app:dashboard")
    defer { withExtendedLifetime(listener) {} }
    #expect(try answer("20", "20").contains("hit home/toolbar/back:"))
    try set("home/toolbar/back", "outset=-14")
    #expect(try answer("10", "10").contains("hit home/toolbar:"))
    try set("home/toolbar/back", "outset=8,8,8,8", "shape=ellipse")
    #expect(try answer("30", "30").contains("hit home/toolbar/back:"))
    #expect(try answer("1", "1").contains("hit home/toolbar:"))
    try set("home/toolbar/back", "shape=polygon:0:0,44:0,0:44", "outset=0")
    #expect(try answer("10", "10").contains("hit home/toolbar/back:"))
    #expect(try answer("50", "50").contains("hit home/toolbar:"))
    try set("home/toolbar", "hit=self")
    #expect(try answer("10", "10").contains("hit home/toolbar:"))
    try set("home", "hit=redirect:toolbar/back", "home/toolbar", "inside=never", "hit=default")
    #expect(try answer("300", "400").contains("hit home/toolbar/back:"))
    try set("home/toolbar/back", "shape=radius:4", "multiple_touch=false", "exclusive_touch=true")
    try set("home", "secure=true", "level=7", "inside=children:toolbar,dial", "hit=none")
    try set("--configured", "home", "home/toolbar", "home/toolbar/back")
    #expect(try answer("20", "20").contains("hit home/toolbar/back:"))
  }

  @Test(
    "set refuses what no view can be, and says what could be (L6)",
    arguments: [
      ("outset=a", "outset must be a number of points, or TOP,LEFT,BOTTOM,RIGHT, not 'a'"),
      ("outset=1,2", "outset must be a number of points, or TOP,LEFT,BOTTOM,RIGHT, not '1,2'"),
      (
        "shape=round", "shape must be rect, ellipse, radius:POINTS or polygon:X:Y,X:Y,X:Y and so on"
      ),
      ("shape=radius:", "shape must be rect"), ("shape=polygon:1:2,3", "shape must be rect"),
      ("shape=radius:-1", "shape can't be 'radius:-1': the radius -1.0 is not"),
      (
        "shape=polygon:0:0,1:1", "shape can't be 'polygon:0:0,1:1': a polygon has at least 3 points"
      ),
      ("inside=out", "inside must be bounds, always, never, children or children:NAME,NAME"),
      ("inside=children:", "inside must be bounds"), ("inside=children:a,,b", "inside must be"),
      ("hit=me", "hit must be default, self, none, pass_through, redirect:PATH or first:PATH"),
      ("hit=redirect", "hit must be default"), ("hit=redirect:", "hit must be default"),
      ("hit=self:a", "hit must be default"), ("secure=1", "secure must be true or false, not '1'"),
      ("multiple_touch=no", "multiple_touch must be true or false"),
      ("exclusive_touch=", "exclusive_touch must be true or false"),
      ("level=1.5", "level must be a whole number from -1000000 to 1000000, not '1.5'"),
      ("level=1000001", "level must be a whole number from -1000000 to 1000000"),
      ("colour=red", "there is no property 'colour': hidden, alpha, interaction, frame, "),
    ])
  func wrongValues(_ word: String, _ words: String) throws {
    let house = try House()
    let result = try house.start("set", "home", word).waitForEnd()
    #expect(result.status != 0)
    #expect(result.errors.contains(words), "\(result.errors)")
  }

  @Test("tree lists the gestures in force, who has added them, and which are disabled (G1, G2)")
  func gestures() throws {
    let house = try House(
      panelWithPages + """
        [[gesture]]
        screen = "door"
        name = "up"
        kind = "edge_pan"
        edge = "bottom"
        to = "home"

        """)
    let program = try DaemonClient(house.clientSocket, name: "nav")
    let toolbar = try program.connection.attach(to: "home/toolbar", options: .gestures)
    _ = try program.next(meanwhile: house.turnOnce, \.geometry)
    var twice = GestureRecognizer.tap("twice", taps: 2)
    twice.touches = 2...2
    try program.connection.addGesture(twice, to: toolbar)
    _ = try program.next(meanwhile: house.turnOnce, \.completion)
    let set = try house.start(
      "set", "home#pages", "enabled=false", "screen:door#up", "enabled=false")
    #expect(try set.waitForEnd() == .init(status: 0, output: "", errors: ""))
    let lines = try house.start("tree").waitForEnd().output.split(separator: "\n")
    func line(_ start: String) -> Substring { lines.first { $0.contains(start) } ?? "" }
    #expect(line("screen door").hasSuffix("  #up edge_pan bottom, to home, disabled"))
    #expect(line("home  800x480").hasSuffix("  #pages pan horizontal, disabled"))
    let who = "added by pid \(ProcessInfo.processInfo.processIdentifier) (nav)"
    #expect(line("toolbar@bar").hasSuffix("  #twice tap, 2 fingers, 2 taps, \(who)"))
    let json = try house.start("tree", "--json").waitForEnd().output
    let report = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary
    let gestures = try #require(report?["gestures"] as? [NSDictionary])
    #expect(
      gestures.map { $0["path"] as? String } == [
        "home#pages", "home/toolbar#twice", "screen:door#up",
      ])
    #expect(gestures.map { $0["enabled"] as? Bool } == [false, true, false])
    #expect((gestures[1]["added_by"] as? NSDictionary)?["name"] as? String == "nav")
    let wrong = try house.start("set", "home#page", "enabled=true").waitForEnd()
    #expect(
      wrong.errors == "touchroute: set: change 1, enabled of \"home#page\": there is no gesture "
        + "\"home#page\"; the nearest is \"home#pages\"\n")
  }

  @Test("set says which of what it was to set is not possible, and sets nothing")
  func setRefused() throws {
    let house = try House()
    let result = try house.start("set", "bell", "alpha=0.5", "home/diall", "alpha=0.5").waitForEnd()
    #expect(result.status == 1)
    #expect(
      result.errors == "touchroute: set: change 2, alpha of \"home/diall\": no window or view is "
        + "named \"home/diall\"; the nearest is \"home/dial\"\n")
    let other = try house.start("set", "--socket", house.clientSocket, "bell", "alpha=0.5")
      .waitForEnd()
    #expect(other.status == 1)
    #expect(other.errors.contains("this client holds neither that nor what it lies in"))
  }

  @Test("tap and swipe are fingers, as many and as often as they are told")
  func fingers() throws {
    let house = try House()
    let listener = try house.listen("home", "bell", lines: 2)
    let tap = try house.start("tap", "300", "400", "--count", "2", "--hold", "1").waitForEnd()
    let holder = "pid \(listener.pid) (touchroute) gets it"
    #expect(
      tap
        == .init(
          status: 0,
          output: """
            touch 1 at (300, 400) on panel hit home: \(holder)
            touch 2 at (300, 400) on panel hit home: \(holder)

            """, errors: ""))
    let taps = try listener.waitForLines(6)[2...]
    #expect(taps.map { $0.contains("began") } == [true, false, true, false])
    #expect(taps.allSatisfy { $0.contains("injected") })
    let swipe = try house.start(
      "swipe", "100", "100", "100", "300", "--duration", "50", "--fingers", "3", "--screen", "door"
    ).waitForEnd()
    #expect(
      swipe
        == .init(
          status: 0,
          output: """
            touch 3 at (160, 100) on door hit bell: \(holder)
            touch 4 at (100, 100) on door hit bell: \(holder)
            touch 5 at (40, 100) on door hit bell: \(holder)

            """, errors: ""))
    // Three fingers begin, go six steps, and end.
    try house.turn({ listener.output }) {
      listener.poll()
      return listener.lines.count { $0.contains("ended") } == 5
    }
    #expect(listener.lines.count { $0.contains("began") } == 5)
    #expect(listener.lines.count { $0.contains("moved") } == 18)
    #expect(house.exchange.pipeline.router.liveTouchCount == 0)
  }

  @Test("what nobody got is said with its reason, and the exit status is 2 (R4, T8, H7)")
  func missed() throws {
    let house = try House(panel + "[[window]]\nname = \"end\"\nframe = [0, 0, 9, 9]\n")
    func tap(_ words: String...) throws -> Command.Result {
      try house.start("tap", words[0], words[1], "--hold", "0").waitForEnd()
    }
    #expect(
      try tap("900", "20")
        == .init(
          status: 2,
          output:
            "touch 1 at (900, 20) on panel: no program gets it: it began outside of the screen\n",
          errors: ""))
    #expect(
      try house.start("swipe", "-5", "-1", "-5.5", "20", "--duration", "0").waitForEnd().output
        == "touch 2 at (-5, -1) on panel: no program gets it: it began outside of the screen\n")
    #expect(
      try tap("20", "20").output
        == "touch 3 at (20, 20) on panel hit home/toolbar/back: no program gets it: no program "
        + "holds home/toolbar/back, home/toolbar, home/toolbar@bar, home, app:dashboard\n")
    let listener = try house.listen("home", "--handles", "ended")
    #expect(
      try tap("200", "200").output
        == "touch 4 at (200, 200) on panel hit home/dial: no program gets it: home: pid "
        + "\(listener.pid) (touchroute) handles ended alone\n")
    let upper = try house.listen("home/toolbar", "--handles", "began,moved")
    #expect(
      try tap("20", "20")
        == .init(
          status: 0,
          output: "touch 5 at (20, 20) on panel hit home/toolbar/back: pid \(upper.pid) "
            + "(touchroute) gets began, moved of it at home/toolbar; pid \(listener.pid) "
            + "(touchroute) gets ended of it at home\n", errors: ""))
    // One of several that nobody got is enough.
    let swipe = try house.start(
      "swipe", "200", "500", "300", "500", "--fingers", "3", "--duration", "0"
    ).waitForEnd()
    #expect(swipe.status == 2)
    #expect(swipe.output.split(separator: "\n").count == 3)
  }

  @Test("of a touch whose program goes it is said that the rest is for nobody (R7)")
  func orphaned() throws {
    let house = try House()
    var program: DaemonClient? = try house.client(attachedTo: "home")
    let finger = try house.start("swipe", "300", "400", "600", "400", "--duration", "600000")
    _ = try finger.waitForLines(1)
    #expect(program != nil)
    program = nil
    #expect(
      try finger.waitForLines(2)[1] == "touch 1 goes to no program any more: its program is gone")
    _ = try finger.interrupt()
    #expect(finger.lines.count == 2)
  }

  @Test("others' touches are not told, and a finger goes on though nobody reads what became of it")
  func ownTouches() throws {
    let house = try House()
    let listener = try house.listen("home")
    defer { withExtendedLifetime(listener) {} }
    let held = try house.start("tap", "200", "200", "--hold", "600000")
    _ = try held.waitForLines(1)
    try held.closeOutput()
    house.finger(.down(300, 300))
    let other = try house.start("tap", "400", "400", "--hold", "0").waitForEnd()
    #expect(other.output.split(separator: "\n").count == 1)
    _ = try house.start("cancel").waitForEnd()
    #expect(house.exchange.injection.deviceCount == 1)
    _ = try held.interrupt()
  }

  @Test("Ctrl-C ends what waits as of that signal, and lifts the fingers half-way (T7)")
  func interrupted() throws {
    let house = try House()
    let listener = try house.listen("home")
    let monitor = try house.start("monitor")
    try house.turn { house.isObserved }
    let swipe = try house.start("swipe", "300", "200", "600", "200", "--duration", "600000")
    try house.turn({ listener.output }) {
      listener.poll()
      return listener.lines.contains { $0.contains("moved") }
    }
    #expect(house.exchange.pipeline.router.liveTouchCount == 1)
    #expect(try swipe.interrupt() == SIGINT)
    #expect(swipe.output.hasPrefix("touch 1 at (300, 200) on panel hit home: "))
    try house.turn({ listener.output }) {
      listener.poll()
      return listener.lines.contains { $0.contains("because device removed") }
    }
    #expect(
      house.exchange.pipeline.router.liveTouchCount == 0
        && house.exchange.injection.deviceCount == 0)
    #expect(try listener.interrupt() == SIGINT)
    #expect(try monitor.interrupt() == SIGINT)
  }

  @Test("inject plays a file, and names the line that is wrong")
  func inject() throws {
    let house = try House()
    let listener = try house.listen("home", "bell", lines: 2)
    try house.directory.write(
      "good",
      """
      began 0 300 400   # a finger
      began 1 310 400
      frame

      wait 5
      moved 0 301 400
      cancelled 1
      frame
      ended 0
      frame
      screen door
      began 9 5 5
      frame
      """)
    let file = house.directory.url.path + "/good"
    let played = try house.start("inject", file).waitForEnd()
    #expect(played.status == 0 && played.errors == "")
    #expect(
      played.output.split(separator: "\n").map { $0.prefix { $0 != ":" } } == [
        "touch 1 at (300, 400) on panel hit home", "touch 2 at (310, 400) on panel hit home",
        "touch 2 was cancelled", "touch 3 at (5, 5) on door hit bell",
      ])
    let lines = try listener.waitForLines(9)[2...]
    for (line, word) in zip(
      lines, ["began", "began", "cancelled", "moved", "ended", "began", "cancelled"])
    {
      #expect(line.contains(word), "\(line)")
    }
    for (text, words) in [
      ("began 0 1\n", "1:1: it must be began SLOT X Y"),
      ("\nbegan a 1 2\n", "2:7: it must be began SLOT X Y"),
      ("began 0 nan 2\n", "1:9: it must be began SLOT X Y"),
      (
        "push 0\n",
        "1:1: \"push\" is none of began, cancelled, ended, frame, moved, press, screen, swipe, "
          + "tap, wait"
      ),
      ("frame\n", "1:1: a frame needs a contact"),
      ("began 0 1 2\nwait 5\n", "2:1: the contacts before it need a line \"frame\""),
      ("began 0 1 2\n", "1:1: the last contacts need a line \"frame\""),
      ("wait -1\n", "1:6: it must be wait MILLISECONDS"),
      ("#\n\nended 0\nframe\n", "4:1: inject: slot 0 is not down, and so can't be ended"),
      ("screen attic\n", "1:8: there is no screen \"attic\"; the layout has panel, door"),
      ("#\nframe \u{1b}[2J\n", "2:1: the line is no text"),
      ("#" + String(repeating: "x", count: 1000), "1:1001: the line is longer than 1000 bytes"),
    ] {
      try house.directory.write("bad", text)
      let path = house.directory.url.path + "/bad"
      let result = try house.start("inject", path).waitForEnd()
      #expect(result == .init(status: 1, output: "", errors: "touchroute: \(path):\(words)\n"))
    }
    for (file, words) in [("/dev/zero", "1:1001: the line is longer than 1000 bytes")] {
      let result = try house.start("inject", file).waitForEnd()
      #expect(result == .init(status: 1, output: "", errors: "touchroute: \(file):\(words)\n"))
    }
    let none = try house.start("inject", "/nowhere").waitForEnd()
    #expect(none.errors == "touchroute: /nowhere can't be opened: No such file or directory\n")
  }

  @Test("cancel says how many touches it has ended")
  func cancel() throws {
    let house = try House()
    let listener = try house.listen("home")
    house.finger(.down(300, 400))
    let all = try house.start("cancel").waitForEnd()
    #expect(all == .init(status: 0, output: "1 touch cancelled\n", errors: ""))
    #expect(try listener.waitForLines(3)[2].contains("requested"))
    let none = try house.start("cancel", "77").waitForEnd()
    #expect(
      none
        == .init(
          status: 1, output: "",
          errors: "touchroute: cancel: no program has touch 77, it may be over; "
            + "`touchroute monitor` shows the numbers of touches\n"))
    let other = try house.start("cancel", "--socket", house.clientSocket).waitForEnd()
    #expect(other.status == 1 && other.errors.contains("control socket"))
  }
}
