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
    lines.append(text.isEmpty ? "\(start)/>" : "\(start)>\(text.xmlEscaped)</\(name)>")
  }

  private var indent: String { String(repeating: " ", count: open.count) }

  private static func text(_ attributes: Attributes) -> String {
    attributes.map { " \($0)=\"\($1.xmlEscaped)\"" }.joined()
  }
}
