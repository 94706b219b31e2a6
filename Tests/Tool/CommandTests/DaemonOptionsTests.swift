import DaemonSupport
import Foundation
import TestSupport
import Testing
import TouchClient

/// The built daemon by what its command line says.
@Suite("Daemon, command line")
struct DaemonOptionsTests {
  /// What it says on standard error, where it ends with that status.
  private func end(_ arguments: [String], status: Int32) throws -> String {
    let daemon = try DaemonProcess(arguments: arguments)
    #expect(try daemon.waitForExit() == status, "\(daemon.log)")
    return daemon.log
  }

  @Test("every option is read, in both spellings, and the first of several devices is one of them")
  func all() throws {
    for arguments in [["--config", "/nowhere/a.toml"], ["--config=/nowhere/a.toml"]] {
      #expect(try end(arguments + ["--check"], status: 1).hasPrefix("/nowhere/a.toml"))
    }
    for arguments in [["--device", "/nowhere/event3"], ["--device=/nowhere/event3"]] {
      let said = try end(arguments + ["--device", "/nowhere/event4"], status: 1)
      #expect(said.contains("/nowhere/event3"))
    }
    for action in ["--help", "--version", "--check"] {
      #expect(try end([action], status: 0) == "")
    }
    let directory = try TemporaryDirectory()
    let (client, control) = (directory.url.path + "/c.sock", directory.url.path + "/d.sock")
    let daemon = try DaemonProcess.started(
      in: directory,
      arguments: ["--seat", "s", "--socket=\(client)", "--control-socket", control])
    #expect(try !DaemonClient(client).next(\.greeting).isControl)
    #expect(try DaemonClient(control).next(\.greeting).isControl)
    #expect(daemon.log.contains("client socket: \(client)"))
    let quiet = try DaemonProcess.started(arguments: ["--seat=s", "--log-level", "warning"])
    #expect(quiet.log == "")
  }

  @Test(
    "a wrong command line is one sentence that names it",
    arguments: [
      (["--nope"], "\"--nope\" is no option"), (["--nope=3"], "\"--nope=3\" is no option"),
      (["-x"], "\"-x\" is no option"), (["file"], "\"file\" is no option"),
      (["--config"], "--config has no value"), (["--config", ""], "--config has no value"),
      (["--seat", "a", "--device", "b"], "--seat and --device exclude each other"),
      (["--check=1"], "\"--check=1\" is no option"),
      (
        ["--socket", "/a", "--control-socket", "/a"],
        "--socket and --control-socket are both \"/a\""
      ),
      (
        ["--log-level", "loud"],
        "\"loud\" is no log level: trace, debug, info, notice, warning, error, critical"
      ),
    ])
  func wrong(_ arguments: [String], _ sentence: String) throws {
    #expect(
      try end(arguments, status: 64) == "touchrouted: \(sentence); see touchrouted --help\n")
  }
}
