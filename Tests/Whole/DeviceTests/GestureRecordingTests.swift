import CLibevdev
import DaemonSupport
import Foundation
import Testing
import TouchClient
import TouchModel
import VirtualDevices

extension DeviceTests {
  @Suite("Gestures: recordings of real touchscreens")
  struct GestureRecordingTests {
    /// Recognizers that let each other be, of one view that is all of the screen. Their times are
    /// so long that it does not matter how fast a recording is played.
    private static let glass: String = {
      let recognizers = [
        ("triple", "kind = \"tap\"\ntaps = 3\ninterval_ms = 60000\nduration_ms = 60000"),
        ("tap", "kind = \"tap\"\nduration_ms = 60000"),
        ("pair", "kind = \"tap\"\ntouches = 2\ngather_ms = 60000\nduration_ms = 60000"),
        ("pan", "kind = \"pan\""),
        ("scroll", "kind = \"pan\"\ndirection = \"vertical\""),
        ("flick", "kind = \"swipe\"\ndirection = \"up\"\nduration_ms = 60000"),
        (
          "fling",
          "kind = \"swipe\"\ndirection = \"down\"\ntouches = 4\ngather_ms = 60000\n"
            + "duration_ms = 60000"
        ),
        ("pinch", "kind = \"pinch\""),
        ("turn", "kind = \"rotation\""),
        ("edge", "kind = \"edge_pan\"\nedge = \"left\"\nmargin = 40"),
      ]
      let all = recognizers.map { "\"glass#\($0.0)\"" }.joined(separator: ", ")
      return "[screen.panel]\nsize = [800, 480]\n[[window]]\nname = \"glass\"\n"
        + recognizers.map {
          "[[gesture]]\nview = \"glass\"\nname = \"\($0.0)\"\n\($0.1)\nsimultaneous = [\(all)]\n"
        }.joined()
    }()

    /// What each recording's fingers are, changes left out. The numbers are of the recording, as a
    /// spreadsheet would have them: how many fingers, and what they did from first to last.
    private static let expected: [(recording: String, gestures: [String])] = [
      (
        "Atmel maXTouch Touchscreen.1-finger-fast-taps",
        Array(
          repeating: [
            "tap recognized 1", "tap recognized 1", "triple recognized 1", "tap recognized 1",
          ],
          count: 3
        ).flatMap(\.self)
      ),
      ("EP0430M09.2-fingers-touch-release", ["pair recognized 2"]),
      (
        "Atmel maXTouch Touchscreen.1-finger-drag-up-down",
        [
          "pan began 1", "scroll began 1", "flick recognized 1", "pan ended 1 by 21.0 14.0",
          "scroll ended 1 by 21.0 14.0",
        ]
      ),
      (
        "EP0430M09.2-finger-scroll-down",
        [
          "pan began 2", "scroll began 2", "pan ended 2 by -29.7 -191.9",
          "scroll ended 2 by -29.7 -191.9",
        ]
      ),
      (
        "Atmel maXTouch Touchscreen.4-finger-drag-down",
        [
          "pan began 3", "scroll began 3", "fling recognized 4", "pan ended 4 by 7.2 172.9",
          "scroll ended 4 by 7.2 172.9",
        ]
      ),
      (
        "Wacom ISDv4 E6 Finger.double-center-circle",
        [
          "pan began 2", "turn began 2", "pan ended 2 by 78.9 2.0", "turn ended 2 turned 26.3",
        ]
      ),
      (
        "Wacom ISDv4 E6 Finger.single-top-swipe",
        [
          "pan began 1", "edge began 1", "pan ended 1 by 736.0 -2.4", "edge ended 1 by 736.0 -2.4",
        ]
      ),
      (
        "Dell Canvas Touch",
        [
          // Two fingers that lie there for a third of a second.
          "pair recognized 2",
          // Four that wander about.
          "pan began 1", "scroll began 1", "turn began 4", "pan ended 4 by -2.2 -23.2",
          "scroll ended 4 by -2.2 -23.2", "turn ended 4 turned 12.1",
          // Five that close.
          "pan began 5", "pinch began 5", "pan ended 5 by -29.5 5.0", "pinch ended 5 scaled 0.577",
          // One that goes right and up.
          "pan began 1", "scroll began 1", "pan ended 1 by 120.3 -106.2",
          "scroll ended 1 by 120.3 -106.2",
        ]
      ),
    ]

