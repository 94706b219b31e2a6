import Configuration
import Foundation
import TestSupport
import Testing

@Suite("Shipped files")
struct ShippedFileTests {
  /// Problems, on a machine that has every user and group.
  private func problems(_ texts: [(file: String, text: String)]) -> [String] {
    do throws(ConfigurationError) {
      let anybody = Accounts(user: { _ in 1000 }, group: { _ in 1000 })
      _ = try Configuration.parse(texts, accounts: anybody)
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  /// `# key = value`, `# [table]` or `# [[table]]`, as prose never begins.
  private func isCommentedSetting(_ line: Substring) -> Bool {
    guard line.hasPrefix("# ") else { return false }
    let words = line.dropFirst(2).split(separator: " ", maxSplits: 2)
    guard let first = words.first else { return false }
    return first.hasPrefix("[") && first.hasSuffix("]") || words.count > 1 && words[1] == "="
  }

  @Test("Every configuration that is shipped is valid", arguments: try Repository.configurations())
  func valid(_ file: URL) throws {
    _ = try Configuration.load(files: [file.path])
  }

  @Test(
    "What is shipped says the same once it is merged", arguments: try Repository.configurations())
  func merged(_ file: URL) throws {
    let configuration = try Configuration.load(files: [file.path])
    let merged = try Configuration.parse([
      ("merged.toml", try Configuration.merged(files: [file.path]))
    ])
    #expect(merged.layoutDescription == configuration.layoutDescription)
    #expect(merged.devices == configuration.devices)
    #expect(merged.access == configuration.access)
    #expect(merged.limits == configuration.limits)
    #expect(merged.touch == configuration.touch)
  }

  @Test("What units and guides set for a unit is in quotes where it has spaces: systemd splits it")
  func unitEnvironment() throws {
    let folders = ["systemd", "docs"].map { Repository.root.appending(path: $0) }
    let files = try folders.flatMap {
      try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    }
    let lines = try files.filter { !$0.hasDirectoryPath && $0.pathExtension != "png" }
      .flatMap { try String(contentsOf: $0, encoding: .utf8).split(separator: "\n") }
      .map { $0.drop { $0 == "#" || $0 == " " } }.filter { $0.hasPrefix("Environment=") }
    #expect(lines.count > 4)
    #expect(lines.filter { $0.contains(" ") && !$0.hasPrefix("Environment=\"") } == [])
  }

  @Test("Every key that the default configuration shows in a comment is real")
  func commentedKeys() throws {
    let file = Repository.root.appending(path: "config/touchroute.toml")
    let lines = try String(contentsOf: file, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let settings = lines.filter(isCommentedSetting)
    #expect(settings.count > 40)
    let uncommented = lines.map { isCommentedSetting($0) ? $0.dropFirst(2) : $0 }
    #expect(problems([("touchroute.toml", uncommented.joined(separator: "\n"))]) == [])
  }

  @Test("The default configuration shows every limit with its default")
  func defaultLimits() throws {
    let file = Repository.root.appending(path: "config/touchroute.toml")
    let text = try String(contentsOf: file, encoding: .utf8)
    let section = try #require(text.range(of: "# [limits]\n"))
    let lines = text[section.upperBound...].split(separator: "\n").map { $0.dropFirst(2) }
    #expect(try keys(in: "[limits]") == lines.map { String($0.prefix { $0 != " " }) }.sorted())
    let shown = "[screen.a]\nsize = [1, 1]\n[limits]\n" + lines.joined(separator: "\n")
    #expect(try Configuration.parse([("t.toml", shown)]).limits == Limits())
  }

  /// The keys that a table takes, as its error message lists them.
  private func keys(in table: String) throws -> [String] {
    let text = "[screen.a]\nsize = [1, 1]\n\(table)\nzzzzzzzz = 1\n"
    let error = try #require(throws: ConfigurationError.self) {
      try Configuration.parse([("t.toml", text)])
    }
    let message = try #require(error.problems.first { $0.message.contains("zzzzzzzz") }?.message)
    let list = try #require(message.range(of: "known here: "))
    return message[list.upperBound...].split(separator: ", ").map(String.init)
  }

  private func documentation(_ page: String = "configuration") throws -> String {
    try String(contentsOf: Repository.root.appending(path: "docs/\(page).md"), encoding: .utf8)
  }

  private func examples(of page: String) throws -> [String] {
    try documentation(page).split(separator: "```toml\n").dropFirst().map { block in
      String(block[..<(block.range(of: "```")?.lowerBound ?? block.endIndex)])
    }
  }

  @Test("The kiosk of docs/integrating.md is valid, and so is the head unit with all its files")
  func integrating() throws {
    let blocks = try examples(of: "integrating")
    #expect(blocks.count == 5)
    #expect(problems([("kiosk", blocks[0])]) == [])
    #expect(problems([("head unit", blocks[1]), ("navigation", blocks[2])]) == [])
    #expect(problems([("kiosk", blocks[0]), ("dark", blocks[3])]) == [])
    #expect(problems([("kiosk", blocks[0]), ("click", blocks[4])]) == [])
  }

  @Test("Every configuration of docs/boards.md is valid, and says something of the panel")
  func boards() throws {
    let blocks = try examples(of: "boards")
    #expect(blocks.count > 12)
    for block in blocks {
      #expect(problems([("board", block)]) == [], "\(block)")
      #expect(
        ["rotation", "calibration", "invert_x", "ignore", "name = \"ghost\""].contains {
          block.contains($0)
        }, "\(block)")
    }
  }

  @Test("Every example of docs/configuration.md is valid beside the first one")
  func examples() throws {
    let blocks = try examples(of: "configuration")
    #expect(blocks.count > 8)
    for (index, block) in blocks.enumerated() {
      let texts = [("first", blocks[0])] + (index == 0 ? [] : [("example \(index)", block)])
      #expect(problems(texts) == [], "\(block)")
    }
  }

  @Test(
    "docs/configuration.md describes every key of every table",
    arguments: [
      ("[screen.NAME]", "[screen.b]"), ("[[device]]", "[[device]]"), ("[[window]]", "[[window]]"),
      ("[[view]]", "[[view]]"), ("[[access]]", "[[access]]"), ("[touch]", "[touch]"),
      ("[limits]", "[limits]"), ("[[device]]", "[[device]]\n[device.match]"),
      ("[[gesture]]", "[[gesture]]\nkind = \"tap\""),
      ("[[gesture]]", "[[gesture]]\nkind = \"pan\""),
      ("[[gesture]]", "[[gesture]]\nkind = \"swipe\"\ndirection = \"up\""),
      ("[[gesture]]", "[[gesture]]\nkind = \"rotation\""),
      ("[[gesture]]", "[[gesture]]\nkind = \"edge_pan\"\nedge = \"left\""),
    ])
  func keysAreDescribed(_ heading: String, _ table: String) throws {
    let text = try documentation()
    let start = try #require(text.range(of: "## \(heading)\n")).upperBound
    let section = text[start...].prefix(
      upTo: text[start...].range(of: "\n## ")?.lowerBound ?? text.endIndex)
    let viewSection = try #require(text.range(of: "## [[view]]\n")).upperBound
    for key in try keys(in: table) {
      let isDescribed =
        section.contains("`\(key)`")
        || heading == "[[window]]" && text[viewSection...].contains("| `\(key)` |")
      #expect(isDescribed, "\(heading) \(key)")
    }
  }

  @Test("docs/configuration.md gives the range of every limit")
  func limitRanges() throws {
    let page = try documentation()
    let text = page[try #require(page.range(of: "## [limits]\n")).upperBound...]
    for key in try keys(in: "[limits]") {
      let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("| `\(key)` |") })
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let bad = "[screen.a]\nsize = [1, 1]\n[limits]\n\(key) = -1\n"
      let error = try #require(throws: ConfigurationError.self) {
        try Configuration.parse([("t.toml", bad)])
      }
      let expected =
        "limits.\(key) must be an integer from \(cells[3]) to \(cells[4]), found -1"
      #expect(error.problems.map(\.message) == [expected])
    }
  }
}
