import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import VirtualDevices

extension DeviceTests {
  @Suite("touchroute record --device")
  struct DeviceRecordTests {
    private static let tool = Repository.program("touchroute")

    /// A recorder that has begun.
    private func recorder(_ arguments: String...) throws -> RunningProgram {
      let recorder = try RunningProgram(Self.tool, ["record", "--device"] + arguments)
      try waitUntil("it records") {
        recorder.errors.contains("until Ctrl-C") || !recorder.isRunning
      }
      #expect(recorder.isRunning, "\(recorder.errors)")
      return recorder
    }

    /// Two fingers, one after the other lifted, and a tap.
    private func touch(_ touch: VirtualTouchscreen) throws {
      touch.down(0, x: 100, y: 120)
      touch.down(1, x: 600, y: 240)
      try touch.sync()
      for x in 1...5 {
        usleep(8_000)
        touch.move(0, x: 100 + Int32(x) * 10, y: 120)
        touch.move(1, x: 600, y: 240 + Int32(x))
        try touch.sync()
      }
      for slot in 0..<2 {
        touch.up(Int32(slot))
        try touch.sync()
      }
      usleep(20_000)
      try touch.tap(x: 700, y: 400)
    }

    @Test("libinput replay plays what it has recorded, report by report")
    func replay() throws {
      let directory = try TemporaryDirectory()
      let file = directory.file("panel.yml")
      let screen = try panel("touchroute \"panel\" #7")
      let original = try DeviceReader(screen.node, of: screen)
      let recorder = try recorder(screen.node, file)
      try touch(screen)
      #expect(original.wait { $0.frames.count == 10 })
      try waitUntil("all is in the file") {
        try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "- evdev:").count
          == 11
      }
      recorder.signal(SIGINT)
      let result = recorder.finish()
      #expect(result.status == -SIGINT)
      #expect(result.errors.contains("10 reports of touchroute \"panel\" #7 are in \(file)"))
      screen.unplug()

      let input = Pipe()
      let output = Pipe()
      let player = try ChildProcess(
        URL(filePath: "/usr/bin/python3"), ["-u", "/usr/libexec/libinput/libinput-replay", file],
        input: input.fileHandleForReading.fileDescriptor,
        output: output.fileHandleForWriting.fileDescriptor,
        errors: output.fileHandleForWriting.fileDescriptor)
      var said = ""
      while !said.contains("Hit enter to start"), player.isRunning {
        said += String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      }
      // It gives udev 0.2 s, and warns of what is missing then; but not of what is another.
      #expect(!said.contains("mismatch") && !said.contains("Error"), "\(said)")
      let line = said.split(separator: "\n").first { $0.hasPrefix("/dev/input/") } ?? ""
      #expect(line.hasSuffix(": touchroute \"panel\" #7"), "\(said)")
      let replayed = try DeviceReader(String(line.prefix { $0 != ":" }))
      input.fileHandleForWriting.write(Data("\n".utf8))
      #expect(replayed.wait { $0.frames.count == 10 })
      #expect(replayed.words == original.words)
      player.signal(SIGINT)
      player.waitForExit()
    }

    @Test("play and doctor read it; contacts that were down when it began are in it")
    func own() throws {
      let directory = try TemporaryDirectory()
      let screen = try panel("touchroute panel")
      screen.down(3, x: 400, y: 240)
      try screen.sync()
      let recorder = try recorder("touchroute panel", directory.file("panel.yml"))
      screen.move(3, x: 410, y: 240)
      try screen.sync()
      screen.up(3)
      try screen.sync()
      try waitUntil("all is in the file") {
        try String(contentsOfFile: directory.file("panel.yml"), encoding: .utf8)
          .components(separatedBy: "- evdev:").count == 4
      }
      recorder.signal(SIGTERM)
      #expect(recorder.finish().status == -SIGTERM)
      try directory.write("touchroute.toml", twoWindows)
      let played = try RunningProgram.run(
        Self.tool,
        [
          "play", "--dry", "--config", directory.file("touchroute.toml"),
          directory.file("panel.yml"),
        ])
      #expect(played.errors == "" && played.status == 0)
      #expect(played.output.contains("touch 1 began at (400, 240), hit right"), "\(played.output)")
      #expect(played.output.contains("touch 1 ended at (410, 240)"), "\(played.output)")
      let examined = try RunningProgram.run(
        Self.tool, ["doctor", "--replay", directory.file("panel.yml"), "--size", "800x480"])
      #expect(examined.errors == "", "\(examined)")
      #expect(examined.output.hasPrefix("touchroute panel (1234:5678): 1 contacts in "))
    }

    @Test("it reads beside the daemon; a touchscreen that the daemon has grabbed is refused")
    func daemon() throws {
      let directory = try TemporaryDirectory()
      let screen = try panel("touchroute panel")
      var daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let recorder = try recorder(
        screen.node, directory.file("beside.yml"), "--socket", daemon.controlSocket)
      let program = try TouchProgram(daemon, "left")
      try screen.tap(x: 100, y: 200)
      try program.wait(ended: 1)
      try waitUntil("the tap is in the file") {
        try String(contentsOfFile: directory.file("beside.yml"), encoding: .utf8)
          .components(separatedBy: "- evdev:").count == 3
      }
      recorder.signal(SIGINT)
      _ = recorder.finish()
      try daemon.finish()
      daemon = try DaemonProcess.start(
        twoWindows + "[[device]]\nmatch = { name = \"touchroute panel\" }\ngrab = true\n",
        touchscreens: 1)
      let refused = try RunningProgram.run(
        Self.tool,
        [
          "record", "--device", screen.node, directory.file("grabbed.yml"), "--socket",
          daemon.controlSocket,
        ])
      #expect(refused.status == 1)
      #expect(
        refused.errors.contains("touchrouted has grabbed \(screen.node), so nobody else"),
        "\(refused.errors)")
      #expect(!FileManager.default.fileExists(atPath: directory.file("grabbed.yml")))
      try daemon.finish()
    }

    @Test("a touchscreen that goes, a mouse and a name that nothing has end it with a sentence")
    func bad() throws {
      let directory = try TemporaryDirectory()
      let screen = try panel("touchroute panel")
      let recorder = try recorder(screen.node, directory.file("gone.yml"))
      try screen.tap(x: 1, y: 2)
      try waitUntil("the tap is in the file") {
        try String(contentsOfFile: directory.file("gone.yml"), encoding: .utf8)
          .components(separatedBy: "- evdev:").count == 3
      }
      screen.unplug()
      let gone = recorder.finish()
      #expect(gone.status == 1 && gone.errors.contains("is gone: "), "\(gone)")
      let mouse = try VirtualTouchscreen(.mouse(name: "touchroute mouse"))
      func refusal(_ name: String) throws -> String {
        let result = try RunningProgram.run(
          Self.tool, ["record", "--device", name, directory.file("none.yml")])
        #expect(result.status == 1)
        return result.errors
      }
      #expect(try refusal(mouse.node).contains("is a mouse: only touchscreens are recorded"))
      #expect(try refusal("nothing").contains("there is no touchscreen \"nothing\""))
    }
  }
}
