import Configuration
import Foundation
import TestSupport
import Testing

@Suite("Fuzz")
struct FuzzTests {
  /// What mutations put in: pieces that mean something to TOML or to us.
  private static let pieces = [
    "[", "]", "[[", "]]", "{", "}", "=", ",", ".", "\"", "'", "\"\"\"", "'''", "#", "\n", "\r\n",
    "\\", "\\u0000", "\u{0}", "\u{feff}", "é", "🙂", "inf", "nan", "-0.0", "1e400", "0x7fffffff",
    "9223372036854775807", "true", "2020-01-01", "[[view]]\n", "[view.transform]\n", "path = ",
    "frame = [0, 0, \"50%\", \"100%-1\"]\n", "home/", "@", "app:", "%", "a.b.c.d", "{}", "[]",
  ]

  @Test(
    "Mutated files are read or refused with problems, and never end the process",
    arguments: Seeds.fresh(8))
  func mutations(seed: UInt64) throws {
    let texts =
      try Fixture.all(in: "bad").flatMap { $0.texts.map { Array($0.text.utf8) } }
      + (try Repository.configurations().map { Array(try Data(contentsOf: $0)) })
    var generator = SeededGenerator(seed: seed)
    let directory = try TemporaryDirectory()
    for round in 0..<400 {
      var text = texts[Int.random(in: 0..<texts.count, using: &generator)]
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        mutate(&text, &generator)
      }
      // Through a file, since text that is not UTF-8 can't be a String.
      let path = try directory.write("fuzz-\(seed).toml", Data(text))
      do throws(ConfigurationError) {
        _ = try Configuration.load(files: [path])
      } catch {
        let isSentence = error.problems.allSatisfy { !$0.message.isEmpty && $0.file == path }
        #expect(isSentence, "seed \(seed), round \(round): \(error)")
        #expect(!error.problems.isEmpty)
      }
    }
  }

  private func mutate(_ text: inout [UInt8], _ generator: inout SeededGenerator) {
    let at = Int.random(in: 0...text.count, using: &generator)
    let end = min(text.count, at + Int.random(in: 0...8, using: &generator))
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: text.removeSubrange(at..<end)
    case 1: if at < text.count { text[at] = UInt8.random(in: 0...255, using: &generator) }
    case 2:
      let piece = Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &generator)]
      text.replaceSubrange(at..<end, with: piece.utf8)
    case 3: text.insert(contentsOf: text[at..<end], at: 0)
    default: text.insert(contentsOf: text[min(at, end / 2)..<end], at: at)
    }
  }
}
