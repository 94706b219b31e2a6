import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel

@Suite("Commands of the control socket")
struct ControlTests {
  @Test("monitor tells where each touch went, and what became of it at each responder (R4)")
  func monitor() throws {
    let house = try House()
    let listener = try house.listen("home")
    let monitor = try house.start("monitor")
    try house.turn { house.isObserved }
    house.finger(.down(20, 20), .move(21, 20), .up, .down(900, 20), .up)
    #expect(
      try monitor.waitForLines(8).prefix(8) == [
        "5.008  Goodix  touch 1  began  (20, 20)  home/toolbar/back",
        "    home/toolbar/back: no program holds it",
        "    home/toolbar: no program holds it",
        "    home/toolbar@bar: no program holds it",
        "    home: pid \(listener.pid) (touchroute) gets began, moved, ended, cancelled",
        "5.024  Goodix  touch 1  ended  (21, 20)  home/toolbar/back",
        "5.032  Goodix  touch 2  began  (900, 20)  for no program: it began outside of the screen",
        "5.040  Goodix  touch 2  ended  (900, 20)  for no program: it began outside of the screen",
      ])
  }

  @Test("monitor names a program that came after it with its first touch already")
  func newcomer() throws {
    let house = try House()
    let monitor = try house.start("monitor")
    try house.turn { house.isObserved }
    let listener = try house.listen("home/dial")
    house.finger(.down(200, 200), .up)
    #expect(
      try monitor.waitForLines(3) == [
        "5.008  Goodix  touch 1  began  (200, 200)  home/dial",
        "    home/dial: pid \(listener.pid) (touchroute) gets began, moved, ended, cancelled",
        "5.016  Goodix  touch 1  ended  (200, 200)  home/dial",
      ])
  }

  @Test("monitor says of a touch that is over that the rest of it is for nobody (R9)")
  func over() throws {
    let house = try House()
    let listener = try house.listen("home")
    defer { withExtendedLifetime(listener) {} }
    let monitor = try house.start("monitor")
    try house.turn { house.isObserved }
    house.finger(.down(20, 470))
    _ = try house.start("cancel").waitForEnd()
    house.finger(.up)
    let lines = try monitor.waitForLines(4)
    #expect(lines[2].hasSuffix("  touch 1  cancelled  (20, 470)  home  because requested"))
    #expect(
      lines[3].hasSuffix(
        "  touch 1  ended  (20, 470)  home  for no program: it was cancelled before, or its "
          + "program is gone"))
    house.finger(.down(20, 470))
    house.lose()
    #expect(try monitor.waitForLines(7)[6].hasSuffix("  home  because device removed"))
  }

  @Test("monitor says once that a touch is injected, and --why of one that it was declined (R5)")
  func injected() throws {
    let house = try House()
    let program = try house.client(attachedTo: "home/dial")
    let monitor = try house.start("monitor")
    try house.turn { house.isObserved }
    let first = try declined(by: program, in: house)
    let lines = try monitor.waitForLines(4)
    #expect(lines[0].hasSuffix("  injected  touch 1  began  (200, 200)  home/dial"))
    #expect(
      lines[2].hasSuffix(
        "  injected  touch 1  began  (200, 200)  home/dial  for no program: every program that "
          + "got it has declined  replayed"))
    _ = try (first.interrupt(), monitor.interrupt())
    try house.turn { !house.isObserved }
    let why = try house.start("monitor", "--why")
    try house.turn { house.isObserved }
    let second = try declined(by: program, in: house)
    let explained = try why.waitForLines(7)
    #expect(explained[0].hasSuffix("  injected  touch 2 began at (200, 200) on panel"))
    #expect(explained[3].hasSuffix("  injected  touch 2 was declined"))
    #expect(
      try second.waitForLines(2) == [
        "touch 2 at (200, 200) on panel hit home/dial: pid \(getpid()) (test) gets it",
        "touch 2 was declined: no program gets it: every program that got it has declined",
      ])
    _ = try second.interrupt()
  }

  /// A tap that stays, once the program that got it has declined it.
  private func declined(by program: DaemonClient, in house: House) throws -> RunningCommand {
    let finger = try house.start("tap", "200", "200", "--hold", "600000")
    let touch = try #require(
      try program.next(meanwhile: house.turnOnce) { $0.frame?.touches.first { $0.phase == .began } }
    )
    try program.connection.decline(touch.id, for: touch.attachment)
    return finger
  }

  @Test("monitor --json is a line for each frame, moves included where they are wanted")
  func monitorJSON() throws {
    let house = try House()
    let monitor = try house.start("monitor", "--json", "--moves")
    try house.turn { house.isObserved }
    house.finger(.down(20, 470), .move(21, 470))
    let lines = try monitor.waitForLines(2)
    #expect(
      lines[0] == """
        {"device":1,"device_name":"Goodix","sequence":1,"time_us":5008000,"touches":[{\
        "chain":[{"outcome":"no_client","path":"home","phases":[]},\
        {"outcome":"no_client","path":"app:dashboard","phases":[]}],\
        "discard_reason":"unhandled","flags":[],"id":1,"phase":"began",\
        "screen_location":[20,470],"tap_count":1,"target":"home"}]}
        """)
    #expect(lines[1].contains("\"phase\":\"moved\""))
  }

  @Test("monitor --why explains each touch that begins, and why nobody gets it (R4, R5)")
  func why() throws {
    let house = try House()
    let listener = try house.listen("home", "--handles", "ended")
    let dial = try house.listen("home/dial")
    let monitor = try house.start("monitor", "--why")
    try house.turn { house.isObserved }
    house.finger(.down(200, 200), .move(201, 200), .up, .down(20, 20), .up, .down(900, 20), .up)
    #expect(
      try monitor.waitForLines(13) == [
        "5.008  Goodix  touch 1 began at (200, 200) on panel", "    hit: home > dial",
        "    home/dial: pid \(dial.pid) (touchroute) gets began, moved, ended, cancelled",
        "5.032  Goodix  touch 2 began at (20, 20) on panel", "    hit: home > toolbar > back",
        "    home/toolbar/back: no program holds it", "    home/toolbar: no program holds it",
        "    home/toolbar@bar: no program holds it",
        "    home: pid \(listener.pid) (touchroute) handles ended alone",
        "    app:dashboard: no program holds it",
        "    no program gets it: home: pid \(listener.pid) (touchroute) handles ended alone",
        "5.048  Goodix  touch 3 began at (900, 20) on panel",
        "    no program gets it: it began outside of the screen",
      ])
  }

  @Test("monitor --why says who takes part and who won, and why others failed (G3, G5, G6, F7)")
  func gestures() throws {
    let house = try House(Self.gestures)
    let listener = try house.listen("--gestures", "home")
    let monitor = try house.start("monitor", "--why")
    try house.turn { house.isObserved }
    house.finger(.down(200, 300), .move(200, 325), .up)
    #expect(
      try monitor.waitForLines(13)[3...] == [
        "5.008  touch 1  home#pages takes part", "5.008  touch 1  home#all takes part",
        "5.008  touch 1  home#tap takes part",
        "5.016  touch 1  home#pages failed: moved 25 points across, slop is 10",
        "5.016  touch 1  home#tap failed: moved 25 points, slop is 18",
        "5.016  touch 1  home#all has begun: pid \(listener.pid) (touchroute) is told",
        "5.024  touch 1  home#all has ended", "5.024  home#pages is possible again",
        "5.024  home#all is possible again", "5.024  home#tap is possible again",
      ])
  }

  @Test("of a touch in a secure view observers get no distance, of recognizers in it nothing (F7)")
  func secretGestures() throws {
    let house = try House(
      Self.gestures + """
        [[view]]
        path = "home/pin"
        frame = [0, 400, 80, 80]
        secure = true
        [[view]]
        path = "home/pin/key"
        frame = [0, 0, 40, 40]
        [[gesture]]
        view = "home/pin/key"
        name = "press"
        kind = "tap"

        """)
    let listener = try house.listen("--gestures", "home")
    defer { withExtendedLifetime(listener) {} }
    let monitor = try house.start("monitor", "--json")
    try house.turn { house.isObserved }
    house.finger(.down(20, 420), .up)
    try house.turn({ monitor.output }) {
      monitor.poll()
      return monitor.lines.count { $0.contains("\"gesture\":") } == 9
    }
    let told = monitor.lines.filter { $0.contains("\"gesture\":") }
    #expect(told.allSatisfy { !$0.contains("home/pin") }, "\(told)")
    #expect(told.contains { $0.contains("\"reason\":\"a gesture in a secure view recognized\"") })
    house.finger(.down(60, 420), .move(60, 460))
    try house.turn({ monitor.output }) {
      monitor.poll()
      return monitor.output.contains("\"reason\":\"moved across\"")
    }
    #expect(!monitor.output.contains("points"))
  }

  private static let gestures =
    panelWithPages + """
      [[gesture]]
      view = "home"
      name = "all"
      kind = "pan"
      [[gesture]]
      view = "home"
      name = "tap"
      kind = "tap"

      """

  @Test("monitor, monitor --why, tap and status give one reason in the same words (R4, F3)")
  func reasons() throws {
    let house = try House(panel + "[touch]\nunresponsive_after_ms = 100\n")
    try expect("no program holds home, app:dashboard", in: house)
    let program = try house.client(attachedTo: "home")
    // It does not read what it gets. On a busy machine a command may have been counted before.
    let count = house.unresponsiveCount
    house.finger(.down(200, 470))
    try house.turn { house.unresponsiveCount > count }
    try expect("home: pid \(getpid()) (test) is unresponsive", in: house)
    let status = try house.start("status").waitForEnd().output
    #expect(
      status.contains(
        "discarded_unhandled: 6 (no program takes it)"))
    #expect(status.contains("pid \(getpid()) (test), uid \(getuid()), unresponsive"))
    withExtendedLifetime(program) {}
  }

  /// The reason why nobody gets a touch of home, from each command that gives it.
  private func expect(_ reason: String, in house: House) throws {
    let tap = try house.start("tap", "200", "470", "--hold", "0").waitForEnd()
    // It observes what becomes of its touch, and is taken for the monitor until it is gone.
    try house.turn { !house.isObserved }
    #expect(tap.status == 2)
    #expect(tap.output.hasSuffix("hit home: no program gets it: \(reason)\n"), "\(tap.output)")
    for (arguments, line) in [
      ("monitor", "(200, 470)  home  for no program: \(reason)"),
      ("monitor --why", "    no program gets it: \(reason)"),
    ] {
      let observer = try house.start(shell: "touchroute \(arguments)")
      try house.turn { house.isObserved }
      house.finger(.up, .down(200, 470), .up)
      try house.turn({ observer.output }) {
        observer.poll()
        return observer.output.contains("\(line)\n")
      }
      _ = try observer.interrupt()
      // Of the rest of the touch no other reason is given.
      #expect(!observer.output.contains("takes it"), "\(observer.output)")
      try house.turn { !house.isObserved }
    }
  }

  @Test("monitor PATH prints what hits that, lies in it or asks it, and its gestures, alone")
  func paths() throws {
    let house = try House(Self.gestures)
    let listener = try house.listen("--gestures", "home")
    let monitor = try house.start("monitor", "home/toolbar", "home#tap")
    try house.turn { house.isObserved }
    house.finger(.down(300, 300), .up, .down(20, 20), .up)
    let lines = try monitor.waitForLines(11)
    #expect(lines.filter { $0.contains("touch 1 ") }.allSatisfy { $0.contains("home#tap") })
    #expect(lines.contains { $0.contains("touch 2  began  (20, 20)  home/toolbar/back") })
    #expect(lines.contains { $0.contains("touch 2  cancelled  (20, 20)  home/toolbar/back") })
    #expect(!lines.contains { $0.contains("home#pages takes") || $0.contains("home#all takes") })
    let typo = try house.start("monitor", "home/tolbar").waitForEnd()
    #expect(
      typo
        == .init(
          status: 1, output: "",
          errors: "touchroute: no responder is named \"home/tolbar\"; the nearest is "
            + "\"home/toolbar\"\n"))
    withExtendedLifetime(listener) {}
  }

  @Test("monitor is told no place in a secure view (F7)")
  func secure() throws {
    let house = try House(
      panel + "[[view]]\npath = \"home/pin\"\nframe = [0, 400, 80, 80]\nsecure = true\n")
    let monitor = try house.start("monitor")
    try house.turn { house.isObserved }
    house.finger(.down(20, 470))
    #expect(
      try monitor.waitForLines(1)[0].hasPrefix("5.008  Goodix  touch 1  began  (secure)  "))
  }

  @Test("status shows the daemon, its devices, who holds what, and what was counted")
  func status() throws {
    let house = try House()
    let listener = try house.listen("--handles", "began,ended", "home", "app:dashboard", lines: 2)
    house.finger(.down(20, 20), .up)
    _ = try listener.waitForLines(4)
    let result = try house.start("status").waitForEnd()
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines[0].contains(", pid \(ProcessInfo.processInfo.processIdentifier), up "))
    #expect(
      lines[1]
        == "configuration \(house.directory.url.path)/touchroute.toml: 2 windows, 5 views, "
        + "generation 1; 0 touches live")
    #expect(
      lines[2...].prefix(7) == [
        "devices:", "  Goodix, /dev/input/event7, 0416:038f, 10 fingers, on panel, grabbed",
        "  eGTouch, /dev/input/event8, 0eef:0001, 2 fingers, ignored",
        "programs:", "  pid \(listener.pid) (touchroute), uid \(getuid())",
        "    holds home for began, ended", "    holds app:dashboard for began, ended",
      ])
    #expect(lines.contains("  began: 1"))
    #expect(lines.contains("  delivered: 1"))
    #expect(lines.contains("from the kernel's time to the send:"))
  }

  @Test("status lists programs by their names, and counts one touch as one")
  func statusSorted() throws {
    let house = try House()
    let programs = try ["nav", "dash", "media"].map { name in
      try house.client(name, attachedTo: "home")
    }
    house.finger(.down(200, 200))
    let lines = try house.start("status").waitForEnd().output.split(separator: "\n")
    let names = lines.filter { $0.hasPrefix("  pid ") }.map { $0.split(separator: " ")[2] }
    #expect(names == ["(dash),", "(media),", "(nav),"])
    #expect(lines[1].hasSuffix("; 1 touch live"))
    #expect(lines.contains { $0.contains("(media), uid \(getuid()), 1 touch live") })
    withExtendedLifetime(programs) {}
  }

  @Test("status lists who waits for what, in the line's order (R2)")
  func statusOfLine() throws {
    let house = try House()
    let holder = try house.listen("bell")
    let waiters = try (0..<2).map { _ in
      let waiter = try house.listen("--wait", "--handles", "began", "bell")
      return waiter
    }
    let text = try house.start("status").waitForEnd().output
    #expect(text.split(separator: "\n").count { $0 == "    waits for bell" } == 2)
    let json = try house.start("status", "--json").waitForEnd().output
    let report = try #require(
      JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let waiting = try #require(report["waiting"] as? [[String: Any]])
    #expect(waiting.map { $0["path"] as? String } == ["bell", "bell"])
    #expect(waiting.map { $0["handles"] as? [String] } == [["began"], ["began"]])
    let clients = try #require(report["clients"] as? [[String: Any]])
    let pids = waiting.map { item in
      clients.first { $0["client"] as? Int == item["client"] as? Int }?["pid"] as? Int
    }
    #expect(pids == waiters.map { Int($0.pid) })
    #expect((report["attachments"] as? [[String: Any]])?.count == 1)
    _ = try holder.interrupt()
    _ = try waiters[0].waitForLines(2)
    let later = try house.start("status").waitForEnd().output
    #expect(later.split(separator: "\n").count { $0 == "    waits for bell" } == 1)
    withExtendedLifetime(waiters) {}
  }

  @Test("status --json is one line, its keys in a stable order")
  func statusJSON() throws {
    let house = try House()
    let result = try house.start("status", "--json").waitForEnd()
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(object["views"] as? Int == 5)
    #expect((object["counters"] as? [String: Int])?["violations"] == 0)
    // The tool itself is none of the programs.
    #expect(result.output.hasPrefix("{\"attachments\":[],\"clients\":[],"))
    #expect(result.output.hasSuffix(",\"views\":5,\"waiting\":[],\"windows\":2}\n"))
    #expect(result.output.split(separator: "\n").count == 1)
  }

  @Test("tree shows the layout in force, over several pages, and who holds what")
  func tree() throws {
    let rows = (0..<300).map { "[[view]]\npath = \"home/r\($0)\"\nframe = [0, 100, 9, 9]\n" }
    let house = try House(panel + rows.joined())
    let listener = try house.listen("home/toolbar@bar", "bell", lines: 2)
    let result = try house.start("tree").waitForEnd()
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 307)
    #expect(
      lines.prefix(5) == [
        "screen panel: 800x480", "screen door: 480x800, mounted at 90°",
        "home  800x480 at (0, 0)  on panel  app:dashboard",
        "├─ toolbar@bar  800x60 at (0, 0)  @bar held by pid \(listener.pid) (touchroute)",
        "│  └─ back  44x44 at (8, 8)  outset 8",
      ])
    #expect(lines[305] == "└─ r299  9x9 at (0, 100)")
    #expect(
      lines[306] == "bell  480x800 at (0, 0)  on door  level 2  hit self  held by pid "
        + "\(listener.pid) (touchroute)")
    let json = try house.start("tree", "--json").waitForEnd()
    let tree = try #require(
      JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: [NSDictionary]])
    let views = try #require(tree["views"])
    #expect(views.count == 305 && tree["screens"]?.count == 2)
    let holder = ["name": "touchroute", "pid": Int(listener.pid)] as NSDictionary
    #expect(views[1]["controller_holder"] as? NSDictionary == holder && views[1]["holder"] == nil)
    #expect(views[304]["holder"] as? NSDictionary == holder)
    #expect(views[304]["hit"] as? String == "self")
  }

  @Test("reload says what changed, or every problem of a configuration that is not valid")
  func reload() throws {
    let house = try House()
    #expect(
      try house.start("reload").waitForEnd()
        == .init(status: 0, output: "nothing changed\n", errors: ""))
    try house.directory.write("touchroute.toml", panel + "[[window]]\nname = \"map\"\n")
    #expect(
      try house.start("reload").waitForEnd()
        == .init(status: 0, output: "window \"map\" added\n", errors: ""))
    try house.directory.write("touchroute.toml", "[screen.a]\nsize = 3\nturn = 90\n")
    let path = house.directory.url.path + "/touchroute.toml"
    #expect(
      try house.start("reload").waitForEnd()
        == .init(
          status: 1, output: "",
          errors: """
            \(path):2:8: screen "a": size needs two numbers (width, height), found 3
            \(path):3:1: screen "a": unknown key "screen.a.turn"; known here: rotation, size, wake, \
            wake_guard_ms, wake_timeout_ms

            """))
  }

  @Test("What needs the control socket is refused on the other (F7)")
  func notAllowed() throws {
    let house = try House()
    for command in ["status", "reload", "monitor"] {
      let result = try house.start(command, "--socket", house.clientSocket).waitForEnd()
      #expect(result.status == 1)
      #expect(result.errors.hasPrefix("touchroute: "))
      #expect(result.errors.contains("control socket"))
    }
  }
}
