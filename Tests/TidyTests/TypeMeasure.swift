/// What a type of a room is made of, its extensions in that room included. Types that lie in it
/// are types of their own.
struct TypeMeasure {
  /// The room and the name, such as `Layout.HitGrid.Cell`.
  let name: String
  /// The paths of the files that it stands in.
  private(set) var files: Set<String> = []
  private(set) var lines = 0
  private(set) var storedProperties = 0
  private var isDeclared = false

  private init(_ name: String) { self.name = name }

  /// The types that a room declares, measured, in the order of their names.
  static func all(of room: String, in files: [SourceFile]) -> [TypeMeasure] {
    var measures: [String: TypeMeasure] = [:]
    for file in files {
      let code = file.code
      var open: [Declaration] = []
      for index in code.indices {
        while let last = open.last, last.end < index { open.removeLast() }
        if let declaration = Declaration(code, index, in: open.last) { open.append(declaration) }
        guard let type = open.last else { continue }
        measures[type.name, default: TypeMeasure("\(room).\(type.name)")].count(
          code, index, of: type, in: file.path)
      }
    }
    // What extends a type of another room has none of its state.
    return measures.values.filter(\.isDeclared).sorted { $0.name < $1.name }
  }

  private mutating func count(
    _ code: [String], _ index: Int, of type: Declaration, in file: String
  ) {
    files.insert(file)
    lines += 1
    if type.isExtension { return }
    isDeclared = true
    if type.isStoredProperty(code, index) { storedProperties += 1 }
  }
}

/// A type or an extension of one, from its first line to its last, as the formatter lays it out.
private struct Declaration {
  /// With the names of the types that it lies in.
  let name: String
  let isExtension: Bool
  /// The last line.
  let end: Int
  private let indentation: Int

  private static let modifiers: Set<Substring> = [
    "fileprivate", "final", "indirect", "internal", "lazy", "nonisolated", "package", "private",
    "private(set)", "package(set)", "internal(set)", "public", "unowned", "weak",
  ]
  private static let keywords: Set<Substring> = [
    "actor", "class", "enum", "extension", "protocol", "struct",
  ]

  /// A line's words from its keyword on.
  private static func words(of line: String) -> ArraySlice<Substring> {
    line.split(separator: " ").drop { $0.hasPrefix("@") || modifiers.contains($0) }
  }

  /// Nil where the line begins none.
  init?(_ code: [String], _ line: Int, in outer: Declaration?) {
    let words = Self.words(of: code[line])
    guard let keyword = words.first, Self.keywords.contains(keyword),
      let name = words.dropFirst().first?.prefix(while: { $0.isLetter || $0.isNumber || $0 == "." }
      ),
      name.first?.isUppercase ?? false
    else { return nil }
    self.name = (outer.map { $0.name + "." } ?? "") + name
    isExtension = keyword == "extension"
    let spaces = code[line].prefix { $0 == " " }
    indentation = spaces.utf8.count
    let last = spaces + "}"
    end = code[line].hasSuffix("}") ? line : code[line...].firstIndex { $0 == last } ?? line
  }

  /// Whether the line declares a property that a value of the type stores.
  func isStoredProperty(_ code: [String], _ line: Int) -> Bool {
    let text = code[line]
    guard text.utf8.prefix(while: { $0 == UInt8(ascii: " ") }).count == indentation + 2,
      let keyword = Self.words(of: text).first, keyword == "let" || keyword == "var"
    else { return false }
    if text.contains("=") { return true }
    let next = line + 1 < code.count ? code[line + 1] : ""
    if text.hasSuffix("{"), next.contains("didSet") || next.contains("willSet") { return true }
    return !text.contains("{") && !text.hasSuffix(":")
  }
}
