import Foundation
import Testing

/// A function is read without scrolling.
@Suite("Functions")
struct FunctionTests {
  static let limit = 40
  /// Of a test, which tells a story from its beginning to its end.
  static let testLimit = 70

  /// The functions that are longer, by file and name, each with the reason.
  static let longer: [String: String] = [:]

  @Test("a function has at most 40 lines, in C too, or is listed; in Tests 70")
  func lengths() throws {
    let swift = try SourceTree.swiftSources().flatMap(functions)
    let c = try SourceTree.files(below: "Sources", endings: [".c", ".cpp"]).flatMap(cFunctions)
    #expect(swift.count > 1000)
    #expect(c.count > 100)
    let long = (swift + c).filter { $0.length > Self.limit }
    #expect(long.filter { Self.longer[$0.name] == nil }.map(\.description) == [])
    let listed = Set(Self.longer.keys).subtracting(long.map(\.name)).sorted()
    #expect(listed == [], "listed as longer, and is not: take it off the list")
    let tests = try SourceTree.files(below: "Tests", endings: [".swift"]).flatMap(functions)
    #expect(tests.filter { $0.length > Self.testLimit }.map(\.description) == [])
  }

  private struct Function {
    /// The file's name and its own.
    let name: String
    let file: String
    let line: Int
    let length: Int

    var description: String { "\(file):\(line): \(name): \(length) lines" }

    init(_ name: String, _ file: SourceFile, from first: Int, to last: Int) {
      self.name = "\(file.path.split(separator: "/").last ?? "") \(name)"
      self.file = file.path
      line = first + 1
      length = last - first + 1
    }
  }

  /// Functions and initialisers by the indentation of their first and last lines, which the
  /// formatter fixes.
  private func functions(of file: SourceFile) -> [Function] {
    let code = file.code
    return code.indices.compactMap { index in
      let line = code[index]
      let words = line.split(separator: " ")
      let name: Substring
      if let keyword = words.prefix(6).firstIndex(of: "func"), keyword + 1 < words.count {
        name = words[keyword + 1].prefix { $0 != "(" && $0 != "<" }
      } else if words.prefix(3).contains(where: { $0.hasPrefix("init(") || $0.hasPrefix("init?(") })
      {
        name = "init"
      } else {
        return nil
      }
      let last = line.prefix { $0 == " " } + "}"
      guard !line.hasSuffix("}"), let end = code[index...].firstIndex(where: { $0 == last })
      else { return nil }
      return Function(String(name), file, from: index, to: end)
    }
  }

  /// Functions in C, which begin and end in the first column.
  private func cFunctions(of file: SourceFile) -> [Function] {
    var found: [Function] = []
    var start: (name: String, line: Int)?
    for (index, line) in file.lines.enumerated() {
      if line.first?.isLetter ?? false, !line.hasSuffix(";"),
        let call = line.split(separator: "(", maxSplits: 1).first, call.count < line.count
      {
        start = (String(call.split(separator: " ").last ?? ""), index)
      } else if line.hasPrefix("}"), let (name, first) = start {
        found.append(Function(name, file, from: first, to: index))
        start = nil
      }
    }
    return found
  }
}
