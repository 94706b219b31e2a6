import Foundation
import TestSupport

/// docs/tutorial.md as steps to be followed, up to the chapter that needs root and systemd.
struct Tutorial {
  enum Step {
    /// Text that is appended to a file, which may not be there yet.
    case append(String, to: String)
    /// A command that is pasted into a terminal, and what it prints.
    case command(String, prints: [String])
    /// Ctrl-C in the terminal of the program that was started last.
    case interrupt
    /// Lines in the terminal of a program that runs.
    case shown([String])
  }

  static let file = "docs/tutorial.md"

  static func steps() throws -> [Step] {
    let text = try String(contentsOf: Repository.root.appending(path: file), encoding: .utf8)
    var lines = text.components(separatedBy: "\n").prefix { $0 != "## 10. As services" }
    var steps: [Step] = []
    while let start = lines.firstIndex(where: { $0.hasPrefix("```") }) {
      let body = lines[(start + 1)...].prefix { $0 != "```" }
      steps += block(String(lines[start].dropFirst(3)), Array(body))
      lines = lines[body.endIndex...].dropFirst()
    }
    return steps
  }

  private static func block(_ language: String, _ lines: [String]) -> [Step] {
    let text = lines.joined(separator: "\n") + "\n"
    return switch language {
    case "sh": [.append(text, to: "env.sh")]
    case "toml": [.append("\n" + text, to: "touchroute.toml")]
    case "python": [.append(text, to: "dashboard.py")]
    case "text": [.shown(lines)]
    case "console": terminal(lines[...])
    default: []
    }
  }

  private static func terminal(_ lines: ArraySlice<String>) -> [Step] {
    guard let line = lines.first else { return [] }
    let printed = lines.dropFirst().prefix { !$0.hasPrefix("$ ") && $0 != "^C" }
    let step: Step =
      line == "^C" ? .interrupt : .command(String(line.dropFirst(2)), prints: Array(printed))
    return [step] + terminal(lines[printed.endIndex...])
  }

  /// A line without what is another at each run: process numbers, users, times, and places in a
  /// file whose lines the test may have added to.
  static func comparable(_ line: String) -> String {
    line.replacing(#/pid \d+/#, with: "pid N").replacing(#/user [a-z-]+/#, with: "user U")
      .replacing(#/^\d+\.\d{3} /#, with: "T ").replacing(#/:\d+:\d+:/#, with: ":L:C:")
  }
}
