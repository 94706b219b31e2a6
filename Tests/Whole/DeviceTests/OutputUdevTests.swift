import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchInput
import TouchModel
import VirtualDevices

extension DeviceTests {
  @Suite("Outputs: udev, and who may have what")
  struct OutputUdevTests {
    @Test("udev links it by its name, takes it for a touchscreen, and leaves no calibration on it")
    func link() throws {
      let shipped = try ShippedRules()
      defer { shipped.remove() }
      // What a machine may have for all of its touchscreens.
      let rule = try UdevRuleFile(
        "ENV{ID_INPUT_TOUCHSCREEN}==\"1\", ENV{ID_SEAT}=\"seat-touchroute\", "
          + "ENV{LIBINPUT_CALIBRATION_MATRIX}=\"0 1 0 -1 0 1\"")
      defer { rule.remove() }
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 0)
      let output = try OutputProcess(daemon, "left/button")
      let node = try output.node()
      let link = "/dev/input/touchroute/left-button"
      try expectSoon {
        let target = URL(filePath: link).resolvingSymlinksInPath().path
        return try isReady(node) && target == node
      }
      let properties = try properties(of: node)
      #expect(properties.contains("ID_INPUT_TOUCHSCREEN=1"))
      #expect(properties.contains("TOUCHROUTE_OUTPUT=touchroute/left-button"))
      #expect(!properties.contains { $0.hasPrefix("LIBINPUT_CALIBRATION_MATRIX") })
      #expect(!properties.contains { $0.hasPrefix("ID_SEAT") })
      #expect(output.program.isRunning)
      output.program.kill()
      try expectSoon { !FileManager.default.fileExists(atPath: link) }
    }

    @Test("the daemon never reads one back, by its seat or by its name, and list-devices says so")
    func neverReadBack() throws {
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 0)
      let output = try OutputProcess(daemon, "left")
      let node = try output.node()
      try expectSoon { try isReady(node) }
      let seat = try SeatFixture(.seat("seat0"))
      #expect(seat.seat.devices.isEmpty)
      let error = #expect(throws: TouchInputError.self) { try SeatFixture(.nodes([node])) }
      #expect(error?.description.contains("which touchrouted never reads") == true)
      let touch = try panel()
      try daemon.wait(for: "touchscreens: 1")
      let reader = try DeviceReader(touch.node)
      let reports = try DeviceProbe.reports(matcher: nil)
      let report = try #require(reports.first { $0.description.node == node })
      #expect(report.verdict == .output("left"))
      let ofPanel = try #require(reports.first { $0.description.node == touch.node })
      #expect(ofPanel.readers?.contains { $0.isDaemon && $0.pid == daemon.pid } == true)
      withExtendedLifetime(reader) {}
    }

    @Test("list-devices says which other program has a panel open")
    func readers() throws {
      let touch = try panel("touchroute looked at")
      let other = try RunningProgram(
        URL(filePath: "/bin/sh"), ["-c", "exec sleep 1000 <\(touch.node)"])
      let sentence = "sleep (pid \(other.identifier)) has it open too, and gets every touch"
      try expectSoon {
        let listing = try RunningProgram.run(
          Repository.program("touchroute"), ["list-devices"])
        return listing.output.contains(sentence)
      }
    }

    @Test("two outputs of one name: the second says so, and ends")
    func twoOfOneName() throws {
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 0)
      let first = try OutputProcess(daemon, "--name", "same", "left")
      _ = try first.node()
      let second = try OutputProcess(daemon, "--name", "same", "right")
      let result = second.program.finish()
      #expect(result.status == 1)
      #expect(result.errors.hasPrefix("touchroute: there is an output of the name same already"))
      #expect(first.program.isRunning)
    }

    @Test("a path that is not there, or is held: a sentence; --take-over and --wait do as they say")
    func held() throws {
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 0)
      let missing = try OutputProcess(daemon, "lefft").program.finish()
      #expect(missing.status == 1)
      #expect(missing.errors.contains("lefft"), "\(missing)")
      let holder = try ListenProcess(daemon, "left")
      let refused = try OutputProcess(daemon, "left").program.finish()
      #expect(refused.status == 1)
      #expect(refused.errors.contains("(--take-over or --wait)"), "\(refused)")
      let waiting = try OutputProcess(daemon, "--wait", "left")
      holder.kill()
      _ = try waiting.node()
      let taking = try OutputProcess(daemon, "--take-over", "--name", "other", "left")
      _ = try taking.node()
      #expect(waiting.program.isRunning, "who waits keeps the touchscreen that is read")
    }

    @Test("without /dev/uinput, or without the right to it: who may, and by which rule")
    func noAccess() throws {
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 0)
      for path in [daemon.directory.url.path, daemon.socket] { chmod(path, 0o777) }
      var status = stat()
      #expect(stat("/dev/uinput", &status) == 0)
      #expect(chmod("/dev/uinput", 0o660) == 0 && chown("/dev/uinput", 0, 5) == 0)
      let refused = try run(as: 65534, daemon)
      #expect(refused.contains("/dev/uinput may not be opened by user "), "\(refused)")
      #expect(refused.contains("join group tty"), "\(refused)")
      #expect(chmod("/dev/uinput", 0o600) == 0)
      let closed = try run(as: 65534, daemon)
      #expect(closed.contains("70-touchroute.rules gives it to the group touchroute-output"))
      #expect(rename("/dev/uinput", "/dev/uinput.hidden") == 0)
      let missing = try run(as: 0, daemon)
      #expect(rename("/dev/uinput.hidden", "/dev/uinput") == 0)
      #expect(chmod("/dev/uinput", status.st_mode & 0o777) == 0)
      #expect(chown("/dev/uinput", status.st_uid, status.st_gid) == 0)
      #expect(missing.contains("there is no /dev/uinput"), "\(missing)")
    }

    /// What an output says that a user starts, who may not be let into the folder of the checkout.
    private func run(as user: Int, _ daemon: DaemonProcess) throws -> String {
      for name in ["touchroute", "touchroute-uinput"] {
        let copy = daemon.directory.file(name)
        if FileManager.default.fileExists(atPath: copy) { continue }
        try FileManager.default.copyItem(atPath: Repository.program(name).path, toPath: copy)
      }
      let result = try RunningProgram.run(
        URL(filePath: "/usr/bin/setpriv"),
        [
          "--reuid=\(user)", "--regid=\(user)", "--clear-groups",
          daemon.directory.file("touchroute"), "output", "uinput", "--socket", daemon.socket,
          "left",
        ])
      #expect(result.status == 1)
      return result.errors
    }

    private func isReady(_ node: String) throws -> Bool {
      try properties(of: node).contains("ID_INPUT_TOUCHSCREEN=1")
    }

    private func properties(of node: String) throws -> [Substring] {
      try RunningProgram.run("udevadm", "info", "--query=property", "--name=\(node)").output
        .split(separator: "\n")
    }
  }
}
