import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient
import VirtualDevices

extension DeviceTests {
  @Suite(
    "docs/porting.md, without systemd",
    .enabled(
      if: FileManager.default.fileExists(atPath: "/run/guest"),
      "it makes users and files in /etc: in the guest alone"))
  struct PortingTests {
    @Test("the page's script under a shell: touches arrive, and only root may control (F7)")
    func shell() throws {
      let touch = try panel()
      let machine = try PlainMachine()
      try machine.start()
      let program = try machine.program(as: "porting-member")
      try touch.tap(x: 200, y: 300)
      try waitUntil("the tap") { program.lines.contains { $0.contains("ended") } }
      #expect(try machine.tool(as: "porting-member", "status").status == 1)
      #expect(try machine.tool(as: "porting-stranger", "listen", "home").status == 1)
      let status = try machine.tool(as: "root", "status")
      #expect(status.status == 0 && status.output.contains("holds home"), "\(status)")
    }

    @Test("the page's script drops every right but the group input, and sets the unit's limits")
    func rights() throws {
      let machine = try PlainMachine()
      try machine.start()
      let pid = try #require(try machine.daemon())
      let process = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
      for line in ["CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1"] {
        #expect(process.contains(line), "\(process)")
      }
      let input = try #require(getgrnam("input")?.pointee.gr_gid)
      #expect(process.contains("Groups:\t\(input) \n"), "\(process)")
      let limits = try String(contentsOfFile: "/proc/\(pid)/limits", encoding: .utf8)
      #expect(limits.contains(#/Max realtime timeout +8000000 +8000000/#), "\(limits)")
      #expect(limits.contains(#/Max core file size +0 +0/#), "\(limits)")
      #expect(sched_getscheduler(pid) & 0xff == SCHED_RR)
    }

    @Test("a daemon that was killed is started again, over what it left behind, and has the panel")
    func restart() throws {
      let touch = try panel()
      let machine = try PlainMachine()
      try machine.supervise()
      let first = try #require(try machine.daemon())
      #expect(Glibc.kill(first, SIGKILL) == 0)
      try waitUntil("another daemon") { try (machine.daemon() ?? first) != first }
      try waitUntil("it answers") { try machine.tool(as: "root", "status").status == 0 }
      let program = try machine.program(as: "porting-member")
      try touch.tap(x: 200, y: 300)
      try waitUntil("the tap") { program.lines.contains { $0.contains("200, 300") } }
    }
  }
}

/// This machine as the page sets it up: users, the script, a configuration.
private final class PlainMachine {
  private let folder: TemporaryDirectory
  private let run: String
  private let path: String
  private var programs: [RunningProgram] = []

  init() throws {
    folder = try TemporaryDirectory()
    chmod(folder.url.path, 0o755)
    path =
      Repository.program("touchrouted").deletingLastPathComponent().path
      + ":/usr/sbin:/usr/bin:/sbin:/bin"
    let blocks = try Self.blocks()
    run = try folder.write("run", try #require(blocks.first { $0.contains("prlimit") }))
    let users = try #require(blocks.first { $0.contains("groupadd") })
    try shell(users + "useradd --system -g touchroute porting-member || [ $? = 9 ]\n")
    try shell("useradd --system --user-group porting-stranger || [ $? = 9 ]")
    try FileManager.default.createDirectory(
      atPath: "/etc/touchroute", withIntermediateDirectories: true)
    try "[screen.panel]\nsize = [800, 480]\n[[window]]\nname = \"home\"\n".write(
      toFile: "/etc/touchroute/touchroute.toml", atomically: true, encoding: .utf8)
  }

  deinit {
    while let program = programs.popLast() { program.kill() }
    if let daemon = try? daemon() { _ = Glibc.kill(daemon, SIGKILL) }
  }

  /// The page's blocks for a shell.
  private static func blocks() throws -> [String] {
    let page = try String(
      contentsOf: Repository.root.appending(path: "docs/porting.md"), encoding: .utf8)
    return page.components(separatedBy: "```sh\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
  }

  /// Starts the daemon by the script, and waits until it answers.
  func start() throws {
    programs.append(
      try RunningProgram(
        URL(filePath: "/bin/sh"), [run], environment: ["PATH": path]))
    try waitUntil("the daemon answers") { try tool(as: "root", "status").status == 0 }
  }

  /// As runit and s6 do it: the script again whenever it ends.
  func supervise() throws {
    programs.append(
      try RunningProgram(
        URL(filePath: "/bin/sh"), ["-c", "while :; do /bin/sh \(run); done"],
        environment: ["PATH": path]))
    try waitUntil("the daemon answers") { try tool(as: "root", "status").status == 0 }
  }

  /// The daemon's pid; nil while there is none.
  func daemon() throws -> Int32? {
    let found = try RunningProgram.run(
      URL(filePath: "/usr/bin/pgrep"), ["-x", "touchrouted"])
    return Int32(found.output.split(separator: "\n").first ?? "")
  }

  /// Runs the tool to its end as a user with that user's groups.
  func tool(as user: String, _ arguments: String...) throws -> RunningProgram.Result {
    try RunningProgram.run(
      URL(filePath: "/usr/bin/setpriv"), command(user, arguments), environment: ["PATH": path])
  }

  /// A program that has attached to the window.
  func program(as user: String) throws -> RunningProgram {
    let program = try RunningProgram(
      URL(filePath: "/usr/bin/setpriv"), command(user, ["listen", "home"]),
      environment: ["PATH": path])
    try waitUntil("it has attached") { program.lines.contains { $0.hasPrefix("attached") } }
    return program
  }

  private func command(_ user: String, _ arguments: [String]) -> [String] {
    let group = user == "porting-member" ? "touchroute" : user
    return ["--reuid=\(user)", "--regid=\(group)", "--clear-groups", "touchroute"] + arguments
  }

  private func shell(_ script: String) throws {
    let result = try RunningProgram.run(
      URL(filePath: "/bin/sh"), ["-ec", script], environment: ["PATH": path])
    guard result.status == 0 else { throw Missing("\(script): \(result)") }
  }
}
