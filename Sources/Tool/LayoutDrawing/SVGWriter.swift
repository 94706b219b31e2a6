/// XML, an element a line.
struct SVGWriter {
  private(set) var lines: [String] = []
  private var open: [String] = []

  typealias Attributes = KeyValuePairs<String, String>

  /// Opens an element; what follows lies in it until ``end()``.
  mutating func begin(_ name: String, _ attributes: Attributes = [:]) {
    lines.append("\(indent)<\(name)\(Self.text(attributes))>")
    open.append(name)
  }

  /// Closes the element opened last.
  mutating func end() {
    guard let name = open.popLast() else { return }
    lines.append("\(indent)</\(name)>")
  }

  /// An element without others in it.
  mutating func element(_ name: String, _ attributes: Attributes = [:], text: String = "") {
    let start = "\(indent)<\(name)\(Self.text(attributes))"
    lines.append(text.isEmpty ? "\(start)/>" : "\(start)>\(Self.escape(text))</\(name)>")
  }

  private var indent: String { String(repeating: " ", count: open.count) }

  private static func text(_ attributes: Attributes) -> String {
    attributes.map { " \($0)=\"\(escape($1))\"" }.joined()
  }

  /// The text with what XML keeps for itself written as entities.
  static func escape(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
