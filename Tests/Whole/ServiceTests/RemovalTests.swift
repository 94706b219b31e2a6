import Foundation
import Testing
import TouchClient

extension ServiceTests {
  @Suite("Its removal")
  struct RemovalTests {
    @Test("What is removed leaves its configuration, and nothing that runs")
    func removal() throws {
      try Machine.start(panels)
      let program = try Program("left", options: [])
      try Machine.run("dpkg --remove touchroute-mqtt touchrouted")
      #expect(throws: (any Error).self) { try program.ping() }
      let files = FileManager.default
      #expect(!files.fileExists(atPath: "/run/touchroute/touchroute.sock"))
      #expect(!files.fileExists(atPath: Machine.program))
      #expect(files.fileExists(atPath: Machine.configuration))
      #expect(try Machine.result(of: "pgrep -x touchrouted").status == 1)
      #expect(try Machine.run("touchroute check \(Machine.configuration)").contains("valid"))
    }

    @Test("What is purged leaves no file of its own, and its user, locked")
    func purge() throws {
      try Machine.start(panels)
      try Machine.run("dpkg --purge touchroute-mqtt touchrouted")
      for path in ["/etc/touchroute", "/var/lib/touchroute", "/run/touchroute"] {
        #expect(!FileManager.default.fileExists(atPath: path), "\(path)")
      }
      let user = try Machine.run("getent passwd touchroute; passwd --status touchroute")
      #expect(user.contains(":/usr/sbin/nologin") && user.contains("touchroute L "), "\(user)")
      let left = try Machine.result(of: "ls /etc/systemd/system/*/touchrouted* 2>/dev/null")
      #expect(left.output == "")
    }

    @Test("What scripts/install has installed leaves no service that runs, and none enabled")
    func uninstall() throws {
      try Machine.start(panels)
      defer { _ = try? Machine.result(of: "dpkg --install " + Self.removed) }
      try Machine.run("systemctl start touchroute-output@left")
      try Machine.run("systemctl enable --now touchroute-recover@panel")
      try Machine.run("scripts/install --uninstall --prefix /usr")
      #expect(!FileManager.default.fileExists(atPath: Machine.program))
      #expect(try Machine.result(of: "pgrep -f ^/usr/.*touchroute").status == 1)
      let links = try Machine.run("find /etc/systemd/system -name 'touchroute*' -type l")
      #expect(links == "")
    }

    private static let removed = Machine.packages(
      "touchrouted", "touchroute-tools", "touchroute-mqtt", "libtouchroute0", "libtouchroute-dev")
  }
}
