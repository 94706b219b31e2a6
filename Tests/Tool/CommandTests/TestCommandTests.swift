import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel

@Suite("touchroute test")
struct TestCommandTests {
  /// A pager over a list, a player in front of them, and a window that nobody holds.
  private static let layout = """
    [screen.panel]
    size = [800, 480]
    [[window]]
    name = "home"
    controller = "main"
    application = "shell"
    [[view]]
    path = "home/list"
    frame = [0, 40, 400, 400]
    [[window]]
    name = "media"
    frame = [400, 200, 400, 280]
    [[view]]
    path = "media/play"
    frame = [0, 0, 100, 100]
    [[gesture]]
    view = "home/list"
    name = "scroll"
    kind = "pan"
    direction = "vertical"
    [[gesture]]
    view = "home/list"
    name = "once"
    kind = "tap"
    after = ["home/list#twice"]
    [[gesture]]
    view = "home/list"
    name = "twice"
    kind = "tap"
    taps = 2
    [[gesture]]
    view = "home"
    name = "menu"
    kind = "long_press"

    """

  private static func run(_ script: String, _ options: String...) throws -> Command.Result {
    let directory = try TemporaryDirectory()
    try directory.write("touchroute.toml", layout)
    try directory.write("a.touches", script)
    return try Command.run(
      ["test", "--config", "touchroute.toml"] + options + ["a.touches"], in: directory.url)
  }

  /// Programs at these responders, and nobody elsewhere.
  private static let programs = "program home\nprogram home/list\nprogram media/play\n"

