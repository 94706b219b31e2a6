import DaemonSupport
import Foundation
import Glibc
import TestSupport
import Testing
import TouchClient

/// Starts with files that are wrong.
@Suite("Daemon, the configuration that is kept")
struct DaemonKeptTests {
  private static let good = """
    [screen.panel]
    size = [800, 480]
    [[window]]
    name = "home"
    [[access]]
    path = "home"
    users = ["4242"]

    """
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      at: directory.url.appending(path: "state"), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
  }

  private var prelude: String { "export STATE_DIRECTORY='\(directory.url.path)/state'" }
  private var keptPath: String { directory.url.path + "/state/in-force.toml" }

  /// A start that comes up and is ended, so that its configuration is kept.
  private func startOnce(_ text: String = Self.good) throws {
    let daemon = try DaemonProcess.started(text, in: directory, prelude: prelude)
    #expect(try daemon.stop() == 0)
  }

  @Test(
    "one vendor's mistake takes touch from nobody: the last configuration is in force, whole (F6)")
  func resumed() throws {
    try startOnce()
    try directory.write(
      "conf.d/50-nav.toml", "[[window]]\nname = \"nav\"\nlevl = 3\nlevel = \"up\"\n")
    let daemon = try DaemonProcess(Self.good, in: directory, prelude: prelude)
    let ready = try daemon.wait(for: "READY=1")
    let inForce = "\(keptPath), in force since "
    #expect(ready.contains("configuration: \(inForce)"))
    // Each problem by itself, then what is done about them.
    let file = directory.url.path + "/conf.d/50-nav.toml"
    try daemon.waitForLog("error: \(file):3:1: window \"nav\": unknown key")
    try daemon.waitForLog("error: \(file):4:9: window \"nav\": level must be an integer")
    try daemon.waitForLog(
      "error: the configuration is not valid: this is a start with the one that was")
    let control = try DaemonClient(daemon.controlSocket)
    _ = try control.connection.status()
    let configuration = try control.next { event in
      if case .status(_, .daemon(let status)) = event { status.configuration } else { nil }
    }
    #expect(configuration.hasPrefix(inForce))
    #expect(configuration.hasSuffix(", as \(daemon.configuration) is not valid"))
    _ = try control.connection.reload()
    let refusal = try control.next(\.failure).text
    #expect(
      refusal.contains("50-nav.toml:3:1") && refusal.contains("stays in force, as it was kept"))
  }

  @Test("check of the daemon's own files says what is in force, of other files nothing")
  func checked() throws {
    try startOnce()
    let daemon = try DaemonProcess.started("nonsense", in: directory, prelude: prelude)
    let variables = ["TOUCHROUTE_SOCKET": daemon.socket]
    let own = try Command.run(["check", "--config", daemon.configuration], environment: variables)
    #expect(own.status == 1)
    #expect(own.errors.contains("touchroute.toml:1:"), "\(own.errors)")
    #expect(own.errors.contains("\(keptPath), in force since "), "\(own.errors)")
    let json = try Command.run(
      ["check", "--json", "--config", "touchroute.toml"], in: directory.url,
      environment: variables)
    #expect(json.output.contains("\"in_force\":\"\(keptPath), in force since "), "\(json.output)")
    try directory.write("other.toml", "nonsense")
    let other = try Command.run(
      ["check", "--config", "other.toml"], in: directory.url, environment: variables)
    #expect(other.status == 1 && !other.errors.contains("in force"), "\(other.errors)")
  }

  @Test("check of files that were right when the daemon read them says that it goes on with that")
  func checkedMeanwhile() throws {
    let daemon = try DaemonProcess.started(Self.good, in: directory, prelude: prelude)
    try directory.write("touchroute.toml", "nonsense")
    let own = try Command.run(
      ["check", "--config", daemon.configuration], environment: ["TOUCHROUTE_SOCKET": daemon.socket]
    )
    #expect(own.status == 1)
    #expect(
      own.errors.hasSuffix(
        "\ntouchroute: touchrouted still uses \(daemon.configuration) as it was\n"),
      "\(own.errors)")
  }

  @Test("check says what is in force also where the daemon was started with a relative path")
  func checkedByRelativePath() throws {
    let daemon = try DaemonProcess.started(
      Self.good, in: directory, arguments: ["--config", "./state/../touchroute.toml"],
      prelude: "cd '\(directory.url.path)'")
    try directory.write("touchroute.toml", "nonsense")
    for name in ["touchroute.toml", daemon.configuration] {
      let own = try Command.run(
        ["check", "--config", name], in: directory.url,
        environment: ["TOUCHROUTE_SOCKET": daemon.socket])
      #expect(own.status == 1)
      #expect(
        own.errors.hasSuffix(
          "\ntouchroute: touchrouted still uses \(daemon.configuration) as it was\n"),
        "\(own.errors)")
    }
  }

  @Test("once the files are right a reload puts them in force, and keeps them")
  func corrected() throws {
    try startOnce()
    let daemon = try DaemonProcess.started("nonsense", in: directory, prelude: prelude)
    try directory.write(
      "touchroute.toml", Self.good + "[[window]]\nname = \"map\"\n")
    let control = try DaemonClient(daemon.controlSocket)
    _ = try control.connection.reload()
    #expect(try control.next(\.completion).text == "window \"map\" added")
    #expect(try daemon.wait(for: "READY=1").contains("not valid") == false)
    #expect(try daemon.stop() == 0)
    #expect(try String(contentsOfFile: keptPath, encoding: .utf8).contains("name = \"map\""))
  }

  @Test("a reload that is refused says since when what stays is in force")
  func refused() throws {
    let daemon = try DaemonProcess.started(Self.good, in: directory, prelude: prelude)
    try directory.write("touchroute.toml", "nonsense")
    let control = try DaemonClient(daemon.controlSocket)
    _ = try control.connection.reload()
    let text = try control.next(\.failure).text
    let last = try #require(text.split(separator: "\n").last)
    #expect(last.hasPrefix("the configuration was not reloaded: that of "))
    #expect(last.hasSuffix(" stays in force"))
  }

  @Test("with --strict, or where nothing of use is kept, the start fails as it does without")
  func strict() throws {
    let first = try DaemonProcess("nonsense", in: directory, prelude: prelude)
    #expect(try first.waitForExit() == 1)
    try startOnce()
    let strict = try DaemonProcess(
      "nonsense", in: directory, arguments: ["--strict"], prelude: prelude)
    #expect(try strict.waitForExit() == 1)
    #expect(strict.log.contains("touchroute.toml:1:"))
    try #require(chmod(keptPath, 0o666) == 0)
    let foreign = try DaemonProcess("nonsense", in: directory, prelude: prelude)
    #expect(try foreign.waitForExit() == 1)
    #expect(
      foreign.log.contains(
        "what is kept of the last configuration can't be used: \(keptPath) may be"))
  }
}
