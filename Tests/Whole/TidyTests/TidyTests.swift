import Foundation
import Testing

/// The craft of ARCHITECTURE.md, kept by a test.
@Suite("Tidy")
struct TidyTests {
  @Test("no line is over 100 columns, but for the texts that tests expect")
  func columns() throws {
    let headers = try SourceTree.files(below: "Sources", endings: [".h", ".c", ".cpp"])
    var wide: [String] = []
    for file in try SourceTree.swiftEverywhere() + headers {
      var isText = false
      for (index, line) in file.lines.enumerated() {
        if line.components(separatedBy: "\"\"\"").count == 2 { isText.toggle() }
        if line.count > 100, !isText || file.path.hasPrefix("Sources") {
          wide.append("\(file.path):\(index + 1)")
        }
      }
    }
    #expect(wide == [])
  }

  @Test("nothing in Sources steps round the compiler's checks")
  func forbiddenConstructs() throws {
    let forbidden = [
      "@unchecked Sendable", "nonisolated(unsafe)", "try!", "as!", "@preconcurrency",
      "fatalError()",
    ]
    let forceUnwrap = try NSRegularExpression(pattern: #"[\w\)\]]!(?![=\w])"#)
    var found: [String] = []
    for file in try SourceTree.swiftSources() {
      for (index, line) in file.code.enumerated() {
        for construct in forbidden where line.contains(construct) {
          found.append("\(file.path):\(index + 1): \(construct)")
        }
        let whole = NSRange(line.startIndex..., in: line)
        if forceUnwrap.firstMatch(in: line, range: whole) != nil {
          found.append("\(file.path):\(index + 1): force unwrap: \(line)")
        }
      }
    }
    #expect(found == [])
  }

  @Test("what runs beside other tests starts processes by ChildProcess, not by Foundation's")
  func processes() throws {
    let alone = ["Tests/Whole/DeviceTests/", "Tests/Whole/ServiceTests/"]
    var found: [String] = []
    for file in try SourceTree.files(below: "Tests", endings: [".swift"])
    where !alone.contains(where: file.path.hasPrefix) {
      for (index, line) in file.code.enumerated() where line.hasSuffix("= " + "Process()") {
        found.append("\(file.path):\(index + 1)")
      }
    }
    #expect(found == [])
  }

  @Test("no test goes on asking what it waited for: where passes turns over, and ends no loop")
  func waiting() throws {
    var found: [String] = []
    for file in try SourceTree.files(below: "Tests", endings: [".swift"]) {
      for (index, line) in file.code.enumerated()
      where line.contains("for _ in 0..<") && line.contains(" where ") {
        found.append("\(file.path):\(index + 1)")
      }
    }
    #expect(found == [])
  }

  @Test("every symbol that leaves its room has a docstring")
  func documentation() throws {
    var bare: [String] = []
    for file in try SourceTree.swiftSources() {
      for (index, line) in file.lines.enumerated() where leavesRoom(line) {
        var above = index - 1
        while above >= 0, file.lines[above].trimmingCharacters(in: .whitespaces).hasPrefix("@") {
          above -= 1
        }
        let previous = above >= 0 ? file.lines[above].trimmingCharacters(in: .whitespaces) : ""
        if !previous.hasPrefix("///") { bare.append("\(file.path):\(index + 1): \(line)") }
      }
    }
    #expect(bare == [])
  }

  @Test("a docstring says what a symbol does, and then cites its rules")
  func docstringsSayMore() throws {
    var bare: [String] = []
    for file in try SourceTree.swiftSources() {
      let lines = file.lines.map { $0.trimmingCharacters(in: .whitespaces) }
      for (index, line) in lines.enumerated()
      where line.wholeMatch(of: #/\/\/\/ Rules? [A-Z]\d.*/#) != nil {
        let isFirst = index == 0 || !lines[index - 1].hasPrefix("///")
        if isFirst { bare.append("\(file.path):\(index + 1): \(line)") }
      }
    }
    #expect(bare == [])
  }

  @Test("every type of Sources is used by another line than its own declaration")
  func everythingIsUsed() throws {
    let pattern = try NSRegularExpression(
      pattern:
        #"^\s*(?:@\w+ )*(?:public |private |fileprivate |package )?(?:final )?(?:indirect )?"#
        + #"(?:struct|class|enum|protocol|actor) (\w+)"#)
    let sources = try SourceTree.swiftSources()
    let words = sources.map { file in
      file.code.joined(separator: "\n").split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    }
    var uses: [Substring: Int] = [:]
    for word in words.joined() { uses[word, default: 0] += 1 }
    var unused: [String] = []
    for file in sources {
      for (index, line) in file.lines.enumerated() {
        let range = NSRange(line.startIndex..., in: line)
        guard let match = pattern.firstMatch(in: line, range: range),
          let name = Range(match.range(at: 1), in: line)
        else { continue }
        let isEntry = index > 0 && file.lines[index - 1].contains("@main")
        if uses[line[name], default: 0] < 2, !isEntry, !line.contains("@main") {
          unused.append("\(file.path):\(index + 1): \(line[name])")
        }
      }
    }
    #expect(unused == [])
  }

  private func leavesRoom(_ line: String) -> Bool {
    let words = line.split(separator: " ").drop { $0.hasPrefix("@") }
    guard let access = words.first, access == "public" || access == "package" else { return false }
    return words.dropFirst().first != "import"
  }
}