  @Test(
    "what comes of touches is what the expect lines say, each about those since the lines before",
    arguments: [
      "tap 410 210\nexpect media/play gets began, ended\nexpect home gets nothing\n",
      "tap 410 210\nexpect media/play gets began,ended within 0 ms\n",
      "tap 410 210\nexpect media/play gets began , ended # a comment\n",
      "swipe 410 210 450 210\nexpect media/play gets began, ended\n",
      "swipe 410 210 450 210\nexpect media/play gets began, moved, ended\n",
      "tap 410 210\ntap 410 210\nexpect media/play gets began, ended\n",
      "began 0 410 210\nframe\nexpect media/play gets began\nended 0\nframe\n"
        + "expect media/play gets ended\n",
      "began 0 410 210\nframe\ncancelled 0\nframe\nexpect media/play gets began, cancelled palm\n",
      "tap 700 400\nexpect nobody\n",
      "tap 700 400\nexpect no gesture\nexpect home gets nothing\n",
      "swipe 100 100 100 300\nexpect gesture home/list pan\nexpect gesture home/list#scroll\n"
        + "expect home/list gets began, cancelled gesture\n",
      "swipe 100 100 100 300\nexpect gesture home/list#scroll began, ended\n"
        + "expect gesture home/list#twice failed\n",
      // The single tap waits for a second one, and so do the expect lines (G7).
      "tap 100 100\nexpect gesture home/list#once\nexpect home/list gets began, cancelled gesture\n"
        + "tap 100 100\nwait 50\ntap 100 100\nexpect gesture home/list#twice recognized\n",
      "tap 100 100\nexpect gesture home/list#once within 350 ms\n",
      "began 0 100 100\nframe\nexpect home/list gets began\nexpect no gesture\n"
        + "wait 600\nexpect gesture home long_press began\n",
      "began 0 100 100\nframe\nexpect gesture home long_press within 600 ms\n",
      "began 0 410 210\nframe\ndecline media/play 0\nexpect media/play gets began\n",
      "began 0 100 100\nframe\ndecline home/list 0\nexpect home gets began\n",
      "screen panel\nwait 3\ntap 410 210\nexpect media/play gets began, ended\n",
    ])
  func met(_ script: String) throws {
    let result = try Self.run(Self.programs + script)
    #expect(
      result == .init(status: 0, output: "TAP version 14\n1..1\nok 1 - a.touches\n", errors: ""))
  }

  @Test(
    "what is not as expected is told with its place, and with what came instead",
    arguments: [
      (
        "tap 410 210\nexpect home gets began, ended\n",
        "5:1: expect home gets began, ended: media/play got began, ended"
      ),
      (
        "tap 410 210\nexpect media/play gets began\n",
        "5:1: expect media/play gets began: media/play got began, ended"
      ),
      (
        "tap 410 210\nexpect media/play gets began, cancelled\n",
        "5:1: expect media/play gets began, cancelled: media/play got began, ended"
      ),
      (
        "tap 410 210\n  expect media/play gets nothing\n",
        "5:3: expect media/play gets nothing: media/play got began, ended"
      ),
      (
        "swipe 410 210 450 210\nexpect media/play gets began, moved, moved, ended\n",
        "5:1: expect media/play gets began, moved, moved, ended: media/play got began, moved, ended"
      ),
      ("tap 410 210\nexpect nobody\n", "5:1: expect nobody: media/play got began, ended"),
      (
        "tap 700 400\nexpect media/play gets began\n",
        "5:1: expect media/play gets began: nothing came of them"
      ),
      (
        "began 0 410 210\nframe\ncancelled 0\nframe\n"
          + "expect media/play gets began, cancelled gesture\n",
        "8:1: expect media/play gets began, cancelled gesture: media/play got began, "
          + "cancelled palm"
      ),
      (
        "tap 100 100\nexpect gesture home/list#once within 349 ms\n",
        "5:1: expect gesture home/list#once within 349 ms: it came after 350 ms; "
          + "home/list got began, cancelled gesture; home/list#scroll failed; home#menu failed; "
          + "home/list#twice failed; home/list#once recognized"
      ),
      (
        "began 0 100 100\nframe\nexpect gesture home#menu within 400 ms\n",
        "6:1: expect gesture home#menu within 400 ms: home/list got began"
      ),
      (
        "began 0 100 100\nframe\nwait 600\nexpect no gesture\n",
        "7:1: expect no gesture: home/list got began, cancelled gesture; home#menu began; "
          + "home/list#scroll failed; home/list#twice failed; home/list#once failed"
      ),
    ])
  func unmet(_ script: String, _ line: String) throws {
    let result = try Self.run(Self.programs + script)
    #expect(result.status == 2 && result.errors == "")
    #expect(
      result.output == "TAP version 14\n1..1\nnot ok 1 - a.touches\n# a.touches:\(line)\n")
  }

  @Test(
    "a line that is wrong is refused before anything is played, with what was probably meant",
    arguments: [
      ("expct nobody", "1: \"expct\" is none of ", "did you mean \"expect\"?"),
      ("expect home gets begn", "18: \"begn\" is none of ", "did you mean \"began\"?"),
      ("expect home get began", "8: it must be one of: ", "did you mean \"gets\"?"),
      ("expect nobdy", "8: it must be one of: ", "did you mean \"nobody\"?"),
      ("expect", "1: it must be one of: expect PATH gets PHASES, ", ""),
      ("expect nobody now", "8: it must be one of: ", ""),
      (
        "expect home gets", "13: it must say which behind \"gets\": began, moved, ended, cancelled",
        ""
      ),
      ("expect home gets began ended", "24: before \"ended\" a comma is missing", ""),
      ("expect home gets began,", "18: a phase is missing", ""),
      ("expect home gets cancelled plam", "28: \"plam\" is no reason: ", "mean \"palm\"?"),
      ("expect gesture home/list", "16: behind the view it must name a kind: tap, ", ""),
      ("expect gesture home/list pam", "26: \"pam\" is none of ", "did you mean \"pan\"?"),
      ("expect gesture home/list# began", "16: it must name a view, or a recognizer as ", ""),
      ("expect gesture home/list pinch", "26: \"home/list\" has no pinch; it has ", ""),
      (
        "expect gesture home/lst pan", "16: \"home/lst\" has no recognizer",
        "did you mean \"home/list\"?"
      ),
      (
        "expect gesture home/list#scrol", "16: there is no recognizer \"home/list#scrol\"",
        "did you mean \"home/list#scroll\"?"
      ),
      (
        "expect media/pley gets nothing", "8: there is no responder \"media/pley\"",
        "did you mean \"media/play\"?"
      ),
      ("expect feedback", "8: it must be one of: ", ""),
      ("expect feedback click home", "23: it must be \"feedback NAME at TARGET\"", ""),
      ("expect feedback click at", "23: behind \"at\" it must name a view or a recognizer", ""),
      (
        "expect feedback click at home/lst", "26: there is no view or recognizer \"home/lst\"",
        "did you mean \"home/list\"?"
      ),
      (
        "expect feedback click at home/list#twic", "26: there is no view or recognizer ",
        "did you mean \"home/list#twice\"?"
      ),
      ("expect nobody within 5", "15: it must be \"within N ms\", from 0 to 600000", ""),
      ("expect nobody within -1 ms", "15: it must be \"within N ms\", from 0 to 600000", ""),
      ("program home", "1: programs come before the first touch", ""),
      ("began 0 1 1\nexpect nobody", "1: the contacts before it need a line \"frame\"", ""),
    ])
  func wrong(_ line: String, _ message: String, _ hint: String) throws {
    let result = try Self.run("tap 9 9\n\(line)\n")
    #expect(result.status == 1 && result.output == "")
    let number = line.contains("\n") ? 3 : 2
    #expect(
      result.errors.hasPrefix("touchroute: a.touches:\(number):\(message)")
        && (hint.isEmpty || result.errors.contains(hint)), "\(result.errors)")
  }

  @Test("a file that tests nothing, that is not there, or whose programs can't be, is refused")
  func wrongFiles() throws {
    for (script, error) in [
      ("tap 9 9\n", "a.touches has no line \"expect\", so it tests nothing"),
      ("expect nobody\n", "a.touches:1:1: there is no touch before it"),
      (
        "program hom\ntap 9 9\nexpect nobody\n",
        "a.touches:1:9: there is no responder \"hom\"; did you mean \"home\"?"
      ),
      (
        "program home\nprogram home\ntap 9 9\nexpect nobody\n",
        "a.touches:2:9: \"home\" has a program already"
      ),
    ] {
      let result = try Self.run(script)
      #expect(result == .init(status: 1, output: "", errors: "touchroute: \(error)\n"))
    }
    let both = try Self.run("jump\n", "absent.touches")
    #expect(both.status == 1 && both.output == "")
    #expect(both.errors.contains("absent.touches can't be opened: No such file or directory"))
    #expect(both.errors.contains("a.touches:1:1: \"jump\" is none of "))
  }

  @Test("a file that can't be played to its end is not ok, and the others are played all the same")
  func unplayable() throws {
    let directory = try TemporaryDirectory()
    try directory.write("touchroute.toml", Self.layout)
    try directory.write("a#1.touches", "ended 3\nframe\nexpect nobody\n")
    try directory.write("b.touches", "tap 700 10\nexpect home gets nothing\n")
    let result = try Command.run(
      ["test", "-c", "touchroute.toml", "a#1.touches", "b.touches"], in: directory.url)
    #expect(result.status == 1 && result.errors == "")
    #expect(
      result.output
        == """
        TAP version 14
        1..2
        not ok 1 - a\\#1.touches
        # a#1.touches:2:1: slot 3 is not down, and so can't be ended
        not ok 2 - b.touches
        # b.touches:2:1: expect home gets nothing: home got began, ended; home#menu failed

        """)
  }

  @Test("expect is refused by inject and rehearse, and program by inject, with who takes it")
  func others() throws {
    let directory = try TemporaryDirectory()
    try directory.write("touchroute.toml", Self.layout)
    try directory.write("a.touches", "tap 9 9\nexpect nobody\n")
    let rehearsed = try Command.run(
      ["rehearse", "-c", "touchroute.toml", "a.touches"], in: directory.url)
    #expect(rehearsed.status == 1 && rehearsed.output == "")
    #expect(rehearsed.errors == "touchroute: a.touches:2:1: \"expect\" is for touchroute test\n")
    try directory.write("b.touches", "program home\ntap 9 9\n")
    let injected = try Command.run(["inject", "b.touches"], in: directory.url)
    #expect(
      injected.errors
        == "touchroute: b.touches:1:1: \"program\" is for touchroute rehearse and test\n")
    let named = try Command.run(
      ["rehearse", "-c", "touchroute.toml", "b.touches"], in: directory.url)
    #expect(named.output.contains("  home  touch 1  began") && !named.output.contains("@main"))
    let twice = try Command.run(
      ["rehearse", "-c", "touchroute.toml", "--program", "home", "b.touches"], in: directory.url)
    #expect(twice.status == 1 && twice.errors.contains("can't be given together"))
  }

  @Test("--junit has the same results, as XML that a parser reads whatever the names are")
  func junit() throws {
    let directory = try TemporaryDirectory()
    try directory.write("touchroute.toml", Self.layout)
    let names = ["a<&\"'>.touches", "b.touches", "c.touches"]
    try directory.write(names[0], "tap 700 10\nexpect home/list gets began\n")
    try directory.write(names[1], "tap 410 210\nexpect media/play gets began, ended\n")
    try directory.write(names[2], "ended 1\nframe\nexpect nobody\n")
    let result = try Command.run(
      ["test", "-c", "touchroute.toml", "--junit", "r.xml"] + names, in: directory.url)
    #expect(result.status == 1, "\(result)")
    let read = """
      import xml.etree.ElementTree as tree
      suite = tree.parse("r.xml").getroot().find("testsuite")
      print(suite.get("tests"), suite.get("failures"), suite.get("errors"))
      for case in suite:
          for child in list(case) or [None]:
              print(case.get("name"), child.tag if child is not None else "ok",
                    child.get("message") if child is not None else "")
      """
    let parsed = try RunningProgram.run(
      URL(filePath: "/usr/bin/python3"), ["-c", read], in: directory.url)
    #expect(
      parsed.output == """
        3 1 1
        \(names[0]) failure \(names[0]):2:1: expect home/list gets began: home got began, ended; \
        home#menu failed
        b.touches ok\u{20}
        c.touches error c.touches:2:1: slot 1 is not down, and so can't be ended

        """, "\(parsed.errors)")
  }
}
