import CLibevdev
import Foundation
import TestSupport
import Testing
import VirtualDevices

extension ServiceTests {
  @Suite("Its outputs")
  struct OutputTests {
    private let unit = "touchroute-output@left.service"
    private let link = "/dev/input/touchroute/left"
    private let rule = "/etc/udev/rules.d/72-touchroute-seat.rules"
    private let settings = "/etc/systemd/system/touchrouted.service.d"

    @Test("An output starts and stops with the daemon, and stays while that restarts")
    func life() throws {
      try Machine.rest(panels)
      try Machine.run("systemctl enable \(unit)")
      defer { _ = try? Machine.run("systemctl disable --now \(unit)") }
      let touch = try panel()
      try Machine.run("systemctl start \(Machine.unit)")
      try Machine.wait(forTouchscreens: 1)
      try Machine.wait(for: "the link") { try node() != nil }
      let first = try #require(try node())
      let reader = try DeviceReader(first)
      try touch.tap(x: 100, y: 100)
      #expect(reader.wait { $0.frames.count == 2 })
      #expect(reader.words == ["id 1, x 100, y 100, touch 1, X 100, Y 100", "id -1, touch 0"])
      #expect(try Machine.run("stat -L -c '%G %a' \(link)") == "touchroute-input 660\n")
      #expect(try Machine.run("stat -c '%G %a' /dev/uinput") == "touchroute-output 660\n")

      try Machine.run("systemctl restart \(Machine.unit)")
      try Machine.wait(forTouchscreens: 1)
      try Machine.wait(for: "a tap after the restart") {
        try touch.tap(x: 100, y: 100)
        reader.take()
        return reader.fingers.begun > 1
      }
      #expect(try node() == first)

      try Machine.run("systemctl stop \(Machine.unit) \(Machine.sockets)")
      try Machine.wait(for: "the touchscreen's end") { try node() == nil }
      #expect(try Machine.result(of: "systemctl is-active \(unit)").output == "inactive\n")
    }

    /// The commands of docs/integrating.md that keep everybody else off the panel, as they stand
    /// there, but for the name of the program that read it before.
    private func recipe(restarting reader: String) throws -> [String] {
      let text = try String(
        contentsOf: Repository.root.appending(path: "docs/integrating.md"), encoding: .utf8)
      let section = try #require(
        text.components(separatedBy: "## Nobody else reads the panel\n").last?
          .components(separatedBy: "\n1. ").first)
      return section.split(separator: "\n").filter { $0.hasPrefix("    sudo ") }.map { line in
        String(line.dropFirst("    sudo ".count))
          .replacing("restart sway", with: "restart \(reader)")
      }
    }

    @Test("By the guide's recipe, to the letter, a panel is the daemon's alone, each touch once")
    func seat() throws {
      defer {
        _ = try? Machine.run(
          "systemctl stop \(unit) panel-reader; rm -r \(rule) \(settings); "
            + "udevadm control --reload; systemctl daemon-reload")
      }
      let touch = try panel()
      try Machine.start(panels)
      try Machine.wait(forTouchscreens: 1)
      // It reads the panel before, as a compositor that runs already does.
      try Machine.run(
        "systemd-run --unit panel-reader -p DynamicUser=yes -p SupplementaryGroups=input "
          + "/bin/sh -c 'exec sleep 1000 <\(touch.node)'")
      let sentence = "has it open too, and gets every touch"
      try Machine.wait(for: "the other reader") {
        try Machine.run("touchroute list-devices").contains(sentence)
      }
      let commands = try recipe(restarting: "panel-reader")
      #expect(commands.count == 9)
      var listings: [String] = []
      for command in commands {
        let output = try Machine.run(command)
        if command.contains("list-devices") { listings.append(output) }
        if command.hasSuffix("restart touchrouted") { try Machine.wait(forTouchscreens: 1) }
      }
      #expect(listings.map { $0.contains(sentence) } == [true, false], "\(listings)")
      try Machine.run("systemctl start \(unit)")
      #expect(try node() != nil, "who starts after it finds its device")
      #expect(try Machine.run("stat -c '%U %a' \(touch.node)") == "touchroute 600\n")
      #expect(try seat(of: touch.node) == "ID_SEAT=seat-touchroute")
      #expect(try seat(of: link) == nil)
      let listing = try Machine.run("touchroute list-devices")
      #expect(listing.contains("  seat-touchroute\n"))
      #expect(listing.contains("the virtual touchscreen of touchroute output uinput for \"left\""))
      let reader = try DeviceReader(link)
      try touch.tap(x: 100, y: 100)
      #expect(reader.wait { $0.fingers == (down: 0, begun: 1) })
    }

    private func panel() throws -> VirtualTouchscreen {
      try VirtualTouchscreen(.multitouch(name: "a panel", width: 800, height: 480))
    }

    /// The node that the link leads to; nil where there is none.
    private func node() throws -> String? {
      let (status, output) = try Machine.result(of: "readlink -e \(link)")
      return status == 0 ? output.trimmingCharacters(in: .whitespacesAndNewlines) : nil
    }

    private func seat(of node: String) throws -> String? {
      try Machine.run("udevadm info --query=property --name=\(node)").split(separator: "\n")
        .first { $0.hasPrefix("ID_SEAT=") }.map(String.init)
    }
  }
}
