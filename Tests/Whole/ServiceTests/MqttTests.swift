import Foundation
import Testing
import VirtualDevices

extension ServiceTests {
  @Suite("Its output to a broker")
  struct MqttTests {
    private let unit = "touchroute-mqtt@left.service"
    private let settings = "/etc/systemd/system/touchroute-mqtt@.service.d"
    private let password = "/etc/credstore/touchroute.mqtt-password"
    private let heard = "/run/mqtt-heard"

    @Test("By its unit a broker hears of taps, and whether they come, with a password (T7)")
    func life() throws {
      try Machine.rest(panels)
      try Machine.run(
        """
        mkdir -p \(settings) /etc/credstore
        printf 'panel:secret\\n' >/run/mqtt-passwords; mosquitto_passwd -U /run/mqtt-passwords
        printf 'listener 1883 127.0.0.1\\npassword_file /run/mqtt-passwords\\nuser root\\n' \
          >/run/mqtt.conf
        printf '[Service]\\nEnvironment="OPTIONS=--to 127.0.0.1 --name hall --user panel"\\n' \
          >\(settings)/broker.conf
        (umask 077; echo secret >\(password))
        systemctl daemon-reload
        systemd-run --quiet --unit=broker mosquitto -c /run/mqtt.conf
        systemctl enable \(unit)
        """)
      defer {
        _ = try? Machine.run(
          "systemctl disable --now \(unit); systemctl stop broker listener; "
            + "rm -r \(settings) \(password); systemctl daemon-reload")
      }
      let touch = try VirtualTouchscreen(.multitouch(name: "a panel", width: 800, height: 480))
      try Machine.run("systemctl start \(Machine.unit)")
      try Machine.wait(forTouchscreens: 1)
      try wait(forAvailability: "online")
      try listen()
      try tap(touch)
      let process = try Machine.run("systemctl show -P MainPID \(unit)")
      try expectShutIn(process.trimmingCharacters(in: .whitespacesAndNewlines))

      // The daemon goes and comes back.
      try Machine.run("systemctl restart \(Machine.unit)")
      try Machine.wait(forTouchscreens: 1)
      try wait(forAvailability: "online")
      try tap(touch)
      #expect(try Machine.run("systemctl show -P MainPID \(unit)") == process)

      try Machine.run("systemctl stop \(unit)")
      #expect(try availability() == "offline\n")
      try Machine.run("systemctl start \(unit)")
      try wait(forAvailability: "online")
      try Machine.run("systemctl stop \(Machine.unit) \(Machine.sockets)")
      try Machine.wait(for: "its end") {
        try Machine.result(of: "systemctl is-active \(unit)").output == "inactive\n"
      }
      #expect(try availability() == "offline\n")
    }

    /// Writes down what the broker tells of taps, once it is there.
    private func listen() throws {
      try Machine.run(
        "systemd-run --quiet --unit=listener -p StandardOutput=file:\(heard) "
          + "mosquitto_sub -u panel -P secret -v -t 'touchroute/hall/left/+'")
      try Machine.wait(for: "a listener") { try words().contains { $0.hasSuffix(" online") } }
    }

    /// What the listener has written down; systemd makes its file as it starts.
    private func words() throws -> [Substring] {
      guard FileManager.default.fileExists(atPath: heard) else { return [] }
      return try String(contentsOfFile: heard, encoding: .utf8).split(separator: "\n")
    }

    /// A tap, of which the broker is told.
    private func tap(_ touch: VirtualTouchscreen) throws {
      let topic = "touchroute/hall/left/tap {\"event_type\":\"tap\",\"view\":\"left\""
      func count() throws -> Int { try words().count { $0.hasPrefix(topic) } }
      let before = try count()
      try touch.tap(x: 100, y: 120)
      try Machine.wait(for: "a tap") { try count() == before + 1 }
    }

    /// What the broker has kept for who comes later.
    private func availability() throws -> String {
      try Machine.result(
        of: "mosquitto_sub -u panel -P secret --retained-only -C 1 -W 5 "
          + "-t touchroute/hall/left/availability"
      ).output
    }

    private func wait(forAvailability word: String) throws {
      try Machine.wait(for: word) { try availability() == "\(word)\n" }
    }

    private func expectShutIn(_ process: String) throws {
      #expect(try !Machine.run("tr '\\0' ' ' </proc/\(process)/cmdline").contains("secret"))
      let user = try Machine.run("ps -o uid= -p \(process)")
      #expect(Int(user.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 >= 61184, "\(user)")
      let score = try Machine.run("systemd-analyze security --no-pager \(unit) | tail -1")
      let exposure = score.split(separator: " ").compactMap { Double($0) }.first
      #expect(try #require(exposure, "\(score)") <= 1.5)
    }
  }
}
