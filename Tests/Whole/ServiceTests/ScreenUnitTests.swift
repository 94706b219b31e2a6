import Foundation
import TestSupport
import Testing
import TouchModel
import VirtualDevices

extension ServiceTests {
  @Suite("The services of its screens")
  struct ScreenUnitTests {
    private func panel() throws -> VirtualTouchscreen {
      try VirtualTouchscreen(.multitouch(name: "a panel", width: 800, height: 480))
    }

    private func process(of unit: String) throws -> String {
      try Machine.run("systemctl show -P MainPID \(unit)")
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func state(of unit: String) throws -> String {
      try Machine.result(of: "systemctl is-active \(unit)").output
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func expectShutIn(_ unit: String, user: String) throws {
      let pid = try process(of: unit)
      #expect(try Machine.run("ps -o user:32= -p \(pid)").hasPrefix(user + "\n"))
      let rights = try Machine.run("grep -E '^(Cap(Prm|Eff|Bnd)|NoNewPrivs)' /proc/\(pid)/status")
      let values = rights.split(separator: "\n").compactMap { $0.split(separator: "\t").last }
      #expect(values.map { UInt64($0, radix: 16) } == [0, 0, 0, 1], "\(rights)")
      let score = try Machine.run("systemd-analyze security --no-pager \(unit) | tail -1")
      let exposure = score.split(separator: " ").compactMap { Double($0) }.first
      #expect(try #require(exposure, "\(score)") <= 1.6, "\(score)")
    }

    /// Runs the body with a drop-in for a unit, and with the unit enabled; ends both.
    private func with(_ unit: String, _ settings: String, _ body: () throws -> Void) throws {
      let folder = "/etc/systemd/system/\(unit).d"
      defer {
        _ = try? Machine.run(
          "systemctl disable --now \(unit); rm -r \(folder); systemctl daemon-reload")
      }
      try Machine.run("mkdir -p \(folder)")
      try Data("[Service]\n\(settings)\n".utf8).write(to: URL(filePath: "\(folder)/test.conf"))
      try Machine.run("systemctl daemon-reload; systemctl enable \(unit)")
      try body()
    }

    // MARK: - Feedback

    /// Taps the left window until the haptic has been played again. Its program reads meanwhile:
    /// touches would pass over one that does not (F3).
    private func play(
      _ haptic: VirtualHaptic, by touch: VirtualTouchscreen, held by: Program
    ) throws {
      haptic.serve()
      let count = haptic.heard.count
      var round = 0
      try Machine.wait(for: "a rumble") {
        haptic.serve()
        if haptic.heard[count...].contains("play 0 1") { return true }
        if round % 10 == 0 { try touch.tap(x: 100, y: 100) }
        round += 1
        try by.ping()
        return false
      }
    }

    /// Waits until another process of the unit is up. As it starts, it gives its effects to the
    /// haptic, which has to take them.
    private func wait(
      for unit: String, instead former: String, serving haptic: VirtualHaptic
    ) throws {
      try Machine.wait(for: "a process of \(unit)") {
        haptic.serve()
        return try state(of: unit) == "active" && ![former, "0"].contains(try process(of: unit))
      }
    }

    @Test("touchroute-feedback@ plays what is hit, shut in, over restarts of the daemon (D10)")
    func feedback() throws {
      let unit = "touchroute-feedback@panel.service"
      try Machine.rest(
        panels.replacing("name = \"left\"", with: "name = \"left\"\nfeedback = \"click\"") + """
          [[access]]
          path = "feedback:panel"
          users = ["touchroute-feedback"]

          """)
      let touch = try panel()
      let haptic = try VirtualHaptic()
      #expect(
        try Machine.run("stat -c '%G %a' \(haptic.node)") == "touchroute-feedback 660\n")
      try with(unit, "Environment=\"OPTIONS=--most 100 --rumble click=\(haptic.node),40,50\"") {
        try Machine.run("systemctl start \(Machine.unit)")
        try Machine.wait(forTouchscreens: 1)
        try wait(for: unit, instead: "0", serving: haptic)
        let left = try Program("left")
        try play(haptic, by: touch, held: left)
        try expectShutIn(unit, user: "touchroute-feedback")
        // It may use the haptic, and may not read the touchscreen.
        #expect(
          try Machine.result(
            of: "runuser -u touchroute-feedback -- sh -c ': <\(touch.node)' 2>&1"
          ).status != 0)

        let first = try process(of: unit)
        try Machine.run("systemctl restart \(Machine.unit)")
        try Machine.wait(forTouchscreens: 1)
        try play(haptic, by: touch, held: left)
        #expect(try process(of: unit) == first)

        try Machine.run("kill -9 \(first)")
        try wait(for: unit, instead: first, serving: haptic)
        try play(haptic, by: touch, held: left)

        // As it ends, the kernel takes its effects off the haptic.
        try Machine.run("systemctl --no-block stop \(Machine.unit) \(Machine.sockets)")
        try Machine.wait(for: "its end") {
          haptic.serve()
          return try state(of: unit) == "inactive"
        }
      }
    }

