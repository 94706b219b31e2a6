import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import TouchModel
import VirtualDevices

/// Foundation has one too.
private typealias Map = TouchModel.AffineTransform

extension DeviceTests {
  @Suite("touchroute calibrate")
  struct CalibrateTests {
    /// A touchscreen of 4096 by 4096 units that is off by a map, and a person with a pen.
    private final class Panel {
      let screen: VirtualTouchscreen
      /// From the screen's share to the device's.
      private let inverse: Map

      /// - Parameter map: What the device's coordinates would have to go through.
      init(_ name: String = "touchroute panel", off map: Map) throws {
        screen = try VirtualTouchscreen(.multitouch(name: name))
        inverse = try #require(map.inverted())
      }

      /// The device's units of a point of the screen, which has 800 by 480.
      private func units(_ x: Double, _ y: Double) -> (x: Int32, y: Int32) {
        let place = inverse.apply(Point(x: x / 800, y: y / 480))
        func unit(_ share: Double) -> Int32 { Int32((min(max(share, 0), 0.9999) * 4096).rounded()) }
        return (unit(place.x), unit(place.y))
      }

      func press(_ x: Double, _ y: Double) throws {
        let place = units(x, y)
        screen.down(0, x: place.x, y: place.y)
        try screen.sync()
        screen.move(0, x: place.x + 3, y: place.y - 2)
        try screen.sync()
        screen.up(0)
        try screen.sync()
      }
    }

    /// The tool, which is answered press by press.
    private final class Session {
      let tool: RunningProgram
      let folder: TemporaryDirectory
      private var count = 0

      init(
        _ layout: String = twoWindows, in directory: TemporaryDirectory? = nil,
        framebuffer: String = "none", _ arguments: String...
      ) throws {
        folder = try directory ?? TemporaryDirectory()
        if directory == nil { try folder.write("touchroute.toml", layout) }
        tool = try RunningProgram(
          Repository.program("touchroute"),
          [
            "calibrate", "--config", folder.file("touchroute.toml"), "--framebuffer", framebuffer,
          ] + arguments)
      }

      /// What it says, on standard output or, with --json, on standard error.
      private var said: [String] {
        tool.lines + tool.errors.split(separator: "\n").map(String.init)
      }

      /// Where it wants the next press; nil once it has ended.
      func next() throws -> (x: Double, y: Double)? {
        count += 1
        let words = try line("\(count) of ")
        guard let words, let match = words.firstMatch(of: #/at \((\d+), (\d+)\)/#),
          let x = Double(match.1), let y = Double(match.2)
        else { return nil }
        return (x, y)
      }

      /// The line with that in it; nil where it ends before.
      func line(_ words: String) throws -> String? {
        try waitUntil("it says \(words)") {
          said.contains { $0.contains(words) } || !tool.isRunning
        }
        return said.first { $0.contains(words) }
      }

      /// Presses all crosses.
      func press(_ panel: Panel, off error: Double = 0) throws {
        var random = SystemRandomNumberGenerator()
        while let place = try next() {
          try panel.press(
            place.x + .random(in: -error...error, using: &random),
            place.y + .random(in: -error...error, using: &random))
        }
      }
    }

    private static let map = Map(
      a: 1.12, b: -0.03, c: 0.04, d: 0.91, tx: -0.05, ty: 0.06)

