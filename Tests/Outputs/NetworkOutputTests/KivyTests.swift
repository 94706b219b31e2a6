import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel

private let kivy: String = {
  let environment = ProcessInfo.processInfo.environment
  let cache = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "") + "/.cache"
  return cache + "/touchroute/kivy"
}()

/// `touchroute output tuio` and who receives it: Kivy, as the Python registry has it, in the
/// environment that scripts/bootstrap has made, under Xvfb.
@Suite(
  "touchroute output tuio, to Kivy",
  .enabled(
    if: FileManager.default.fileExists(atPath: kivy + "/complete"),
    "there is no Kivy: scripts/bootstrap says why"))
struct KivyTests {
  /// A button in the lower left quarter: Kivy counts from there. Who has taken hold of a touch
  /// hears of it twice, and every datagram is a move of every finger.
  private static let program = """
    import sys
    from kivy.config import Config
    for key, value in Config.items("input"):
        Config.remove_option("input", key)
    Config.set("input", "table", "tuio,127.0.0.1:" + sys.argv[1])
    from kivy.app import App
    from kivy.clock import Clock
    from kivy.uix.button import Button

    def say(*words):
        print(*words, flush=True)

    class Pad(Button):
        def tell(self, kind, touch):
            place = round(touch.sx, 2), round(touch.sy, 2)
            if touch.grab_current is None and (kind != "move" or touch.ud["place"] != place):
                say(kind, *place)
            touch.ud["place"] = place

        def on_touch_down(self, touch):
            self.tell("down", touch)
            return super().on_touch_down(touch)

        def on_touch_move(self, touch):
            self.tell("move", touch)
            return super().on_touch_move(touch)

        def on_touch_up(self, touch):
            self.tell("up", touch)
            return super().on_touch_up(touch)

    class Table(App):
        def build(self):
            return Pad(
                size_hint=(0.5, 0.5),
                on_press=lambda _: say("pressed"), on_release=lambda _: say("released"))

        def on_start(self):
            Clock.schedule_once(lambda _: say("shown"), 0)

    Table().run()
    """

  @Test(
    "taps, drags and two fingers are Kivy's, and what is cancelled releases no button (T7)",
    .timeLimit(.minutes(10)))
  func touches() async throws {
    let fingers = try InjectedFingers(rightHalf)
    let folder = try TemporaryDirectory()
    let port = try UDPReceiver().port  // closed again at once
    let screen = try RunningProgram(
      URL(filePath: "/usr/bin/Xvfb"), ["-displayfd", "1", "-screen", "0", "800x480x24"])
    try waitUntil("Xvfb has a display") { screen.lines.count == 1 }
    let program = try RunningProgram(
      URL(filePath: kivy + "/bin/python"), [try folder.write("table.py", Self.program), "\(port)"],
      environment: [
        "DISPLAY": ":" + screen.lines[0], "KIVY_HOME": folder.url.path, "KIVY_NO_ARGS": "1",
        "KIVY_NO_FILELOG": "1",
      ])
    var heard = 0
    func wait(for lines: String...) throws {
      try waitUntil(
        "\(lines); it said \(program.lines.dropFirst(heard)), \(program.errors.suffix(2000))"
      ) {
        Array(program.lines.dropFirst(heard)) == lines
      }
      heard += lines.count
    }
    try wait(for: "shown")
    let output = try RunningProgram(
      Repository.program("touchroute"), ["output", "tuio", "home", "--to", "127.0.0.1:\(port)"],
      environment: ["TOUCHROUTE_SOCKET": fingers.daemon.socket])
    try await fingers.waitForHolder()

    try await fingers.inject(.began(Point(x: 500, y: 360)))
    try wait(for: "down 0.25 0.25", "pressed")
    try await fingers.inject(.ended)
    try wait(for: "up 0.25 0.25", "released")

    try await fingers.inject(.began(Point(x: 600, y: 120)))
    try wait(for: "down 0.5 0.75")
    try await fingers.inject(.moved(Point(x: 700, y: 120)))
    try wait(for: "move 0.75 0.75")
    try await fingers.inject(.began(Point(x: 500, y: 360)), slot: 1)
    try wait(for: "down 0.25 0.25", "pressed")
    try await fingers.inject(.ended)
    try wait(for: "up 0.75 0.75")
    try await fingers.inject(.cancelled, slot: 1)
    try wait(for: "move 0.25 1.02", "up 0.25 1.02")
    #expect(output.isRunning)
  }
}
