import Layout
import TouchModel

/// The JSON Schema of a configuration's file, for editors: the tables, their keys and what each key
/// takes, from the keys that the readers go by. What one key says of another is for `check` to say.
package struct ConfigurationSchema: Encodable, Sendable {
  /// The schema.
  package init() {}

  /// Encodes the schema, by draft 7, which editors know best.
  package func encode(to encoder: any Encoder) throws {
    try Self.schema.encode(to: encoder)
  }

  static var schema: JSONValue {
    var members = JSONValue.table(of: RootKey.self, RootKey.schema).members
    members["$schema"] = "http://json-schema.org/draft-07/schema#"
    members["title"] = "touchroute's configuration"
    members["description"] = "What touchrouted reads: see touchroute.toml(5)."
    return .object(members)
  }
}

extension JSONValue {
  static let boolean: JSONValue = ["type": "boolean"]
  static let text: JSONValue = ["type": "string", "minLength": 1]
  static let number: JSONValue = ["type": "number"]
  /// A name by rule L5.
  static let name: JSONValue = ["type": "string", "pattern": "^[A-Za-z0-9_.-]+$"]
  /// A descendant's path, from a view on. Rule L5.
  static let descendant: JSONValue = [
    "type": "string", "pattern": "^[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*$",
  ]

  static func integer(_ range: ClosedRange<Int>) -> JSONValue {
    [
      "type": "integer", "minimum": .number(Double(range.lowerBound)),
      "maximum": .number(Double(range.upperBound)),
    ]
  }

  static func number(_ range: ClosedRange<Double>) -> JSONValue {
    [
      "type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
    ]
  }

  /// Exactly that many numbers.
  static func numbers(_ count: Int) -> JSONValue { tuple(number, count) }

  /// Exactly that many elements of a kind.
  static func tuple(_ element: JSONValue, _ count: Int) -> JSONValue {
    var members = list(element, least: count).members
    members["maxItems"] = .number(Double(count))
    return .object(members)
  }

  static func list(_ element: JSONValue, least: Int = 0) -> JSONValue {
    ["type": "array", "items": element, "minItems": .number(Double(least))]
  }

  /// One of some words.
  static func words(_ words: [String]) -> JSONValue {
    ["enum": .array(words.map { .string($0) })]
  }

  static func anyOf(_ schemas: JSONValue...) -> JSONValue { ["anyOf": .array(schemas)] }

  /// A table that has keys of a type and no others.
  static func table<Key: CaseIterable & RawRepresentable<String>>(
    of keys: Key.Type, _ schema: (Key) -> JSONValue, requires required: [Key] = []
  ) -> JSONValue {
    let members = Key.allCases.map { ($0.rawValue, schema($0)) }
    return table(Dictionary(members) { first, _ in first }, requires: required.map(\.rawValue))
  }

  static func table(_ members: [String: JSONValue], requires required: [String]) -> JSONValue {
    [
      "type": "object", "properties": .object(members), "additionalProperties": false,
      "required": .array(required.map { .string($0) }),
    ]
  }

  /// The same with a sentence that editors show.
  func described(_ sentence: String) -> JSONValue {
    var members = members
    members["description"] = .string(sentence)
    return .object(members)
  }
}
