import Logging
import Testing
import TouchInput

@testable import touchrouted

/// Serialized: getopt_long keeps its state in the process.
@Suite("Daemon, command line", .serialized)
struct DaemonOptionsTests {
  private static func mistake(_ arguments: [String]) -> String? {
    do {
      _ = try Options(arguments: ["touchrouted"] + arguments)
      return nil
    } catch { return error.sentence }
  }

  @Test("every option is read, in both spellings, and devices add up")
  func all() throws {
    let options = try Options(arguments: [
      "touchrouted", "--config=/a.toml", "--device", "/dev/input/event3",
      "--device=/dev/input/event4",
      "--socket", "/c.sock", "--control-socket=/d.sock", "--log-level", "debug",
    ])
    #expect(options.configuration == "/a.toml")
    #expect(options.source == .nodes(["/dev/input/event3", "/dev/input/event4"]))
    #expect(options.socket == "/c.sock" && options.controlSocket == "/d.sock")
    #expect(options.logLevel == .debug)
    #expect(options.action == .run)
    #expect(try Options(arguments: ["touchrouted", "--seat", "s"]).source == .seat("s"))
    #expect(try Options(arguments: ["touchrouted"]).source == .seat("seat0"))
    #expect(try Options(arguments: ["touchrouted", "--help"]).action == .help)
    #expect(try Options(arguments: ["touchrouted", "--version"]).action == .version)
    #expect(try Options(arguments: ["touchrouted", "--check"]).action == .check)
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
    ])
  func wrong(_ arguments: [String], _ sentence: String) {
    #expect(Self.mistake(arguments) == sentence)
  }

  @Test("an unknown log level is answered with those that there are")
  func level() {
    #expect(
      Self.mistake(["--log-level", "loud"])
        == "\"loud\" is no log level: trace, debug, info, notice, warning, error, critical")
  }
}
