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
      // libinput 1.31's writes a file of quirks there, which no libinput can read where a name has
      // a "#", and which stays when it is killed: every later libinput of that user finds it.
      let ownRun = "XDG_RUNTIME_DIR=\(directory.path)"
      let player = try ChildProcess(
        URL(filePath: "/usr/bin/env"),
        [ownRun, "/usr/bin/python3", "-u", "/usr/libexec/libinput/libinput-replay", file],
        input: input.fileHandleForReading.fileDescriptor,
        output: output.fileHandleForWriting.fileDescriptor,
        errors: output.fileHandleForWriting.fileDescriptor)
      // It alone has the other end from now on: then what it says ends as it does.
      try output.fileHandleForWriting.close()
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
      player.signal(SIGKILL)
      player.waitForExit()
    }

    /// Compares two recordings as YAML: the devices, and the reports from the first one on that is
    /// at x = 100. libinput's tool does not know a machine that has a device tree and no DMI, nor
    /// a system without a version, such as Debian sid.
    private static let comparison = """
      import os, sys, yaml
      def device(path):
          recording = yaml.safe_load(open(path))
          assert recording["version"] == 1 and recording["ndevices"] == 1, recording
          device = recording["devices"][0]
          reports = [event["evdev"] for event in device["events"] if "evdev" in event]
          first = next(i for i, report in enumerate(reports)
                       if any(event[2:] == [3, 53, 100] for event in report))
          start = reports[first][0]
          reports = [[[(e[0] - start[0]) * 1000000 + e[1] - start[1], *e[2:]] for e in report]
                     for report in reports[first:]]
          system = recording["system"]
          return [device["node"], device["evdev"], sorted(device["udev"]["properties"]),
                  device.get("hid"), reports, system["kernel"], system.get("os"), system["dmi"]]
      (*ours, our_os, our_dmi), (*theirs, their_os, their_dmi) = map(device, sys.argv[1:])
      for pair in zip(ours, theirs):
          assert pair[0] == pair[1], pair
      if os.path.exists("/sys/class/dmi/id/modalias"):
          assert our_dmi == their_dmi, (our_dmi, their_dmi)
      if their_os is not None:
          assert our_os == their_os, (our_os, their_os)
      print("the same")
      """

    @Test("libinput record, beside it, writes the same device and the same reports")
    func beside() throws {
      let directory = try TemporaryDirectory()
      let (ours, theirs) = (directory.file("ours.yml"), directory.file("theirs.yml"))
      let screen = try panel("touchroute panel")
      let recorder = try recorder(screen.node, ours)
      let libinput = try RunningProgram(
        URL(filePath: "/usr/bin/libinput"), ["record", "-o", theirs, screen.node])
      func count(_ file: String) -> Int {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        return text.components(separatedBy: "- evdev:").count - 1
      }
      try waitUntil("libinput's tool has seen a tap") {
        try screen.tap(x: 10, y: 10)
        return count(theirs) > 0 || !libinput.isRunning
      }
      try touch(screen)
      try waitUntil("the last tap's end is in both files") {
        [ours, theirs].allSatisfy {
          let text = (try? String(contentsOfFile: $0, encoding: .utf8)) ?? ""
          guard let tap = text.range(of: " 400]"),
            let lift = text[tap.upperBound...].range(of: "57,      -1]")
          else { return false }
          return text[lift.upperBound...].contains("SYN_REPORT")
        }
      }
      libinput.signal(SIGINT)
      _ = libinput.finish()
      recorder.signal(SIGINT)
      _ = recorder.finish()
      let compared = try RunningProgram.run(
        URL(filePath: "/usr/bin/python3"), ["-c", Self.comparison, ours, theirs])
      #expect(compared.output == "the same\n", "\(compared.errors)")
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

    @Test("what it was too slow for is told of, and the report after that makes good for it")
    func dropped() throws {
      let directory = try TemporaryDirectory()
      let screen = try panel("touchroute panel")
      let recorder = try recorder(screen.node, directory.file("panel.yml"))
      screen.down(0, x: 100, y: 100)
      try screen.sync()
      recorder.signal(SIGSTOP)
      // More than the kernel keeps for a reader.
      for step in 0..<4_000 {
        screen.move(0, x: 100 + Int32(step % 500), y: 100)
        try screen.sync()
      }
      screen.move(0, x: 333, y: 222)
      screen.down(1, x: 700, y: 400)
      try screen.sync()
      recorder.signal(SIGCONT)
      func text() throws -> String {
        try String(contentsOfFile: directory.file("panel.yml"), encoding: .utf8)
      }
      try waitUntil("it has caught up") { try text().contains("# SYN_DROPPED") }
      screen.up(0)
      screen.up(1)
      try screen.sync()
      try waitUntil("it has the end") { try text().components(separatedBy: "-1]").count == 3 }
      recorder.signal(SIGINT)
      let result = recorder.finish()
      #expect(result.errors.contains("; events were lost 1 time"), "\(result.errors)")
      try directory.write("touchroute.toml", twoWindows)
      let played = try RunningProgram.run(
        Self.tool,
        [
          "play", "--dry", "--config", directory.file("touchroute.toml"),
          directory.file("panel.yml"),
        ])
      #expect(played.errors == "")
      #expect(played.output.contains("touch 1 ended at (333, 222)"), "\(played.output)")
      #expect(played.output.contains("touch 2 began at (700, 400)"), "\(played.output)")
      #expect(played.output.contains("touch 2 ended at (700, 400)"), "\(played.output)")
    }

    @Test("it reads beside the daemon, which lets go of a grabbed touchscreen meanwhile (F7)")
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
      func isGrabbed() throws -> Bool {
        try RunningProgram.run(Self.tool, ["status", "--socket", daemon.controlSocket]).output
          .contains("grabbed")
      }
      #expect(try isGrabbed())
      let second = try self.recorder(
        screen.node, directory.file("grabbed.yml"), "--socket", daemon.controlSocket)
      #expect(try !isGrabbed())
      #expect(daemon.log.contains("\(screen.node) is not grabbed while pid "), "\(daemon.log)")
      // Touches go on, and both have them.
      let owner = try TouchProgram(daemon, "left")
      try screen.tap(x: 100, y: 200)
      try owner.wait(ended: 1)
      try waitUntil("the tap is in the file") {
        try String(contentsOfFile: directory.file("grabbed.yml"), encoding: .utf8)
          .components(separatedBy: "- evdev:").count == 3
      }
      // A reload meanwhile does not grab it. Another recorder needs it as long as it runs.
      let third = try self.recorder(
        screen.node, directory.file("third.yml"), "--socket", daemon.controlSocket)
      let reload = try RunningProgram.run(
        Self.tool, ["reload", "--socket", daemon.controlSocket])
      #expect(reload.status == 0)
      second.signal(SIGINT)
      _ = second.finish()
      #expect(try !isGrabbed())
      third.signal(SIGKILL)
      _ = third.finish()
      try waitUntil("it is grabbed again") { try isGrabbed() }
      let other = try DeviceReader(screen.node, of: screen)
      try screen.tap(x: 100, y: 200)
      try owner.wait(ended: 2)
      #expect(other.frames.isEmpty)
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
