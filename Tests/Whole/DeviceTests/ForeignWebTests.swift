import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import VirtualDevices

extension DeviceTests {
  /// Debian's web engines as they are, in a kiosk of X on the framebuffer: Xorg reads the window's
  /// touchscreen through libinput, and is as large as the screen. The page says what it hears to a
  /// server, which is Python's.
  @Suite(
    "Web engines as they are, under X",
    .enabled(
      if: ProcessInfo.processInfo.environment["TOUCHROUTE_TOOLKITS"] != nil
        && ScreenPicture.folder != nil,
      "they take a minute, or there is no screen; see scripts/test --toolkits"))
  struct ForeignWebTests {
    private static let page = """
      <!doctype html><title>touches</title>
      <style>
      html, body { margin: 0; height: 100%; background: #304050; touch-action: none }
      #button { position: absolute; left: 12.5%; top: 10%; width: 25%; height: 40%;
        background: green; border: 0 }
      </style>
      <button id=button></button>
      <script>
      let last = Promise.resolve()
      function say(...words) {
        last = last.then(() => fetch("/say/" + words.join("_"))).catch(() => 0)
      }
      const places = (touches) => [...touches].map((touch) =>
        Math.round(100 * touch.clientX / innerWidth) + "," +
        Math.round(100 * touch.clientY / innerHeight)).join("_")
      for (const kind of ["touchstart", "touchmove", "touchend", "touchcancel"])
        addEventListener(kind, (event) =>
          say(kind, event.touches.length, places(event.changedTouches)), {passive: true})
      button.ontouchstart = () => button.style.background = "red"
      button.ontouchend = () => button.style.background = "green"
      button.onclick = () => say("clicked")
      oncontextmenu = (event) => event.preventDefault()
      requestAnimationFrame(() => requestAnimationFrame(() => say("shown")))
      </script>
      """

    /// Xorg, the server of the page, and what shows it.
    private final class Kiosk {
      private let folder: TemporaryDirectory
      private let display: ForeignProgram
      private let server: ForeignProgram
      private let browser: ForeignProgram

      init(_ command: [String]) throws {
        folder = try TemporaryDirectory()
        try folder.write("page.html", ForeignWebTests.page)
        try run("modprobe", "cirrusfb", "mode_option=800x600-16@60")
        display = try ForeignProgram(
          "/usr/bin/Xorg",
          [":7", "-nolisten", "tcp", "-noreset", "-novtswitch", "-sharevts", "-keeptty", "vt1"])
        server = try ForeignProgram(
          "/usr/bin/python3",
          [
            "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder.url.path,
            "8007",
          ])
        try server.wait(for: "Serving HTTP")
        try expectSoon { FileManager.default.fileExists(atPath: "/tmp/.X11-unix/X7") }
        let home = folder.file("home")
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        browser = try ForeignProgram(
          command[0], command.dropFirst() + ["http://127.0.0.1:8007/page.html"],
          environment: ["DISPLAY": ":7", "HOME": home, "WEBKIT_DISABLE_COMPOSITING_MODE": "1"])
        try server.wait(for: "/say/shown", seconds: 240)
      }

      func wait(for words: String) throws { try server.wait(for: "/say/\(words)") }

      /// What the page has said.
      var transcript: [String] {
        server.lines.compactMap { line in
          line.split(separator: " ").first { $0.hasPrefix("/say/") }.map { String($0.dropFirst(5)) }
        }
      }
    }

    @Test(
      "a tap, a drag and two fingers are the page's; a shell's swipe presses nothing (T12, G9)",
      arguments: [
        ["/usr/bin/surf", "-B"],
        [
          "/usr/bin/chromium", "--kiosk", "--no-sandbox", "--no-first-run", "--disable-gpu",
          "--touch-events=enabled", "--window-position=0,0", "--window-size=800,600",
        ],
      ])
    func page(command: [String]) throws {
      guard FileManager.default.isExecutableFile(atPath: command[0]) else {
        throw Missing("\(command[0]): run scripts/bootstrap --toolkits")
      }
      let rules = try SeatRules()
      defer { rules.remove() }
      let touch = try panel()
      let daemon = try DaemonProcess.start(
        ForeignQtTests.layout, touchscreens: 1, arguments: ["--seat", "seat-touchroute"])
      let output = try OutputProcess(daemon, "right")
      _ = try output.node()
      let kiosk = try Kiosk(command)
      let name = URL(filePath: command[0]).lastPathComponent

      // The window begins at 400, and X is as large as the screen.
      try touch.tap(x: 500, y: 140)
      try kiosk.wait(for: "touchstart_1_25,29")
      try kiosk.wait(for: "clicked")

      // Moved at once, else it would be a long press.
      touch.down(x: 500, y: 140)
      try touch.sync()
      for step in 1...5 as ClosedRange<Int32> {
        touch.move(x: 500 + 40 * step, y: 140 + 44 * step)
        try touch.sync()
      }
      try kiosk.wait(for: "touchmove_1_75,75")
      try expectSoon { try ScreenPicture("\(name)-pressed").colour(120, 80) == "red" }
      touch.down(1, x: 600, y: 120)
      try touch.sync()
      try kiosk.wait(for: "touchstart_2_50,25")
      for slot in [Int32(0), 1] { touch.up(slot) }
      try touch.sync()
      try kiosk.wait(for: "touchend_0_")

      try swipe(touch, daemon, kiosk)
      try kiosk.wait(for: "touchend_0_")
      // Where it was: the swipe's fingers were no pinch.
      try touch.tap(x: 500, y: 140)
      try kiosk.wait(for: "touchstart_1_25,29")
      try kiosk.wait(for: "clicked")
      try expectSoon { try ScreenPicture("\(name)-lifted").colour(120, 80) == "green" }
      #expect(kiosk.transcript.count { $0 == "clicked" } == 2, "\(kiosk.transcript)")
      try daemon.finish()
    }

    /// Two fingers that go down over the button are the shell's.
    private func swipe(
      _ touch: VirtualTouchscreen, _ daemon: DaemonProcess, _ kiosk: Kiosk
    ) throws {
      let shell = try TouchProgram(daemon, "shell", options: .gestures)
      touch.down(0, x: 500, y: 80)
      touch.down(1, x: 540, y: 80)
      try touch.sync()
      try kiosk.wait(for: "touchstart_2_")
      for y in stride(from: Int32(90), through: 160, by: 10) {
        for (slot, x) in [(Int32(0), Int32(500)), (1, 540)] { touch.move(slot, x: x, y: y) }
        try touch.sync()
      }
      try shell.wait(for: "the swipe") { $0.gestures.last?.state == .recognized }
      for slot in [Int32(0), 1] { touch.up(slot) }
      try touch.sync()
    }
  }
}
