import Foundation
import Testing

/// What the C library exports, and its Debian package says that it does.
@Suite("Symbols")
struct SymbolTests {
  @Test("the package's list of symbols names each function of touchroute.h")
  func symbols() throws {
    let header = try #require(
      SourceTree.files(below: "Sources/Client/CTouchroute/include", endings: ["touchroute.h"]).first
    )
    let declaration = /^[a-z][\w \*]*?\b(touchroute_\w+)\(/
    let declared = header.lines.compactMap { line in
      (try? declaration.firstMatch(in: line)).map { String($0.1) }
    }
    let list = try #require(
      SourceTree.files(below: "packaging/debian", endings: ["libtouchroute0.symbols"]).first)
    let listed = list.lines.compactMap { $0.split(separator: "@").first }
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.hasPrefix("touchroute_") }
    #expect(declared.count > 10)
    #expect(Set(declared) == Set(listed))
  }
}
