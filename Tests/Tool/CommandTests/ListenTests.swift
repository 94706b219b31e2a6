import DaemonSupport
import Foundation
import TestSupport
import Testing

@Suite("touchroute listen")
struct ListenTests {
  @Test("It attaches and prints each touch with its target and place (T1, T2)")
  func touches() throws {
    let house = try House()
    let listener = try house.listen("home/toolbar", "app:dashboard", lines: 2)
    house.finger(.down(20, 20), .move(30, 40.5), .up, .down(200, 200), .palm)
    #expect(
      try listener.waitForLines(7) == [
        "attached to home/toolbar, 800x60 at (0, 0)",
        "attached to app:dashboard",
        "5.008  touch 1  began  home/toolbar/back  (12, 12)  screen (20, 20)",
        "5.016  touch 1  moved  home/toolbar/back  (22, 32.5)  screen (30, 40.5)",
        "5.024  touch 1  ended  home/toolbar/back  (22, 32.5)  screen (30, 40.5)",
        "5.032  touch 2  began  home/dial  (100, 150)  screen (200, 200)",
        "5.040  touch 2  cancelled  home/dial  (100, 150)  screen (200, 200)  because palm",
      ])
  }

  @Test("JSON is a line for each event, with all that the event bears")
  func json() throws {
    let house = try House()
    let listener = try house.listen("--json", "home")
    house.finger(.down(20, 20), .palm)
    let lines = try listener.waitForLines(3)
    #expect(
      lines[0] == "{\"attachment\":\"home\",\"event\":\"attached\",\"frame\":[0,0,800,480]}")
    #expect(
      lines[1] == """
        {"device":1,"event":"touches","sequence":1,"time_us":5008000,"touches":[{\
        "attachment":"home","flags":[],"id":1,"location":[12,12],"phase":"began",\
        "previous_location":[12,12],"screen_location":[20,20],"tap_count":1,\
        "target":"home/toolbar/back","time_us":5008000,"window_location":[20,20]}]}
        """)
    #expect(lines[2].contains("\"cancel_reason\":\"palm\""))
  }

  @Test("With --gestures it is told what gestures come to, and of the touches that they take (G9)")
  func gestures() throws {
    let house = try House(panelWithPages)
    let listener = try house.listen("--gestures", "home")
    // The toolbar's program knows nothing of gestures.
    let toolbar = try house.listen("home/toolbar")
    house.finger(.down(200, 20), .move(230, 20), .move(240, 20), .up)
    #expect(
      try listener.waitForLines(5)[2...] == [
        "5.016  home#pages  pan  began  (230, 20)  moved (30, 0)",
        "5.024  home#pages  pan  changed  (240, 20)  moved (40, 0)",
        "5.032  home#pages  pan  ended  (240, 20)  moved (40, 0)",
      ])
    #expect(
      try toolbar.waitForLines(3)[1...].map { String($0.drop { $0 != "t" }) } == [
        "touch 1  began  home/toolbar  (200, 20)",
        "touch 1  cancelled  home/toolbar  (230, 20)  because gesture",
      ])
  }

  @Test("A gesture is a line of JSON, with what its kind has (G16)")
  func gesturesJSON() throws {
    let house = try House(panelWithPages)
    let listener = try house.listen("--gestures", "--json", "home")
    house.finger(.down(200, 20), .move(230, 20), .palm)
    let lines = try listener.waitForLines(5)
    #expect(lines[2].contains("\"cancel_reason\":\"gesture\""))
    #expect(
      lines[3] == """
        {"attachment":"home","event":"gesture","gesture":"home#pages","kind":"pan",\
        "location":[230,20],"path":"home#pages","state":"began","time_us":5016000,"touches":1,\
        "translation":[30,0],"velocity":[3750,0],"x":230,"y":20}
        """)
    #expect(lines[4].contains("\"cancel_reason\":\"palm\"") && lines[4].contains("cancelled"))
  }

  @Test("Taps are counted by the configuration's interval and distance (T10)")
  func taps() throws {
    let house = try House(panel + "[touch]\ntap_interval_ms = 10\ntap_distance = 2\n")
    let listener = try house.listen("--handles", "began", "home")
    // Frames are 8 ms apart.
    house.finger(.down(20, 20), .up, .down(21, 20), .up, .down(30, 20), .up)
    #expect(
      try listener.waitForLines(4).dropFirst().map { $0.hasSuffix("tap 2") }
        == [false, true, false])
  }

  @Test("Phases that it passes go to the next responder too (R3)")
  func passes() throws {
    let house = try House()
    let lower = try house.start("listen", "home")
    let upper = try house.start(
      "listen", "--handles", "began,moved", "--passes", "began", "home/toolbar")
    _ = try lower.waitForLines(1)
    _ = try upper.waitForLines(1)
    house.finger(.down(20, 20), .move(21, 20), .up)
    #expect(try upper.waitForLines(3).dropFirst().map(phase) == ["began", "moved"])
    // Behind what it holds, and who holds the toolbar.
    #expect(try lower.waitForLines(4).dropFirst(2).map(phase) == ["began", "ended"])
  }

  @Test("A touch is shown with its target, whatever the phases that it is listened for (T1, R3)")
  func phases() throws {
    let house = try House()
    let lower = try house.start("listen", "--handles", "began,cancelled", "home")
    let upper = try house.start("listen", "--handles", "moved,ended", "home/toolbar")
    _ = try lower.waitForLines(1)
    _ = try upper.waitForLines(1)
    house.finger(.down(20, 20), .move(21, 20), .up, .down(20, 20), .up, .down(20, 20), .palm)
    let words = try upper.waitForLines(4).dropFirst() + lower.waitForLines(6).dropFirst(2)
    #expect(
      words.map(phase) == ["moved", "ended", "ended", "began", "began", "began", "cancelled"])
    #expect(words.allSatisfy { $0.contains("  home/toolbar/back  (1") })
  }

  @Test("Who holds a window is told who else holds something in it, and who let it go (F6)")
  func holders() throws {
    let house = try House()
    let listener = try house.listen("home")
    let script = try house.listen("--json", "bell")
    let upper = try house.start(
      "listen", "--handles", "began,moved", "--passes", "began", "home/toolbar")
    _ = try upper.waitForLines(1)
    let program = "pid \(upper.pid) (touchroute), uid \(getuid())"
    #expect(
      try listener.waitForLines(2).last
        == "home/toolbar is held by \(program), which handles began, moved and passes began")
    _ = try upper.interrupt()
    #expect(try listener.waitForLines(3).last == "home/toolbar was let go by \(program)")
    let json = try house.listen("--json", "--take-over", "home")
    let other = try house.start("listen", "home/dial")
    let line = try json.waitForLines(2)[1]
    #expect(
      line == """
        {"attachment":"home","event":"holder","handles":["began","moved","ended","cancelled"],\
        "is_held":true,"name":"touchroute","passes":[],"path":"home/dial","pid":\(other.pid),\
        "uid":\(getuid())}
        """)
    #expect(script.lines.count == 1)
  }

  private func phase(_ line: String) -> String {
    String(line.split(separator: " ", omittingEmptySubsequences: true)[3])
  }

  @Test("A responder that is held is refused with its holder, and can be taken over (R2)")
  func takeOver() throws {
    let house = try House()
    let first = try house.listen("home")
    let second = try house.start("listen", "home").waitForEnd()
    #expect(second.status == 1)
    #expect(second.errors.hasPrefix("touchroute: \"home\" is held by pid \(first.pid) "))
    #expect(second.errors.hasSuffix(" (--take-over or --wait)\n"))
    let third = try house.listen("--take-over", "home")
    defer { withExtendedLifetime(third) {} }
    let result = try first.waitForEnd()
    #expect(result.status == 1)
    #expect(result.output.contains("\ndetached from home: "))
    #expect(result.errors.hasPrefix("touchroute: nothing is attached any more: "))
  }

  @Test("With --wait it is attached once the responder is let go (R2)")
  func wait() throws {
    let house = try House()
    let first = try house.listen("home")
    let second = try house.start("listen", "--wait", "home")
    #expect(try second.waitForLines(1)[0].hasPrefix("waiting for home: \"home\" is held by pid "))
    kill(first.pid, SIGTERM)
    #expect(try second.waitForLines(2)[1].hasPrefix("attached to home, "))
  }

  @Test("A responder that is not there is an error that names the nearest")
  func nearest() throws {
    let house = try House()
    #expect(
      try house.start("listen", "home/tolbar").waitForEnd()
        == .init(
          status: 1, output: "",
          errors:
            "touchroute: no responder is named \"home/tolbar\"; the nearest is \"home/toolbar\"\n"
        ))
  }

  @Test("It ends quietly when its reader goes, though nothing is to be said")
  func readerGoes() throws {
    let house = try House()
    let listener = try house.listen("home")
    try listener.closeOutput()
    let result = try listener.waitForEnd()
    #expect(result.status == 0)
    #expect(result.errors == "")
  }

  @Test("When the daemon stops, it says so and fails")
  func daemonStops() throws {
    let house = try House()
    let listener = try house.listen("home")
    house.finger(.down(20, 20))
    _ = try listener.waitForLines(2)
    house.stop()
    let result = try listener.waitForEnd()
    #expect(result.status == 1)
    #expect(result.output.hasSuffix("because stopping\n"))
    #expect(result.errors == "touchroute: touchrouted is stopping\n")
  }
}