    // MARK: - Idle

    /// The fake backlight, which stands for one in /sys/class/backlight.
    private static let settings =
      "Environment=TOUCHROUTE_BACKLIGHTS=/run/lights\nReadWritePaths=/run/lights"
    private static let light = "/run/lights/panel/brightness"

    private func brightness() throws -> String {
      try String(contentsOfFile: Self.light, encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func isDark() throws -> Bool {
      try Machine.run("touchroute screen").contains("panel: dark")
    }

    private func write(_ words: String) throws {
      try Machine.run("mkdir -p /etc/touchroute/idle")
      try Data(words.utf8).write(to: URL(filePath: "/etc/touchroute/idle/panel.conf"))
    }

    private func makeLight() throws {
      try Machine.run(
        """
        mkdir -p /run/lights/panel
        echo 100 >/run/lights/panel/max_brightness; echo 80 >\(Self.light)
        chgrp touchroute-idle \(Self.light); chmod 664 \(Self.light)
        """)
    }

    /// Taps until the program of the window has a whole touch.
    private func tap(_ touch: VirtualTouchscreen, until program: Program) throws {
      let count = program.touches.count
      try Machine.wait(for: "a touch") {
        try touch.tap(x: 100, y: 100)
        try program.ping()
        return program.touches[count...].contains("ended left")
      }
    }

    @Test("touchroute-idle@ dims and blanks, shut in; the light is on after a crash (D2, D5)")
    func idle() throws {
      let unit = "touchroute-idle@panel.service"
      try write("dim 1 20\nblank 2\n")
      try makeLight()
      try Machine.rest(
        panels + """
          [[access]]
          path = "screen:panel"
          users = ["touchroute-idle"]

          """)
      defer { _ = try? Machine.run("rm -r /etc/touchroute/idle /run/lights") }
      let touch = try panel()
      try with(unit, Self.settings) {
        try Machine.run("systemctl start \(Machine.unit)")
        try Machine.wait(forTouchscreens: 1)
        let left = try Program("left")
        try Machine.wait(for: "the dark") { try brightness() == "0" && isDark() }
        try expectShutIn(unit, user: "touchroute-idle")
        let before = left.touches
        try touch.tap(x: 100, y: 100)
        try Machine.wait(for: "the light") { try brightness() == "80" }
        try left.ping()
        #expect(left.touches == before, "the touch that wakes the screen reaches no program")

        // With a longer time, so that it is only dark when it is asked to be.
        try write("blank 3600\n")
        try Machine.run("systemctl restart \(unit)")
        try Machine.wait(for: "its start") {
          try Machine.run("touchroute screen").contains("touchroute idle")
        }
        try Machine.run("touchroute screen panel dark")
        try Machine.wait(for: "the dark") { try brightness() == "0" && isDark() }
        let first = try process(of: unit)
        try Machine.run("systemctl restart \(Machine.unit)")
        try Machine.wait(forTouchscreens: 1)
        #expect(try process(of: unit) == first, "it stays while the daemon restarts")
        #expect(try brightness() == "0" && isDark())

        try Machine.run("kill -9 \(first)")
        try Machine.wait(for: "the light after a crash") { try brightness() == "80" }
        try Machine.wait(for: "another process") {
          try state(of: unit) == "active" && ![first, "0"].contains(try process(of: unit))
        }
        try tap(touch, until: left)

        // Another screen's instance has no right to this one's light.
        let other = "touchroute-idle@other.service"
        try Machine.run(
          """
          cp -r /etc/systemd/system/\(unit).d /etc/systemd/system/\(other).d
          cd /etc/touchroute/idle; cp panel.conf other.conf; systemctl daemon-reload
          """)
        let mark = try Machine.mark()
        try Machine.run("systemctl start \(other)")
        try Machine.wait(for: "its refusal") {
          try Machine.run("journalctl --sync; journalctl -o cat -u \(other) --since @\(mark)")
            .contains("another touchroute idle turns that light off and on")
        }
        try Machine.run("systemctl stop \(other); rm -r /etc/systemd/system/\(other).d")

        try Machine.run("touchroute screen panel dark")
        try Machine.wait(for: "the dark") { try brightness() == "0" }
        try Machine.run("systemctl stop \(Machine.unit) \(Machine.sockets)")
        try Machine.wait(for: "its end") { try state(of: unit) == "inactive" }
        #expect(try brightness() == "80", "it turns the light on as it ends")
      }
    }

    /// A part of docs/integrating.md, and its blocks of a language.
    private func guide(_ title: String) throws -> String {
      let text = try String(
        contentsOf: Repository.root.appending(path: "docs/integrating.md"), encoding: .utf8)
      return try #require(
        text.components(separatedBy: "\n## \(title)\n").last?
          .components(separatedBy: "\n## ").first)
    }

    private func block(_ language: String, of text: String) throws -> String {
      try #require(
        text.components(separatedBy: "```\(language)\n").dropFirst().first?
          .components(separatedBy: "```").first)
    }

