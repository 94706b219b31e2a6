/// Writes parsed files as one configuration, with where each part came from in comments.
struct MergedText {
  private let files: [String]
  private var lines: [String] = []

  /// A text of all sections of the files, which says the same as they do together.
  ///
  /// - Parameters:
  ///   - roots: The top levels of valid files, in the order of reading.
  ///   - files: The paths that locations refer to.
  ///   - remarks: Lines that come first, as comments.
  static func text(of roots: [Value], files: [String], remarks: [String]) -> String {
    var text = MergedText(files: files)
    text.lines = remarks.map { "# \(oneLine($0))" }
    for key in RootKey.allCases {
      switch key {
      case .screen: text.addScreens(roots)
      case .device, .window, .view, .gesture, .access:
        text.addElements(key.rawValue, roots)
      case .limits, .touch: text.addSettings(key.rawValue, roots)
      }
    }
    return text.lines.map { $0 + "\n" }.joined()
  }

  private init(files: [String]) {
    self.files = files
  }

  private mutating func addScreens(_ roots: [Value]) {
    for screen in roots.flatMap({ $0.find(RootKey.screen.rawValue)?.entries ?? [] }) {
      addHeader("[screen.\(Self.key(screen.key))]", at: screen.keyLocation)
      addKeys(of: screen.value)
    }
  }

  private mutating func addElements(_ name: String, _ roots: [Value]) {
    for table in roots.flatMap({ $0.find(name)?.elements ?? [] }) {
      addHeader("[[\(name)]]", at: table.location)
      addKeys(of: table)
    }
  }

  private mutating func addSettings(_ name: String, _ roots: [Value]) {
    let tables = roots.compactMap { $0.find(name) }
    guard let first = tables.first else { return }
    addHeader("[\(name)]", at: first.location)
    for table in tables { addKeys(of: table) }
  }

  private mutating func addHeader(_ header: String, at location: SourceLocation) {
    if !lines.isEmpty { lines.append("") }
    add(header, at: location)
  }

  private mutating func addKeys(of table: Value) {
    for entry in table.entries {
      add("\(Self.key(entry.key)) = \(entry.value.text)", at: entry.keyLocation)
    }
  }

  private mutating func add(_ text: String, at location: SourceLocation) {
    let padding = String(repeating: " ", count: max(2, 40 - text.count))
    let file = Self.oneLine(files[Int(location.file)])
    lines.append("\(text)\(padding)# \(file):\(location.line)")
  }

  private static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline || $0 < " " ? "?" : $0 })
  }

  /// A key as TOML writes it: bare where it can be.
  fileprivate static func key(_ key: String) -> String {
    isName(key) && !key.contains(".") ? key : key.tomlString
  }
}

extension Value {
  /// The value as TOML writes it on one line.
  fileprivate var text: String {
    switch kind {
    case .table:
      count == 0
        ? "{}"
        : "{ "
          + entries.map { "\(MergedText.key($0.key)) = \($0.value.text)" }.joined(separator: ", ")
          + " }"
    case .array: "[" + elements.map(\.text).joined(separator: ", ") + "]"
    case .string: (string ?? "").tomlString
    // A date has no place in a valid configuration.
    case .integer, .float, .boolean, .date: summary
    }
  }
}

extension String {
  /// A basic string of TOML.
  fileprivate var tomlString: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