    @Test("a device that is off by a known matrix is right after a reload with what it writes")
    func matrix() throws {
      let panel = try Panel(off: Self.map)
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let program = try TouchProgram(daemon, "left", "right")
      let session = try Session(
        twoWindows, in: daemon.directory, framebuffer: "none", panel.screen.node, "--write")
      try session.press(panel, off: 2)
      let result = session.tool.finish()
      #expect(result.status == 0 && result.errors == "", "\(result)")
      #expect(result.output.contains("it needs a matrix. With this in the configuration"))
      let file = daemon.directory.file("conf.d/calibrate-touchroute-panel.toml")
      #expect(result.output.contains("written to \(file); touchroute reload puts it in force"))
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let numbers = text.split(separator: "\n").first { $0.hasPrefix("calibration = [") }?
        .dropFirst(15).dropLast().split(separator: ",")
        .compactMap { Double($0.drop { $0 == " " }) }
      let map = Self.map
      for (found, wanted) in zip(numbers ?? [], [map.a, map.c, map.tx, map.b, map.d, map.ty]) {
        #expect(abs(found - wanted) < 0.02, "\(text)")
      }
      #expect(numbers?.count == 6)
      // Nothing of the presses came to the programs.
      try program.settle()
      #expect(program.touches == [])
      let reload = try RunningProgram.run(
        Repository.program("touchroute"), ["reload", "--socket", daemon.controlSocket])
      #expect(reload.status == 0, "\(reload)")
      for (index, place) in [(200.0, 100.0), (600, 400), (740, 400)].enumerated() {
        try panel.press(place.0, place.1)
        try program.wait(ended: index + 1)
        let began = try #require(program.frames.flatMap(\.touches).last { $0.phase == .began })
        let distance = began.screenLocation.distance(to: Point(x: place.0, y: place.1))
        #expect(distance < 6, "\(place): \(began.screenLocation)")
      }
      try daemon.finish()
      // Once more, with another pen: what it has written is replaced.
      let again = try Session(
        twoWindows, in: daemon.directory, framebuffer: "none", panel.screen.node, "--write",
        "--crosses", "9")
      try again.press(panel)
      #expect(again.tool.finish().status == 0)
      let replaced = try String(contentsOfFile: file, encoding: .utf8)
      #expect(replaced != text && replaced.hasPrefix("# Written by touchroute calibrate.\n"))
    }

    @Test("a touchscreen that the daemon has grabbed is let go of, and then grabbed again (F7)")
    func grabbed() throws {
      let panel = try Panel(off: Self.map)
      let layout = twoWindows + "[[device]]\nmatch = { name = \"touchroute panel\" }\ngrab = true\n"
      let daemon = try DaemonProcess.start(layout, touchscreens: 1)
      let program = try TouchProgram(daemon, "left", "right")
      let session = try Session(
        layout, in: daemon.directory, framebuffer: "none", panel.screen.node, "--socket",
        daemon.controlSocket)
      try session.press(panel)
      #expect(session.tool.finish().status == 0)
      try program.settle()
      #expect(program.touches == [])
      // The daemon finds out at the next touch where the tool had it a moment longer.
      try panel.press(200, 100)
      try program.wait(ended: 1)
      let other = try DeviceReader(panel.screen.node, of: panel.screen)
      try panel.press(200, 100)
      try program.wait(ended: 2)
      #expect(other.frames.isEmpty)
      try daemon.finish()
    }

    @Test("a quarter turn is written as that, and an inversion too")
    func orientations() throws {
      let cases = [
        ("rotation = 90", Map(a: 0, b: 1, c: -1, d: 0, tx: 1, ty: 0)),
        ("invert_y = true", Map(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: 1)),
      ]
      for (key, map) in cases {
        let panel = try Panel(off: map)
        let session = try Session(twoWindows, framebuffer: "none", panel.screen.node, "--json")
        try session.press(panel)
        let result = session.tool.finish()
        #expect(result.status == 0, "\(result)")
        let report = try #require(
          try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(report["remedy"] as? String == "orientation")
        #expect(
          report["lines"] as? [String] == [
            "[[device]]", "match = { name = \"touchroute panel\", id = \"1234:5678\" }", key,
          ])
        let distances = try #require(report["after"] as? [String: Double])
        #expect((distances["most"] ?? 100) < 3)
      }
    }