    /// Waits for the brightness, for longer than the guide's minute.
    private func wait(brightness: String) throws {
      for _ in 0..<2_400 {
        guard try self.brightness() != brightness else { break }
        usleep(50_000)
      }
      try #require(try self.brightness() == brightness)
    }

    @Test("the kiosk of docs/integrating.md goes dark and wakes, followed to the letter (D3)")
    func kiosk() throws {
      let unit = "touchroute-idle@panel.service"
      let layout = try block("toml", of: guide("A kiosk"))
      let section = try guide("A screen that goes dark")
      let folder = "/run/kiosk"
      defer {
        _ = try? Machine.run(
          "rm -r /etc/touchroute/idle /run/lights \(folder); deluser --system shop")
      }
      try Machine.start(layout)
      let touch = try panel()
      try Machine.wait(forTouchscreens: 1)
      try Machine.run("adduser --system --ingroup touchroute shop; mkdir -p \(folder)")
      try makeLight()
      try with(unit, Self.settings) {
        try Machine.write(layout + block("toml", of: section))
        try Data(block("idle", of: section).utf8).write(to: URL(filePath: "\(folder)/panel.conf"))
        let commands = section.split(separator: "\n").filter { $0.hasPrefix("    sudo ") }
          .map { String($0.dropFirst("    sudo ".count)) }
        #expect(commands.count == 7, "\(commands)")
        for command in commands.prefix(3) { try Machine.run("cd \(folder); \(command)") }
        let shown = commands[3].components(separatedBy: "# ")
        let words = try #require(shown.last).components(separatedBy: "812")
        try Machine.wait(for: "its blanker") {
          let line = try Machine.run(shown[0])
          return words.allSatisfy(line.contains)
        }
        let shop = try Program("shop")
        // A fifth of 80.
        try wait(brightness: "16")
        try wait(brightness: "0")
        #expect(try isDark())
        let before = shop.touches
        try touch.tap(x: 400, y: 240)
        try wait(brightness: "80")
        try shop.ping()
        #expect(shop.touches == before, "the touch that wakes the panel presses nothing")
        try Machine.wait(for: "a touch") {
          try touch.tap(x: 400, y: 240)
          try shop.ping()
          return shop.touches.contains("ended shop")
        }
        // It runs until it is ended.
        let asShop = commands[4].replacing("-u shop ", with: "runuser -u shop -- timeout 2 ")
        let (status, output) = try Machine.result(of: "cd /; \(asShop)")
        #expect(status == 124 && output == "", "\(asShop): \(status): \(output)")
        try Machine.run(commands[5])
        try wait(brightness: "0")
        try Machine.run(commands[6])
        try wait(brightness: "80")
      }
    }
  }
}
