import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import VirtualDevices

extension DeviceTests {
  /// Debian's `qml` twice, on two halves of a panel and of a framebuffer, which QEMU takes pictures
  /// of, 120 lines below the screen's first: Qt's evdev handler and its libinput handler.
  @Suite(
    "Qt 6 as it is, on one screen",
    .enabled(if: ScreenPicture.folder != nil, "there is no screen; see scripts/guest --pictures"))
  struct ForeignQtTests {
    private static let program = """
      import QtQuick
      Window {
        visible: true
        color: "#304050"
        property bool isShown: false
        onFrameSwapped: if (!isShown) { isShown = true; console.log("shown") }
        Rectangle {
          x: 50; y: 50; width: 100; height: 200
          color: area.pressed ? "red" : "green"
          MouseArea {
            id: area
            anchors.fill: parent
            onPressed: (mouse) => console.log("pressed", Math.round(mouse.x), Math.round(mouse.y))
            onClicked: console.log("clicked")
          }
        }
        Rectangle {
          id: knob
          x: 50; y: 350; width: 60; height: 60
          color: "blue"
          DragHandler {
            yAxis.enabled: false
            onActiveChanged: if (!active) console.log("dragged", Math.round(knob.x / 10) * 10)
          }
        }
        MultiPointTouchArea {
          x: 200; y: 50; width: 180; height: 200
          onTouchUpdated: (points) => { if (points.length == 2) console.log("two fingers") }
        }
      }
      """

    /// Two windows, and a shell that takes two fingers which go down the screen together.
    static let layout =
      windowsSideBySide + """
        [[window]]
        name = "shell"
        frame = [0, 0, 1, 1]
        level = -1
        [[gesture]]
        screen = "panel"
        name = "close"
        kind = "swipe"
        direction = "down"
        touches = 2
        duration_ms = 60000
        gather_ms = 60000
        to = "shell"
        priority = true

        """

    /// One of the two, with its touchscreen.
    private final class Half {
      let name: String
      private let offset: Int
      private let output: OutputProcess
      private let file: String
      private let folder: TemporaryDirectory
      private var qml: ForeignProgram?

      init(_ name: String, at offset: Int, _ daemon: DaemonProcess) throws {
        self.name = name
        self.offset = offset
        output = try OutputProcess(daemon, name)
        folder = try TemporaryDirectory()
        file = try folder.write("half.qml", ForeignQtTests.program)
        chmod(folder.url.path, 0o700)
      }

      func node() throws -> String { try output.node() }

      /// Starts it, without waiting for it: an emulated machine takes 10 s for that.
      func start(hiding hidden: [String], _ environment: [String: String]) throws {
        // Qt takes the offset off the size, and puts what has none into the middle.
        let platform = "linuxfb:size=\(400 + offset)x600:offset=\(offset)x120"
        let common = [
          "QT_QPA_PLATFORM": platform, "QT_QUICK_BACKEND": "software",
          "XDG_RUNTIME_DIR": folder.url.path,
        ]
        qml = try ForeignProgram(
          "/usr/lib/qt6/bin/qml", [file], hiding: hidden,
          environment: common.merging(environment) { $1 })
      }

      func kill() { qml?.kill() }

      func wait(for line: String) throws { try #require(qml).wait(for: line) }

      /// What it said of its touches.
      var transcript: [String] {
        (qml?.lines ?? []).filter { $0.hasPrefix("qml: ") }.map { String($0.dropFirst(5)) }
      }
    }

    /// Both, and the panel.
    private struct Halves {
      let daemon: DaemonProcess
      let touch: VirtualTouchscreen
      let left: Half
      let right: Half

      init(_ layout: String) throws {
        try run("modprobe", "cirrusfb", "mode_option=800x600-16@60")
        touch = try panel()
        daemon = try DaemonProcess.start(
          layout, touchscreens: 1, arguments: ["--seat", "seat-touchroute"])
        left = try Half("left", at: 0, daemon)
        right = try Half("right", at: 400, daemon)
        _ = try (left.node(), right.node())
      }

