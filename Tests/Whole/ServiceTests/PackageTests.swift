import Foundation
import Testing
import TouchClient

extension ServiceTests {
  @Suite("Its package")
  struct PackageTests {
    private static let newer = ".build/package/upgrade/touchrouted_newer_*.deb"
    /// touchroute 0.1.0, which had both the daemon and the tool.
    private static let former = ".build/package/upgrade/touchroute_0.1.0_*.deb"

    @Test("The daemon's package is under 13 MiB; both need the system's libraries alone")
    func size() throws {
      for (package, mebibytes) in [("touchrouted", 13), ("touchroute-tools", 20)] {
        let size = try Machine.run("dpkg-query -W -f '${Installed-Size}' \(package)")
        #expect(try #require(Int(size)) <= mebibytes * 1024, "\(package)")
      }
      let allowed: Set = [
        "libc", "libm", "libgcc_s", "libstdc++", "libinput", "libevdev", "libudev", "libsystemd",
        "ld-linux-x86-64", "ld-linux-aarch64",
      ]
      for program in ["touchrouted", "touchroute"] {
        let needed = try Machine.run("readelf -d $(command -v \(program)) | grep NEEDED")
        let names = needed.split(separator: "\n").compactMap { line in
          line.split(separator: "[").last?.split(separator: ".so").first.map(String.init)
        }
        #expect(!names.isEmpty && Set(names).subtracting(allowed) == [], "\(program)")
      }
    }

    @Test("An upgrade replaces the daemon and keeps the clients that are connected")
    func upgrade() throws {
      try Machine.start(panels)
      let program = try Program("left", options: [])
      let daemon = try Machine.daemon()
      try Machine.run("dpkg --force-confold --install \(Self.newer)")
      try program.wait(for: "layout") { if case .layout = $0 { true } else { false } }
      #expect(try Machine.daemon() != daemon)
      try program.ping()
      #expect(!program.wasLost)
    }

    @Test("The daemon runs without the tool's package, and touches are routed")
    func daemonAlone() throws {
      try Machine.run("dpkg --remove touchroute-mqtt touchroute-tools")
      defer {
        _ = try? Machine.run(
          "dpkg --install \(Machine.packages("touchroute-tools", "touchroute-mqtt"))")
      }
      try Machine.start(panels)
      try Program("left", options: []).ping()
      try Machine.run("systemctl reload \(Machine.unit)")
      let missing = try Machine.result(of: "command -v touchroute")
      #expect(missing.status != 0)
    }

    @Test("An upgrade of the tool gives running instances the new program; its removal ends them")
    func instances() throws {
      let unit = "touchroute-output@left.service"
      func process() throws -> String { try Machine.run("systemctl show -P MainPID \(unit)") }
      try Machine.start(panels)
      try Machine.run("systemctl start \(unit)")
      let first = try process()
      try Machine.run("dpkg --install \(Machine.packages("touchroute-tools"))")
      #expect(try ![first, "0\n"].contains(process()))
      try Machine.run("dpkg --remove touchroute-mqtt touchroute-tools")
      defer {
        _ = try? Machine.run(
          "dpkg --install \(Machine.packages("touchroute-tools", "touchroute-mqtt"))")
      }
      #expect(try Machine.result(of: "systemctl is-active \(unit)").output != "active\n")
    }

    @Test(
      "An upgrade from the one package of 0.1.0 keeps clients, configuration and what is enabled")
    func split() throws {
      try Machine.run(
        "dpkg --remove touchroute-mqtt touchroute-tools touchrouted; "
          + "dpkg --force-confold --install \(Self.former)")
      try Machine.start(panels)
      try Machine.run("systemctl disable \(Machine.unit)")
      let program = try Program("left", options: [])
      let daemon = try Machine.daemon()
      // As apt does it: what one of them breaks waits until all are unpacked.
      try Machine.run(
        "dpkg --auto-deconfigure --force-confold --install "
          + ".build/package/touchroute_*_all.deb "
          + Machine.packages("touchrouted", "touchroute-tools", "touchroute-mqtt"))
      try program.wait(for: "layout") { if case .layout = $0 { true } else { false } }
      let replaced = try Machine.daemon()
      #expect(replaced != daemon && !program.wasLost)
      let enabled = try Machine.result(of: "systemctl is-enabled \(Machine.unit)")
      #expect(enabled.output == "disabled\n")
      try Machine.run("systemctl enable \(Machine.unit)")
      try Machine.run("dpkg --purge touchroute")
      #expect(try String(contentsOfFile: Machine.configuration, encoding: .utf8) == panels)
      #expect(FileManager.default.fileExists(atPath: "/var/lib/touchroute"))
      #expect(try Machine.daemon() == replaced)
      try program.ping()
      let owner = try Machine.run("dpkg-query -S \(Machine.configuration)")
      #expect(owner.hasPrefix("touchrouted:"), "\(owner)")
    }
  }
}
