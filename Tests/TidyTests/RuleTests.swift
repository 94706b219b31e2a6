import Foundation
import Testing

/// The rules of docs/rules.md, the code that keeps them and the tests that pin them know one
/// another by the rules' ids.
@Suite("docs/rules.md")
struct RuleTests {
  @Test("every rule that is cited exists")
  func citedRulesExist() throws {
    let rules = try rules()
    var unknown: [String] = []
    for file in try sources() + tests() + documents() {
      for (index, line) in file.lines.enumerated() {
        let missing = citations(of: line).subtracting(rules)
        unknown += missing.map { "\(file.path):\(index + 1): there is no rule \($0)" }
      }
    }
    #expect(unknown == [])
  }

  @Test("every rule is cited by a comment in Sources")
  func rulesAreKept() throws {
    let comments = try sources().flatMap(\.lines)
      .filter { $0.contains("//") || $0.contains("/*") || $0.contains(" * ") }
    let cited = comments.reduce(into: Set<String>()) { $0.formUnion(citations(of: $1)) }
    #expect(try rules().subtracting(cited).sorted() == [])
  }

  @Test("every rule is cited by the name of a test")
  func rulesArePinned() throws {
    var cited: Set<String> = []
    for file in try tests() {
      var isName = false
      for line in file.lines {
        if line.contains("@Test(") || line.contains("@Suite(") { isName = true }
        if isName { cited.formUnion(citations(of: line)) }
        if line.contains(" func ") || line.contains("struct ") { isName = false }
      }
    }
    #expect(try rules().subtracting(cited).sorted() == [])
  }

  @Test("an id is read alone, with its step, and from one to another")
  func reading() {
    #expect(
      citations(of: "/// Rules H2.1, H5 and R4; HTTP2 is none, nor T1x.") == ["H2", "H5", "R4"])
    #expect(citations(of: "by H3 to H6, and L1 to L2.") == ["H3", "H4", "H5", "H6", "L1", "L2"])
  }

  /// The ids of the rules, from the entries of docs/rules.md.
  private func rules() throws -> Set<String> {
    let page = try #require(SourceTree.files(below: "docs", endings: ["rules.md"]).first)
    let ids = page.lines.compactMap { line in
      line.firstMatch(of: #/^- ([LHTRFG]\d+)\. /#).map { String($0.1) }
    }
    #expect(ids.count > 40)
    #expect(Set(ids).count == ids.count, "two rules have one id")
    return Set(ids)
  }

  private func sources() throws -> [SourceFile] {
    try SourceTree.files(below: "Sources", endings: [".swift", ".c", ".cpp", ".h"])
  }

  private func tests() throws -> [SourceFile] {
    try SourceTree.files(below: "Tests", endings: [".swift"])
      .filter { !$0.path.hasPrefix("Tests/TidyTests/") }
  }

  private func documents() throws -> [SourceFile] {
    try SourceTree.files(below: "docs", endings: [".md"])
      + ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md"].map(SourceTree.file)
  }

  /// The ids that a line cites, those between two that it joins with `to` too.
  private func citations(of line: String) -> Set<String> {
    var ids: Set<String> = []
    let words = line.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "_") }
    for (index, word) in words.enumerated() {
      guard let letter = letter(of: word), let number = Int(word.dropFirst()) else { continue }
      ids.insert(String(word))
      guard index + 2 < words.count, words[index + 1] == "to",
        letter == self.letter(of: words[index + 2]), let last = Int(words[index + 2].dropFirst()),
        number <= last
      else { continue }
      ids.formUnion((number...last).map { "\(letter)\($0)" })
    }
    return ids
  }

  /// The letter of a rule's id; nil where the word is none.
  private func letter(of word: Substring) -> Character? {
    guard (2...3).contains(word.utf8.count), let first = word.first, "LHTRFG".contains(first),
      word.dropFirst().allSatisfy(\.isWholeNumber)
    else { return nil }
    return first
  }
}
