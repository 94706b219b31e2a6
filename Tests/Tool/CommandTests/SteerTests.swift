import DaemonSupport
import Exchange
import Foundation
import Routing
import TestSupport
import Testing
import TouchClient

@Suite("Commands that steer")
struct SteerTests {
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

  @Test("inject plays a file")
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
  }

  @Test("cancel says how many touches it has ended")
  func cancel() throws {
    let house = try House()
    let listener = try house.listen("home")
    house.finger(.down(300, 400))
    let all = try house.start("cancel").waitForEnd()
    #expect(all == .init(status: 0, output: "1 touch cancelled\n", errors: ""))
    #expect(try listener.waitForLines(3)[2].contains("requested"))
  }
}
