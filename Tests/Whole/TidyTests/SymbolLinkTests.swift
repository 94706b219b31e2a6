import Testing

/// Where the links of docstrings lead.
@Suite("Symbol links")
struct SymbolLinkTests {
  @Test("a symbol that a docstring links to is declared, with these labels")
  func declared() throws {
    let sources = try SourceTree.swiftSources()
    let declared = DeclaredNames(in: sources)
    var broken: [String] = []
    var count = 0
    for file in sources {
      for (index, line) in file.lines.enumerated() {
        for link in line.matches(of: #/``([^`]+)``/#) {
          count += 1
          for name in link.1.split(separator: "/") where !declared.contains(name) {
            broken.append("\(file.path):\(index + 1): \(link.1)")
          }
        }
      }
    }
    #expect(broken == [])
    #expect(count > 200)
  }

  @Test("names are found with their labels, whatever their parameters are")
  func names() {
    let file = SourceFile(
      path: "Sources/Room/Room.swift",
      lines: """
        package struct Room<Door: Equatable> {
          let walls, ceiling: Int
          case open(_ door: Door, String), shut
          init?(_ number: Int, of kind: (left: Int, right: Int) = (1, 2)) {
          static func enter<Guest>(
            _ guest: Guest, then done: @escaping (Guest, Int) -> Void
          ) throws {
          subscript(index: Int) -> Int { 0 }
        """.split(separator: "\n").map(String.init))
    let declared = DeclaredNames(in: [file])
    for name in [
      "Room", "walls", "open", "open(_:_:)", "shut", "init(_:of:)", "enter(_:then:)", "enter",
      "subscript(_:)",
    ] {
      #expect(declared.contains(name[...]), "\(name)")
    }
    for name in ["Door", "open(_:)", "init(_:)", "enter(_:)", "number"] {
      #expect(!declared.contains(name[...]), "\(name)")
    }
  }
}

/// What is declared in sources: types, properties, functions, cases, with their labels.
private struct DeclaredNames {
  private var names: Set<String> = []

  init(in files: [SourceFile]) {
    for file in files {
      let code = file.code.joined(separator: "\n")
      for match in code.matches(
        of: #/\b(?:struct|class|enum|protocol|actor|typealias|var|let)\s+`?(\w+)/#)
      {
        names.insert(String(match.1))
      }
      for match in code.matches(of: #/\b(?:func\s+`?(\w+)`?|(init)[?!]?|(subscript))\s*[<(]/#) {
        let name = String(match.1 ?? match.2 ?? match.3 ?? "")
        add(name, parameters: code[code.index(before: match.range.upperBound)...])
      }
      for match in code.matches(of: #/\bcase\s+(\w[^\n]*)/#) { addCases(match.1) }
    }
  }

  func contains(_ name: Substring) -> Bool { names.contains(String(name)) }

  private mutating func addCases(_ list: Substring) {
    for item in Self.parts(of: list) {
      let name = item.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      names.insert(String(name))
      add(String(name), parameters: item.dropFirst(name.count))
    }
  }

  /// Takes in a name, and the labels of the parameters that follow it.
  private mutating func add(_ name: String, parameters: Substring) {
    names.insert(name)
    var rest = parameters
    if rest.first == "<" {
      rest = rest.dropFirst(Self.enclosed(by: "<", ">", at: rest).count + 2)
    }
    guard rest.first == "(" else { return }
    let labels = Self.parts(of: Self.enclosed(by: "(", ")", at: rest)).map { part in
      let words = part.prefix { $0 != ":" }.split(separator: " ")
      let isNamed = part.contains(":") && !part.hasPrefix("(") && name != "subscript"
      return isNamed || words.count > 1 ? "\(words.first ?? "_"):" : "_:"
    }
    names.insert("\(name)(\(labels.joined()))")
  }

  /// What stands between a bracket and the one that closes it.
  private static func enclosed(
    by opening: Character, _ closing: Character, at text: Substring
  ) -> Substring {
    var depth = 0
    for index in text.indices {
      if text[index] == opening { depth += 1 }
      if text[index] == closing { depth -= 1 }
      if depth == 0 { return text[text.index(after: text.startIndex)..<index] }
    }
    return text
  }

  /// The parts of a list, which commas separate.
  private static func parts(of list: Substring) -> [Substring] {
    var (parts, depth, start) = ([Substring](), 0, list.startIndex)
    for index in list.indices {
      if "([{<".contains(list[index]) { depth += 1 }
      if ")]}".contains(list[index]) || list[index] == ">" && !list[..<index].hasSuffix("-") {
        depth -= 1
      }
      guard list[index] == ",", depth == 0 else { continue }
      parts.append(list[start..<index])
      start = list.index(after: index)
    }
    parts.append(list[start...])
    return parts.map { $0.trimmingPrefix { $0.isWhitespace } }.filter { !$0.isEmpty }
  }
}
