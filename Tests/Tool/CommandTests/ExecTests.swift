import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("touchroute listen --exec")
struct ExecTests {
  private static let layout =
    panel + "[[view]]\npath = \"home/pin\"\nframe = [0, 400, 80, 80]\nsecure = true\n"
  private let house: House

  init() throws { house = try House(Self.layout) }

  /// Listens to home with a command, its standard error behind its output, until it is attached.
  private func listen(_ command: String, _ options: String = "") throws -> RunningCommand {
    let listener = try house.start(
      shell: "touchroute listen home \(options) --exec '\(command)' 2>&1")
    #expect(try listener.waitForLines(1)[0].hasPrefix("attached to home"))
    return listener
  }

  @Test("A command is run for each tap, and is told of it by arguments and environment (T10)")
  func taps() throws {
    let listener = try house.start(
      shell: """
        touchroute listen home --exec 'echo "$0 $@" && echo $TOUCHROUTE_EVENT \
        $TOUCHROUTE_PATH $TOUCHROUTE_ATTACHMENT $TOUCHROUTE_X $TOUCHROUTE_Y $TOUCHROUTE_SCREEN_X \
        $TOUCHROUTE_SCREEN_Y $TOUCHROUTE_TAPS'
        """)
    _ = try listener.waitForLines(1)
    house.finger(.down(20, 20), .up)
    #expect(
      try listener.waitForLines(3)[1...] == [
        "touchroute tap home/toolbar/back 12 12", "tap home/toolbar/back home 12 12 20 20 1",
      ])
  }

  @Test("Taps in succession are a command each; what is moved or cancelled is no tap (T10)")
  func noTaps() throws {
    let listener = try listen("echo $TOUCHROUTE_TAPS $TOUCHROUTE_X")
    house.finger(.down(300, 400), .up)
    _ = try listener.waitForLines(2)
    house.finger(.down(301, 400), .move(345, 400), .up)
    _ = try listener.waitForLines(3)
    // Too far, and a palm.
    house.finger(.down(300, 400), .move(346, 400), .up, .down(300, 400), .palm, .down(20, 470), .up)
    #expect(try listener.waitForLines(4)[1...] == ["1 300", "2 345", "1 20"])
  }

  @Test("In a secure view the arguments, which all can read, do not say which (F7)")
  func secure() throws {
    let listener = try listen("echo $# $1 $TOUCHROUTE_PATH $TOUCHROUTE_X; exit 3")
    house.finger(.down(20, 470), .up)
    #expect(
      try listener.waitForLines(3)[1...] == [
        "1 tap home/pin 20",
        "touchroute: the command for a tap in a secure view ended with status 3",
      ])
  }

  @Test(
    "No more commands run than are allowed; meanwhile it reads on, and says what it left out (F1)")
  func limit() throws {
    let listener = try listen(
      "echo $TOUCHROUTE_X; until test -e go; do sleep 0.01; done", "--exec-limit 2")
    house.finger(.down(300, 400), .up, .down(310, 400), .up)
    #expect(try Set(listener.waitForLines(3)[1...]) == ["300", "310"])
    house.finger(.down(320, 400), .up)
    #expect(
      try listener.waitForLines(4)[3] == "touchroute: for the tap of home no command is run: 2 "
        + "run already, the most that --exec-limit allows")
    try house.directory.write("go", "")
    // Until one has ended, each tap is left out.
    try house.turn({ listener.output }) {
      house.finger(.down(330, 400), .up)
      listener.poll()
      return listener.lines.contains("330")
    }
  }

  @Test("A command that fails is said, with its status or signal; it has nothing to read")
  func failures() throws {
    let listener = try listen(
      "cat && echo read; case $TOUCHROUTE_X in 300) exit 3;; *) kill -9 $$;; esac")
    house.finger(.down(300, 400), .up)
    #expect(
      try listener.waitForLines(3)[1...] == [
        "read", "touchroute: the command for the tap of home ended with status 3",
      ])
    house.finger(.down(310, 400), .up)
    #expect(
      try listener.waitForLines(5)[4]
        == "touchroute: the command for the tap of home was ended by signal 9")
    // It has waited for them: none is left.
    let children = try String(
      contentsOfFile: "/proc/\(listener.pid)/task/\(listener.pid)/children", encoding: .utf8)
    #expect(children == "")
  }

  @Test(
    "The signal that ends it ends its commands, with what they started",
    arguments: [SIGTERM, SIGINT])
  func ended(_ number: Int32) throws {
    let listener = try listen(#"sh -c "echo \$\$; exec sleep 1000"; true"#)
    house.finger(.down(300, 400), .up)
    let child = try #require(pid_t(listener.waitForLines(2)[1]))
    #expect(kill(child, 0) == 0)
    kill(listener.pid, number)
    #expect(try listener.waitForSignal() == number)
    try waitUntil("what its command started is gone") { kill(child, 0) != 0 }
  }

  @Test("Commands are run though nobody reads what is printed, and see who started them go")
  func readerGoes() throws {
    let listener = try listen("echo $TOUCHROUTE_X > tapped")
    try listener.closeOutput()
    house.finger(.down(300, 400), .up)
    let file = house.directory.file("tapped")
    try house.turn { (try? String(contentsOfFile: file, encoding: .utf8)) == "300\n" }
    _ = try listener.interrupt()
  }

  @Test("With --gestures a command is run as each gesture recognizes, and for no tap (G12)")
  func gestures() throws {
    let house = try House(Self.gestures)
    let listener = try house.start(
      shell: """
        touchroute listen --gestures home --exec 'echo "$@" $TOUCHROUTE_STATE $TOUCHROUTE_X \
        $TOUCHROUTE_TRANSLATION_X $TOUCHROUTE_DIRECTION' 2>&1
        """)
    _ = try listener.waitForLines(1)
    house.finger(.down(20, 470), .up)
    house.finger(.down(200, 20), .move(230, 20), .move(240, 20), .up)
    _ = try listener.waitForLines(2)
    house.finger(.down(200, 200), .move(200, 260), .up)
    #expect(
      try listener.waitForLines(3)[1...] == [
        "pan home#pages began 230 30", "swipe home#down recognized 200 down",
      ])
  }

  @Test("--exec-on names the states for which a command is run (G12)")
  func states() throws {
    let house = try House(Self.gestures)
    let listener = try house.start(
      shell: """
        touchroute listen --gestures home --exec-on ended,cancelled --exec 'echo \
        $TOUCHROUTE_ATTACHMENT $TOUCHROUTE_EVENT $TOUCHROUTE_STATE $TOUCHROUTE_KIND \
        ${TOUCHROUTE_TIME_US:+timed} $TOUCHROUTE_CANCEL_REASON' 2>&1
        """)
    _ = try listener.waitForLines(1)
    house.finger(.down(200, 20), .move(230, 20), .move(240, 20), .up)
    _ = try listener.waitForLines(2)
    house.finger(.down(200, 20), .move(230, 20), .palm)
    #expect(
      try listener.waitForLines(3)[1...] == [
        "home pan ended pan timed", "home pan cancelled pan timed palm",
      ])
  }

  @Test("A command for a gesture that fails is said, with the gesture's path and state (G12)")
  func failingGestures() throws {
    let house = try House(Self.gestures)
    let listener = try house.start(
      shell: "touchroute listen --gestures home --exec-on ended --exec 'exit 3' 2>&1")
    _ = try listener.waitForLines(1)
    house.finger(.down(200, 20), .move(230, 20), .move(240, 20), .up)
    #expect(
      try listener.waitForLines(2)[1]
        == "touchroute: the command for home#pages (ended) ended with status 3")
  }

  private static let gestures =
    panelWithPages + """
      [[gesture]]
      view = "home"
      name = "down"
      kind = "swipe"
      direction = "down"

      """
}
