import Foundation
import TestSupport

/// docs/boards.md: what it shows of each panel, in its order.
enum BoardPage {
  /// One fenced block.
  enum Step: Equatable {
    /// What `touchroute list-devices` prints.
    case listing([String])
    /// Rules for udev.
    case rules([String])
    /// A configuration.
    case configuration(String)
    /// Places on the device, and the point of the screen; nil where no program gets the touch.
    case fingers([Finger])
  }

  /// A line `10, 20: 790, 460`.
  struct Finger: Equatable {
    var x: Int32
    var y: Int32
    var place: String?
  }

  /// What stands under a heading of the second level.
  struct Section {
    var title: String
    var steps: [Step]
  }

  /// All sections that have a fenced block.
  static func sections() throws -> [Section] {
    let file = Repository.root.appending(path: "docs/boards.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    return try text.components(separatedBy: "\n## ").dropFirst().compactMap { chapter in
      let title = chapter.prefix { $0 != "\n" }
      let steps = try blocks(of: chapter).map(step)
      return steps.isEmpty ? nil : Section(title: String(title), steps: steps)
    }
  }

  private static func blocks(of chapter: String) -> [(language: String, lines: [String])] {
    var blocks: [(language: String, lines: [String])] = []
    var isOpen = false
    for line in chapter.components(separatedBy: "\n") {
      if line.hasPrefix("```") {
        isOpen.toggle()
        if isOpen { blocks.append((String(line.dropFirst(3)), [])) }
      } else if isOpen {
        blocks[blocks.count - 1].lines.append(line)
      }
    }
    return blocks
  }

  private static func step(_ language: String, _ lines: [String]) throws -> Step {
    switch language {
    case "toml": return .configuration(lines.joined(separator: "\n") + "\n")
    case "udev": return .rules(lines)
    case "text":
      if lines.first?.hasPrefix("/dev/input/") == true { return .listing(lines) }
      return .fingers(try lines.map(finger))
    default: throw Missing("docs/boards.md has a block in \"\(language)\"")
    }
  }

  private static func finger(_ line: String) throws -> Finger {
    guard let match = line.wholeMatch(of: #/(\d+), (\d+): (\d+, \d+|no program)/#),
      let x = Int32(match.1), let y = Int32(match.2)
    else { throw Missing("docs/boards.md: \"\(line)\" is no line X, Y: X, Y") }
    return Finger(x: x, y: y, place: match.3 == "no program" ? nil : String(match.3))
  }
}
