import Foundation
import TestSupport
import Testing

@Suite("README.md")
struct ReadmeTests {
  private let lines: [String]

  init() throws {
    let text = try String(
      contentsOf: Repository.root.appending(path: "README.md"), encoding: .utf8)
    lines = text.components(separatedBy: "\n")
  }

  @Test("The layout of the first example is valid, and its tree and taps are as shown (H2)")
  func example() throws {
    let directory = try TemporaryDirectory()
    let start = try #require(lines.firstIndex(of: "```toml"))
    let layout = lines[(start + 1)...].prefix { $0 != "```" }
    try directory.write("touchroute.toml", layout.joined(separator: "\n"))

    let tree = try Command.run(["tree", "-c", "touchroute.toml"], in: directory.url)
    #expect(tree.status == 0)
    // Who holds what is for a daemon to say.
    let shown = printed(by: "touchroute tree").map { $0.components(separatedBy: "  held by ")[0] }
    #expect(tree.output.split(separator: "\n").map(String.init) == shown)

    let taps = lines.compactMap { $0.wholeMatch(of: #/    \$ sudo touchroute tap (\d+) (\d+)/#) }
    #expect(taps.count == 2)
    for tap in taps {
      let point = [String(tap.1), String(tap.2)]
      let hit = try Command.run(["hit-test", "-c", "touchroute.toml"] + point, in: directory.url)
      let target = try #require(hit.output.split(separator: "\n").first)
      let said = try #require(printed(by: "touchroute tap \(tap.1) \(tap.2)").first)
      #expect(said.contains(" at (\(tap.1), \(tap.2)) on panel hit \(target): "))
    }
  }

  /// The lines below a command, as they are shown.
  private func printed(by command: String) -> [String] {
    guard let index = lines.firstIndex(of: "    $ sudo \(command)") else { return [] }
    return lines[(index + 1)...].prefix { $0.hasPrefix("    ") && !$0.hasPrefix("    $ ") }
      .map { String($0.dropFirst(4)) }
  }
}
