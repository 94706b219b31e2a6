import Foundation
import TestSupport
import Testing

@testable import Configuration

@Suite("Bad input")
struct BadInputTests {
  @Test(
    "Every bad text gives exactly the lines that its fixture names",
    arguments: try Fixture.all(in: "bad"))
  func fixtures(_ fixture: Fixture) throws {
    #expect(!fixture.expected.isEmpty, "a case without a problem does not belong here")
    let error = try #require(throws: ConfigurationError.self) {
      try Configuration.parse(fixture.texts)
    }
    #expect(error.description == fixture.expected.joined(separator: "\n"))
  }

  @Test("A hundred problems are listed, in order, and then that there are more")
  func bounded() throws {
    let windows = (0..<4003).map { "[[window]]\nname = \"w\($0)\"\nlevel = \"high\"\n" }
    let text = "[screen.panel]\nsize = [800, 480]\n" + windows.joined()
    let error = try #require(throws: ConfigurationError.self) {
      try Configuration.parse([("t.toml", text)])
    }
    #expect(error.problems.count == 100)
    #expect(error.hasMore)
    #expect(error.problems.map { $0.line ?? 0 } == (0..<100).map { 5 + 3 * $0 })
    #expect(
      error.description.hasSuffix("\nthere are more problems; correct these first to see them"))
  }

  @Test("A hundred problems are all that there are where there are no more")
  func exactlyTheLimit() throws {
    let windows = (0..<100).map { "[[window]]\nname = \"w\($0)\"\nlevel = \"high\"\n" }
    let text = "[screen.panel]\nsize = [800, 480]\n" + windows.joined()
    let error = try #require(throws: ConfigurationError.self) {
      try Configuration.parse([("t.toml", text)])
    }
    #expect(error.problems.count == 100)
    #expect(!error.hasMore)
  }

  @Test("Of 100,000 mistakes no more are looked into than are listed")
  func stopsEarly() throws {
    var lookups = 0
    let nobody = Accounts(
      user: { _ in
        lookups += 1
        return nil
      }, group: { _ in nil })
    let users = (0..<100_000).map { "\"user\($0)\"" }.joined(separator: ",\n")
    let text = """
      [screen.panel]
      size = [800, 480]
      [[window]]
      name = "home"
      [[access]]
      path = "home"
      users = [\(users)]
      """
    let error = try #require(throws: ConfigurationError.self) {
      try Configuration.parse([("t.toml", text)], accounts: nobody)
    }
    #expect(error.problems.count == 100)
    #expect(lookups == 101)
  }

  @Test("Of 100,000 unknown keys no more are read, and no more messages made, than are listed")
  func stopsReading() throws {
    let text = (0..<100_000).map { "key\($0) = 1\n" }.joined()
    let document = try Array(text.utf8).withUnsafeBytes { try Document($0, file: 0) }
    let problems = ProblemList()
    problems.files = ["t.toml"]
    var keys = 0
    Scope(document.root, .none, problems: problems).read(known: RootKey.names) { _ in
      keys += 1
      return false
    }
    #expect(keys == 101)
    var messages = 0
    func message() -> String {
      messages += 1
      return "wrong"
    }
    problems.add(SourceLocation(file: 0), message())
    #expect(messages == 0)
    #expect(problems.error().problems.count == 100)
  }

  @Test("A text that is not UTF-8 is refused at its line")
  func notUTF8() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(
      "latin1.toml", Data("# b\u{fc}ro".unicodeScalars.map { UInt8($0.value) }))
    let error = try #require(throws: ConfigurationError.self) {
      try Configuration.load(files: [path])
    }
    #expect(error.description == "\(path):1:3: this is not UTF-8 text")
  }
}
