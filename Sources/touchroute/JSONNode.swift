/// A value as JSON knows it, built up while an `Encodable` describes itself.
///
/// Foundation has an encoder too, and 5 MB of other things that every installed tool would carry.
final class JSONNode {
  private enum Content {
    /// A number, `true`, `false` or `null`.
    case literal(String)
    case string(String)
    case array([JSONNode])
    case object([String: JSONNode])
  }

  private var content = Content.literal("null")

  /// The node of a value.
  ///
  /// - Throws: `EncodingError` for a number that JSON does not have.
  convenience init(_ value: some Encodable) throws {
    self.init()
    try set(value)
  }

  /// JSON without white space, with the keys of objects in alphabetical order.
  var text: String {
    switch content {
    case .literal(let text): text
    case .string(let text): Self.quoted(text)
    case .array(let nodes): "[\(nodes.map(\.text).joined(separator: ","))]"
    case .object(let nodes):
      "{"
        + nodes.sorted { $0.key < $1.key }.map { "\(Self.quoted($0)):\($1.text)" }
        .joined(separator: ",") + "}"
    }
  }

  /// Takes the value's place.
  func set(_ value: some Encodable) throws {
    switch value {
    case let text as String: content = .string(text)
    case let truth as Bool: content = .literal("\(truth)")
    case let number as any BinaryInteger: content = .literal("\(number)")
    case let number as Double:
      guard number.isFinite else {
        throw EncodingError.invalidValue(
          number, .init(codingPath: [], debugDescription: "JSON has no number \(number)"))
      }
      let text = "\(number)"
      content = .literal(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    default: try value.encode(to: JSONNodeEncoder(node: self))
    }
  }

  /// Is `null` from now on.
  func clear() { content = .literal("null") }

  /// Is an object from now on, unless it is one.
  func becomeObject() { if case .object = content {} else { content = .object([:]) } }

  /// Is an array from now on, unless it is one.
  func becomeArray() { if case .array = content {} else { content = .array([]) } }

  /// The elements of an array.
  var count: Int { if case .array(let nodes) = content { nodes.count } else { 0 } }

  /// A node at the end of an array.
  func appended() -> JSONNode {
    let node = JSONNode()
    if case .array(let nodes) = content { content = .array(nodes + [node]) }
    return node
  }

  /// The node of an object's key.
  func member(_ key: String) -> JSONNode {
    let node = JSONNode()
    if case .object(var nodes) = content {
      nodes[key] = node
      content = .object(nodes)
    }
    return node
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
