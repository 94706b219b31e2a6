import DaemonSupport
import Foundation
import TestSupport
import Testing

@Suite("Usage")
struct UsageTests {
  private static let commands = [
    "check", "tree", "hit-test", "list-devices", "listen", "monitor", "status", "top", "metrics",
    "reload", "set", "tap", "press", "swipe", "pinch", "rotate", "inject", "cancel",
    "screen", "lock", "unlock", "idle", "rehearse", "test", "record", "play", "inspect", "doctor",
    "calibrate", "recover",
    "output uinput",
    "output tuio",
    "output mqtt",
    "output feedback",
  ]

  @Test("Every command explains itself with an example", arguments: commands)
  func help(_ command: String) throws {
    let result = try Command.run(command.split(separator: " ").map(String.init) + ["--help"])
    #expect(result.status == 0)
    #expect(result.output.contains("Example"))
    #expect(result.output.contains("  touchroute \(command)"))
  }

  @Test(
    "An example is not broken at the edge of a terminal, where a shell would take it for two",
    arguments: commands)
  func unbrokenExamples(_ command: String) throws {
    let words = command.split(separator: " ").map(String.init) + ["--help"]
    let examples = try ["80", "1000"].map { columns in
      let help = try Command.run(words, environment: ["COLUMNS": columns]).output
      let start = try #require(help.range(of: "\nExample"))
      return help[start.upperBound...].components(separatedBy: "\n\n")[0]
    }
    #expect(examples[0] == examples[1])
  }

  @Test("The tool names its version and its commands")
  func root() throws {
    let version = try Command.run(["--version"])
    #expect(version.status == 0)
    #expect(version.output.hasPrefix("touchroute "))
    let help = try Command.run([])
    for command in Self.commands {
      let name = command.prefix { $0 != " " }
      #expect(help.output.contains("\n  \(name) "))
    }
  }

  @Test("Shells can complete it", arguments: ["bash", "zsh", "fish"])
  func completion(_ shell: String) throws {
    let result = try Command.run(["--generate-completion-script", shell])
    #expect(result.status == 0)
    #expect(result.output.contains("hit-test"))
  }
}
