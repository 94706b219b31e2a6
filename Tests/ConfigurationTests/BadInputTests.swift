import Configuration
import Foundation
import Testing

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

  @Test("A hundred problems are listed, in order, and the rest is counted")
  func bounded() throws {
    let windows = (0..<4003).map { "[[window]]\nname = \"w\($0)\"\nlevel = \"high\"\n" }
    let text = "[screen.panel]\nsize = [800, 480]\n" + windows.joined()
    let error = try #require(throws: ConfigurationError.self) {
      try Configuration.parse([("t.toml", text)])
    }
    #expect(error.problems.count == 100)
    #expect(error.omitted == 3903)
    #expect(error.problems.map { $0.line ?? 0 } == (0..<100).map { 5 + 3 * $0 })
    #expect(error.description.hasSuffix("\nand 3903 more"))
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
