import Foundation
import Testing
import TouchClient

extension ServiceTests {
  @Suite("Who may do what")
  struct PermissionTests {
    /// Users that there are for one test: `name` with the groups that it is in.
    private func withUsers(
      _ users: [(name: String, groups: String)], _ body: () throws -> Void
    ) throws {
      defer {
        for user in users { _ = try? Machine.run("userdel \(user.name)") }
        _ = try? Machine.run("groupdel panel-hmi")
      }
      try Machine.run("groupadd panel-hmi")
      for user in users {
        try Machine.run("useradd --no-create-home --groups '\(user.groups)' \(user.name)")
      }
      try body()
    }

    /// Runs the tool as a user; its exit status, and what it wrote.
    private func touchroute(
      _ arguments: String, as user: String
    ) throws -> (status: Int32, output: String) {
      try Machine.result(of: "cd / && runuser -u \(user) -- touchroute \(arguments)")
    }

    /// Whether a user may attach: until it is attached, the tool runs.
    private func attaches(_ user: String, to path: String) throws {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/sbin/runuser")
      process.arguments = ["-u", user, "--", "touchroute", "listen", path]
      process.currentDirectoryURL = URL(filePath: "/")
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      defer {
        process.terminate()
        process.waitUntilExit()
      }
      try Machine.wait(for: "\(user) attached to \(path)") {
        guard process.isRunning else {
          throw Machine.Failure(description: "\(user) may not attach to \(path)")
        }
        return try Machine.run("touchroute status").contains("holds \(path)\n")
      }
    }

    @Test(
      "Only the group connects, only whom a rule names attaches, and control is root's (F6, F7)")
    func rules() throws {
      try withUsers([
        ("panel-guest", ""), ("panel-kiosk", "touchroute"), ("panel-radio", "touchroute,panel-hmi"),
      ]) {
        try Machine.start(
          panels + """
            [[access]]
            path = "left"
            users = ["panel-kiosk"]
            [[access]]
            path = "right"
            groups = ["panel-hmi"]

            """)
        let outsider = try touchroute("listen left", as: "panel-guest")
        #expect(outsider.status == 1)
        #expect(outsider.output.contains("touchroute.sock"), "\(outsider.output)")
        #expect(outsider.output.contains("may not open"), "\(outsider.output)")

        try attaches("panel-kiosk", to: "left")
        try attaches("panel-radio", to: "right")
        for (user, path) in [("panel-kiosk", "right"), ("panel-radio", "left")] {
          let refused = try touchroute("listen \(path)", as: user)
          #expect(refused.status == 1)
          #expect(refused.output.contains("\"\(path)\" is for"), "\(refused.output)")
          #expect(refused.output.contains(Machine.configuration), "\(refused.output)")
        }

        for command in ["status", "monitor", "tap 10 10", "set left hidden=true", "reload"] {
          let refused = try touchroute(command, as: "panel-kiosk")
          #expect(refused.status == 1, "\(command): \(refused.output)")
          #expect(refused.output.contains("control.sock"), "\(command): \(refused.output)")
        }
      }
    }
  }
}