    @Test("real fingers are the gestures that they were, with the values of each frame (G3, G16)")
    func replay() throws {
      let daemon = try DaemonProcess.start(Self.glass, touchscreens: 0)
      let program = try TouchProgram(daemon, "glass", options: .gestures)
      for (name, gestures) in Self.expected {
        let recording = try #require(
          Recording.touchscreens.first { $0.name == name + ".events" }, "\(name)")
        let touch = try VirtualTouchscreen(recording.sheet)
        try daemon.wait(for: "touchscreens: 1")
        let first = program.gestures.count
        try play(recording, on: touch, to: program)
        #expect(
          program.gestures[first...].filter { $0.state != .changed }.map(Self.words) == gestures,
          "\(name)")
        touch.unplug()
        try daemon.wait(for: "touchscreens: 0")
      }
      #expect(program.violations == [])
      #expect(program.liveTouches == 0)
      try daemon.finish()
    }

    /// Plays a few frames at a time, fewer than the kernel keeps for a reader, and holds what comes
    /// of them to what the fingers did in one of them. Frames that nobody has read yet are merged.
    private func play(
      _ recording: Recording, on touch: VirtualTouchscreen, to program: TouchProgram
    ) throws {
      var fingers = [try #require(RecordedFingers(recording.sheet))]
      let frames = recording.recording.frames.filter { $0.events.contains(where: \.isOfFingers) }
      for start in stride(from: 0, to: frames.count, by: 4) {
        fingers = fingers.suffix(1)
        let seen = program.gestures.count
        for frame in frames[start...].prefix(4) {
          var next = fingers[fingers.count - 1]
          next.take(frame.events)
          fingers.append(next)
          try touch.send(frame.events)
        }
        try program.settle()
        for gesture in program.gestures[seen...] {
          #expect(
            fingers.indices.dropFirst().contains { index in
              agrees(gesture, with: fingers[index], after: fingers[index - 1])
            }, "\(recording.name), frames from \(start): \(gesture)")
        }
      }
    }

    /// Whether a gesture is as it must be where a frame came after another.
    private func agrees(
      _ gesture: Gesture, with fingers: RecordedFingers, after before: RecordedFingers
    ) -> Bool {
      let isOfTwo = gesture.kind == .pinch || gesture.kind == .rotation
      let travel = isOfTwo ? fingers.severalFingers : fingers.anyFingers
      let earlier = isOfTwo ? before.severalFingers : before.anyFingers
      let name = Self.name(gesture)
      if gesture.state == .began, name != "edge" {
        guard travel.isEnough(for: name), !earlier.isEnough(for: name) else { return false }
      }
      if gesture.state == .began || gesture.state == .changed {
        guard gesture.touches == travel.count,
          gesture.location.distance(to: travel.centroid) < 0.01
        else { return false }
      }
      return switch gesture.kind {
      case .pan, .edgePan: gesture.translation.distance(to: travel.translation) < 0.01
      case .pinch: abs(gesture.scale - travel.scale) < 0.001
      case .rotation: abs(gesture.rotation - travel.rotation) < 0.01
      default: true
      }
    }

    private static func name(_ gesture: Gesture) -> String {
      String(gesture.path.drop { $0 != "#" }.dropFirst())
    }

    /// "pan ended 2 by 10.0 -3.5": the fingers, and at the end what they did.
    private static func words(_ gesture: Gesture) -> String {
      let words = "\(name(gesture)) \(gesture.state) \(gesture.touches)"
      guard gesture.state == .ended else { return words }
      return switch gesture.kind {
      case .pinch: words + String(format: " scaled %.3f", gesture.scale)
      case .rotation: words + String(format: " turned %.1f", gesture.rotation)
      default:
        words + String(format: " by %.1f %.1f", gesture.translation.x, gesture.translation.y)
      }
    }
  }
}

extension InputEvent {
  /// Whether it says something of a finger, and is no time of the device's own.
  fileprivate var isOfFingers: Bool { type == UInt16(EV_ABS) || type == UInt16(EV_KEY) }
}
