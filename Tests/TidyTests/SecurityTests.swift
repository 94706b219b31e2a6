import Foundation
import Testing

/// What docs/security.md promises is held by tests that exist.
@Suite("docs/security.md")
struct SecurityTests {
  @Test("every promise names tests, and every test that is named is there")
  func tests() throws {
    let page = try #require(SourceTree.files(below: "docs", endings: ["security.md"]).first)
    let rows = page.lines.drop { !$0.hasPrefix("## What a program in the group can't do") }
      .prefix { !$0.hasPrefix("## What it can do") }
      .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| it can't") }
    #expect(rows.count > 10)
    let sources = try SourceTree.files(below: "Tests", endings: [".swift"])
      .filter { !$0.path.hasPrefix("Tests/TidyTests/") }.flatMap(\.lines)
    var missing: [String] = []
    for row in rows {
      let names = row.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map { "\"\($0.element)\"" }
      if names.isEmpty { missing.append("no test: \(row)") }
      missing += names.filter { name in !sources.contains { $0.contains(name) } }
    }
    #expect(missing == [])
  }
}
