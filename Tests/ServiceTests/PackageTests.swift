import Foundation
import Testing
import TouchClient

extension ServiceTests {
  @Suite("Its package")
  struct PackageTests {
    /// The package of a version that is newer than the one that is installed first.
    private static let new =
      ".build/package/upgrade/touchroute_*_$(dpkg --print-architecture).deb"

    @Test("What is installed is under 27 MiB and needs the system's libraries alone")
    func size() throws {
      let size = try Machine.run("dpkg-query -W -f '${Installed-Size}' touchroute")
      #expect(try #require(Int(size)) <= 27 * 1024)
      let allowed: Set = [
        "libc", "libm", "libgcc_s", "libstdc++", "libinput", "libudev", "libsystemd",
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
      try Machine.run("dpkg --force-confold --install \(Self.new)")
      try program.wait(for: "layout") { if case .layout = $0 { true } else { false } }
      #expect(try Machine.daemon() != daemon)
      try program.ping()
      #expect(!program.wasLost)
    }
  }
}