    @Test("presses that can't be, and presses that do not fit, are refused with a sentence")
    func refused() throws {
      let panel = try Panel(off: .identity)
      func errors(_ press: (Int, (x: Double, y: Double)) throws -> Void) throws -> String {
        let session = try Session(twoWindows, framebuffer: "none", panel.screen.node)
        var count = 0
        while let place = try session.next() {
          try press(count, place)
          count += 1
        }
        let result = session.tool.finish()
        #expect(result.status == 1 && !result.output.contains("[[device]]"), "\(result)")
        return result.errors
      }
      #expect(
        try errors { _, _ in try panel.press(400, 240) }.contains(
          "all presses were at one place, 50"))
      #expect(
        try errors { _, place in try panel.press(place.x, 240) }
          .contains("all presses lie on one line"))
      #expect(
        try errors { count, place in try panel.press(place.x, place.y + (count == 2 ? 120 : 0)) }
          .contains("the presses do not fit together: whatever the calibration, they are "))
    }

    @Test("two fingers, a stroke and a touchscreen that goes are told of")
    func person() throws {
      let panel = try Panel(off: .identity)
      let session = try Session(twoWindows, framebuffer: "none", panel.screen.node)
      _ = try session.next()
      panel.screen.down(0, x: 1000, y: 1000)
      panel.screen.down(1, x: 2000, y: 2000)
      try panel.screen.sync()
      panel.screen.up(0)
      panel.screen.up(1)
      try panel.screen.sync()
      #expect(try session.line("several fingers were down") != nil)
      panel.screen.down(0, x: 1000, y: 1000)
      try panel.screen.sync()
      panel.screen.move(0, x: 2000, y: 1000)
      try panel.screen.sync()
      panel.screen.up(0)
      try panel.screen.sync()
      #expect(try session.line("the finger went on") != nil)
      panel.screen.unplug()
      let result = session.tool.finish()
      #expect(
        result.status == 1 && result.errors.contains("is gone: the touchscreen was unplugged"))
    }

    @Test("what can't be calibrated, written or drawn on is refused before the first press")
    func unable() throws {
      let panel = try Panel(off: .identity)
      func errors(
        _ layout: String, framebuffer: String = "none", _ arguments: String...
      ) throws -> String {
        let directory = try TemporaryDirectory()
        try directory.write("touchroute.toml", layout)
        let result = try RunningProgram.run(
          Repository.program("touchroute"),
          [
            "calibrate", panel.screen.node, "--config", directory.file("touchroute.toml"),
            "--framebuffer", framebuffer,
          ] + arguments)
        #expect(result.status == 1 && result.output == "", "\(result)")
        return result.errors
      }
      let rule = twoWindows + "[[device]]\nmatch = { name = \"touchroute*\" }\n"
      #expect(
        try errors(rule, framebuffer: "none", "--write").contains(
          "[[device]] number 1 of the configuration matches the touchscreen already"))
      #expect(
        try errors(rule, framebuffer: "none", "--screen", "panel").contains(
          "so --screen can't be given"))
      #expect(try errors(rule + "ignore = true\n").contains("remove ignore = true"))
      #expect(
        try errors(twoWindows, framebuffer: "none", "--screen", "tv").contains(
          "there is no screen \"tv\"; the configuration has panel"))
      #expect(
        try errors(twoWindows, framebuffer: "/dev/null").contains(
          "/dev/null is no framebuffer: name another one by --framebuffer"))
      #expect(try errors(twoWindows, framebuffer: "/dev/fb7").contains("there is no /dev/fb7"))
    }

    @Test(
      "crosses are on the framebuffer console while it asks, and what was there is there again",
      .enabled(if: ScreenPicture.folder != nil, "there is no screen; see scripts/guest --pictures"))
    func picture() throws {
      #expect(
        try RunningProgram.run("modprobe", "cirrusfb", "mode_option=800x600-16@60").status == 0)
      let former = try ScreenPicture("calibrate-before")
      let panel = try Panel(off: Self.map)
      let session = try Session(twoWindows, framebuffer: "/dev/fb0", panel.screen.node)
      for _ in 0..<2 {
        let place = try #require(try session.next())
        try panel.press(place.x, place.y)
      }
      let third = try #require(try session.next())
      #expect(third == (400, 240))
      let picture = try ScreenPicture("calibrate")
      // The panel has 800 by 600 pixels for 480 points: the crosses are at shares of it.
      #expect(picture.parts(400, 300).allSatisfy { $0 > 240 })
      #expect(picture.parts(400 - 30, 300).allSatisfy { $0 > 240 })
      #expect(picture.parts(400 - 30, 330) == [0, 0, 0])
      for (x, y) in [(96, 72), (704, 72)] { #expect(picture.colour(x, y) == "green") }
      let waiting = picture.parts(96, 528)
      #expect(waiting.allSatisfy { (60..<130).contains($0) }, "\(waiting)")
      session.tool.signal(SIGINT)
      #expect(session.tool.finish().status == -SIGINT)
      let after = try ScreenPicture("calibrate-after")
      for (x, y) in [(400, 300), (370, 300), (704, 72), (96, 528)] {
        #expect(after.parts(x, y) == former.parts(x, y))
      }
    }
  }
}
