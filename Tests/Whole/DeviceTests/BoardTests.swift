import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient
import TouchModel
import VirtualDevices

extension DeviceTests {
  @Suite("docs/boards.md")
  struct BoardTests {
    private static let titles = (try? BoardPage.sections().map(\.title)) ?? []

    @Test("every panel that the page shows is made here, and the other way round")
    func complete() {
      #expect(Self.titles.sorted() == BoardDevices.all.keys.sorted())
    }

    @Test(
      "a panel is listed as the page shows, and its lines put fingers where it says (T11)",
      arguments: titles)
    func followed(_ title: String) throws {
      let section = try #require(try BoardPage.sections().first { $0.title == title })
      let bench = try BoardBench(title)
      defer { bench.clear() }
      for step in section.steps { try bench.follow(step) }
    }

    @Test("a panel whose driver is loaded late, or once more, is taken up without a restart")
    func late() throws {
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 0)
      let left = try TouchProgram(daemon, "left")
      for count in 1...2 {
        let touch = try panel("10-005d Goodix Capacitive TouchScreen")
        try daemon.wait(for: "touchscreens: 1")
        try touch.tap(x: 200, y: 300)
        try left.wait(ended: count)
        touch.unplug()
        try daemon.wait(for: "touchscreens: 0")
      }
      #expect(left.violations == [])
      try daemon.finish()
    }

    @Test("a named device that is not there yet: the daemon says so and ends with status 1")
    func namedButLate() throws {
      let daemon = try DaemonProcess(twoWindows, arguments: ["--device", "/dev/input/event999"])
      #expect(try daemon.waitForExit() == 1)
      #expect(daemon.log.contains("/dev/input/event999"), "\(daemon.log)")
    }

    @Test("the page's hook ends live touches before the machine sleeps, and nothing after it (R9)")
    func sleepHook() throws {
      let page = try String(
        contentsOf: Repository.root.appending(path: "docs/boards.md"), encoding: .utf8)
      let lines = page.split(separator: "\n").filter { $0.hasPrefix("    ") }.map {
        $0.dropFirst(4)
      }
      let start = try #require(lines.firstIndex(of: "#!/bin/sh"))
      let folder = try TemporaryDirectory()
      let hook = try folder.write(
        "hook", lines[start...].prefix(2).joined(separator: "\n") + "\n")
      let touch = try panel()
      let daemon = try DaemonProcess.start(twoWindows, touchscreens: 1)
      let left = try TouchProgram(daemon, "left")
      touch.down(0, x: 200, y: 300)
      try touch.sync()
      try left.wait(for: "the touch to begin") { !$0.frames.isEmpty }
      let path = Repository.program("touchroute").deletingLastPathComponent().path
      for (moment, live) in [("post", 1), ("pre", 0)] {
        let result = try RunningProgram.run(
          URL(filePath: "/bin/sh"), [hook, moment, "suspend"],
          environment: [
            "TOUCHROUTE_SOCKET": daemon.socket,
            "PATH": "\(path):/usr/bin:/bin",
          ])
        #expect(result.status == 0, "\(result)")
        try left.settle()
        #expect(left.liveTouches == live)
      }
      #expect(left.touches.last?.hasPrefix("cancelled 1 left 200 300") == true)
      try daemon.finish()
    }
  }
}

/// A board with the panels of a section, and what the page has put on it so far.
private final class BoardBench {
  private let kinds: [BoardDevices.Kind]
  private let title: String
  private var plugged: [AnyObject] = []
  private var rules: UdevRuleFile?
  private var configuration = "[screen.panel]\nsize = [800, 480]\n"

  init(_ title: String) throws {
    self.title = title
    kinds = try #require(BoardDevices.all[title])
    try plug()
  }

  deinit { clear() }

  /// Unplugs everything, and takes the rules away.
  func clear() {
    unplug()
    rules?.remove()
    rules = nil
  }

  func follow(_ step: BoardPage.Step) throws {
    switch step {
    case .configuration(let text): configuration = text
    case .rules(let lines): try apply(lines)
    case .listing(let lines): try list(lines)
    case .fingers(let fingers): try touch(fingers)
    }
  }

  private func plug() throws {
    for kind in kinds {
      switch kind {
      case .uinput(let sheet): plugged.append(try VirtualTouchscreen(sheet))
      case .mouse(let name, let vendor, let product):
        try run("modprobe", "uhid")
        plugged.append(try VirtualHIDScreen(name: name, vendor: vendor, product: product))
      }
    }
  }

  private func unplug() {
    for case let device as VirtualTouchscreen in plugged { device.unplug() }
    plugged.removeAll()
  }

  private func apply(_ lines: [String]) throws {
    unplug()
    rules?.remove()
    rules = try UdevRuleFile(lines.joined(separator: "\n"))
    try plug()
    guard lines.contains(where: { $0.contains("LIBINPUT_IGNORE_DEVICE") }) else { return }
    let ignored = try plugged.compactMap { ($0 as? VirtualTouchscreen)?.node }.filter { node in
      let properties = try RunningProgram.run(
        URL(filePath: "/usr/bin/udevadm"), ["info", "--query=property", "--name", node])
      return properties.output.contains("LIBINPUT_IGNORE_DEVICE=1")
    }
    #expect(ignored.count == 1, "\(title)")
  }

  private func list(_ lines: [String]) throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("touchroute.toml", withWindow(configuration))
    let result = try RunningProgram.run(
      Repository.program("touchroute"), ["list-devices", "--config", file])
    let numbers = #/\/dev\/input\/event\d+/#
    let listed = result.output.replacing(numbers, with: "/dev/input/event")
    let wanted = lines.joined(separator: "\n").replacing(numbers, with: "/dev/input/event")
    #expect(listed.contains(wanted + "\n"), "\(title): \(result)\nis not\n\(wanted)")
  }

  private func touch(_ fingers: [BoardPage.Finger]) throws {
    let daemon = try DaemonProcess.started(
      withWindow(configuration), arguments: ["--seat", "seat0"])
    let program = try TouchProgram(daemon, "all")
    var ended = 0
    for finger in fingers {
      try tap(finger.x, finger.y)
      guard let place = finger.place else { continue }
      ended += 1
      do {
        try program.wait(ended: ended, of: "\(title), \(finger)")
      } catch {
        throw Missing("\(error); \(daemon.log)")
      }
      let last = try #require(program.frames.last?.touches.last?.screenLocation)
      #expect("\(Int(last.x.rounded())), \(Int(last.y.rounded()))" == place, "\(title), \(finger)")
    }
    try program.settle()
    #expect(program.endedTouches == ended, "\(title): \(program.touches)")
    try daemon.finish()
  }

  private func tap(_ x: Int32, _ y: Int32) throws {
    switch plugged.first {
    case let device as VirtualTouchscreen: try device.tap(x: x, y: y)
    case let device as VirtualHIDScreen:
      try device.report(touches: true, x: UInt16(x), y: UInt16(y))
      try device.report(touches: false, x: UInt16(x), y: UInt16(y))
    default: throw Missing("\(title) has no device")
    }
  }

  /// With a window behind everything, which the program of the test holds.
  private func withWindow(_ text: String) -> String {
    let all = "[[window]]\nname = \"all\"\nlevel = -1\n"
    return text.contains("[screen.")
      ? text + all : "[screen.panel]\nsize = [800, 480]\n" + text + all
  }
}