      /// libinput's reader reads all of seat0 that it finds.
      func start() throws {
        try left.start(
          hiding: [],
          [
            "QT_QPA_FB_NO_LIBINPUT": "1",
            "QT_QPA_EVDEV_TOUCHSCREEN_PARAMETERS": "/dev/input/touchroute/left",
          ])
        try right.start(hiding: [left.node()], [:])
        for half in [left, right] { try half.wait(for: "shown") }
      }
    }

    @Test(
      "taps, drags and two fingers are their window's; a shell's swipe presses nothing (T12, G9)")
    func halves() throws {
      let rules = try SeatRules()
      defer { rules.remove() }
      let halves = try Halves(Self.layout)
      let (touch, left, right) = (halves.touch, halves.left, halves.right)
      try halves.start()

      // A finger on each, at once.
      touch.down(0, x: 100, y: 100)
      touch.down(1, x: 520, y: 150)
      try touch.sync()
      try left.wait(for: "pressed 50 50")
      try right.wait(for: "pressed 70 100")
      try expectSoon {
        let picture = try ScreenPicture("halves-pressed")
        return [60, 460].allSatisfy { picture.colour($0, 180) == "red" }
      }
      touch.up(0)
      touch.up(1)
      try touch.sync()
      for half in [left, right] { try half.wait(for: "clicked") }

      try swipe(halves)

      // Two on one, then a drag on each.
      touch.down(0, x: 640, y: 100)
      touch.down(1, x: 740, y: 100)
      try touch.sync()
      try right.wait(for: "two fingers")
      touch.up(0)
      touch.up(1)
      try touch.sync()
      try drag(touch, from: 80, y: 380)
      try left.wait(for: "dragged 250")
      try drag(touch, from: 480, y: 380)
      try right.wait(for: "dragged 250")
      try expectSoon {
        let picture = try ScreenPicture("halves-dragged")
        return [0, 400].allSatisfy { x in
          picture.colour(x + 60, 180) == "green" && picture.colour(x + 80, 500) == "grey"
            && picture.colour(x + 280, 500) == "blue"
        }
      }
      let words = ["clicked", "pressed 50 50", "dragged 250"]
      #expect(left.transcript == ["shown", "pressed 50 50"] + words)
      #expect(
        right.transcript
          == ["shown", "pressed 70 100", "clicked", "pressed 70 50", "two fingers", "dragged 250"])

      // Each is killed, and started again, on the touchscreen that has stayed.
      left.kill()
      right.kill()
      try halves.start()
      try touch.tap(x: 100, y: 100)
      try left.wait(for: "clicked")
      try touch.tap(x: 520, y: 150)
      try right.wait(for: "clicked")
      #expect(left.transcript == ["shown", "pressed 50 50", "clicked"])
      #expect(right.transcript == ["shown", "pressed 70 100", "clicked"])
      try halves.daemon.finish()
    }

    /// Two fingers that go down across both are the shell's, where a lift would be a click.
    private func swipe(_ halves: Halves) throws {
      let touch = halves.touch
      let shell = try TouchProgram(halves.daemon, "shell", options: .gestures)
      touch.down(0, x: 100, y: 100)
      touch.down(1, x: 520, y: 100)
      try touch.sync()
      for half in [halves.left, halves.right] { try half.wait(for: "pressed") }
      for y in stride(from: Int32(110), through: 180, by: 10) {
        touch.move(0, x: 100, y: y)
        touch.move(1, x: 520, y: y)
        try touch.sync()
      }
      try shell.wait(for: "the swipe") { $0.gestures.last?.state == .recognized }
      touch.up(0)
      touch.up(1)
      try touch.sync()
    }

    /// By 200 points to the right, as a finger goes.
    private func drag(_ touch: VirtualTouchscreen, from x: Int32, y: Int32) throws {
      touch.down(x: x, y: y)
      try touch.sync()
      for step in 1...10 as ClosedRange<Int32> {
        touch.move(x: x + 20 * step, y: y)
        try touch.sync()
        usleep(20_000)
      }
      touch.up()
      try touch.sync()
    }
  }
}
