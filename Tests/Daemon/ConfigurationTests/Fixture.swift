import Foundation
import Testing

/// A case of a text fixture: what is read, and the lines that must come of it.
///
///     === what it is about
///     [screen.panel]
///     >>> second.toml      (where there are more files than one; the first is t.toml)
///     ---
///     t.toml:1:1: what is expected
struct Fixture: CustomTestStringConvertible, Sendable {
  var title: String
  var texts: [(file: String, text: String)]
  var expected: [String]

  var testDescription: String { title }

  /// All cases of the files in a directory of Fixtures, in the order of their names.
  static func all(in directory: String) throws -> [Fixture] {
    let fixtures = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
    let files = try FileManager.default.contentsOfDirectory(
      at: fixtures.appending(path: directory), includingPropertiesForKeys: nil)
    return try files.sorted { $0.path < $1.path }.flatMap { try read($0) }
  }

  private static func read(_ file: URL) throws -> [Fixture] {
    var fixtures: [Fixture] = []
    var isExpected = false
    for line in try String(contentsOf: file, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("=== ") {
        let title = "\(file.lastPathComponent): \(line.dropFirst(4))"
        fixtures.append(Fixture(title: title, texts: [("t.toml", "")], expected: []))
        isExpected = false
      } else if line == "---" {
        isExpected = true
      } else if isExpected {
        if !line.isEmpty { fixtures[fixtures.count - 1].expected.append(String(line)) }
      } else if line.hasPrefix(">>> ") {
        fixtures[fixtures.count - 1].texts.append((String(line.dropFirst(4)), ""))
      } else {
        let texts = fixtures[fixtures.count - 1].texts.count
        fixtures[fixtures.count - 1].texts[texts - 1].text += line + "\n"
      }
    }
    return fixtures
  }
}
