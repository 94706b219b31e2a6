import Layout
import TouchModel

extension WindowKey {
  var schema: JSONValue {
    switch self {
    case .name: JSONValue.name.described("Its name, which is also the path of its root view.")
    case .screen: JSONValue.name.described("The screen that it is placed on.")
    case .level: JSONValue.integer(ViewChange.Property.levels).described("Higher is in front.")
    case .application:
      JSONValue.name.described("The application that it belongs to: the responder app:NAME.")
    case .resizable:
      JSONValue.boolean.described(
        "True: its program may make it take touches outside of this area.")
    case .alwaysOn:
      JSONValue.boolean.described("True: it gets touches while its screen is dark.")
    }
  }
}

extension ViewKey {
  var schema: JSONValue {
    switch self {
    case .path:
      [
        "type": "string", "pattern": "^[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)+$",
        "description": "WINDOW/…/NAME.",
      ]
    }
  }
}

extension PropertyKey {
  /// What each of them takes.
  static var schemas: [(String, JSONValue)] {
    let properties = ViewChange.Property.Kind.declared.compactMap { kind in
      kind.declaration.key.map { (kind.name, schema(kind.declaration.form).described(plain($0))) }
    }
    return properties + [
      ("controller", JSONValue.name.described("The name of its controller: PATH@NAME."))
    ]
  }

  /// What a property of that form takes.
  static func schema(_ form: PropertyForm) -> JSONValue {
    switch form {
    case .flag: .boolean
    case .number(let range, _): .number(range)
    case .whole(let range, _): .integer(range)
    case .point: .numbers(2)
    case .rect: .frame
    case .transform: .transform
    case .outset: .outset
    case .shape: .shape
    case .inside: .inside
    case .hit: .hit
    case .text(let rule, _):
      if rule.isName {
        ["type": "string", "maxLength": .number(Double(rule.most)), "pattern": "^[A-Za-z0-9_.-]*$"]
      } else {
        ["type": "string", "maxLength": .number(Double(rule.most))]
      }
    case .nothing: false
    }
  }

  /// The sentence of docs/configuration.md without its marks.
  private static func plain(_ key: PropertyDeclaration.Key) -> String {
    let text = key.about.filter { $0 != "`" }
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}

extension JSONValue {
  /// A number of points, or a share of the superview as `Length` reads it.
  private static let length = anyOf(
    number,
    ["type": "string", "pattern": "^-?[0-9]*\\.?[0-9]*%( *[+-] *-?[0-9]*\\.?[0-9]*)? *$"])

  fileprivate static let frame = tuple(length, 4)

  fileprivate static let outset = anyOf(number, numbers(4))

  fileprivate static var transform: JSONValue {
    table(of: TransformKey.self) { key in
      switch key {
      case .rotate: number(AffineTransform.angles).described("Degrees clockwise.")
      case .scale: anyOf(number, numbers(2)).described("A factor, or two (x, y).")
      case .translate: numbers(2).described("Points to the right and down.")
      case .matrix: numbers(6).described("CGAffineTransform's a, b, c, d, tx and ty, alone.")
      }
    }
  }

  fileprivate static var shape: JSONValue {
    let form = oneOf(ShapeKey.self) { key in
      switch key {
      case .radius: ["type": "number", "minimum": 0]
      case .polygon: list(numbers(2), least: 3)
      }
    }
    return anyOf(words(ShapeWord.names), form)
  }

  fileprivate static var inside: JSONValue {
    let form = oneOf(InsideKey.self) { key in
      switch key {
      case .children: list(name, least: 1)
      }
    }
    return anyOf(words(InsideWord.names), form)
  }

  fileprivate static var hit: JSONValue {
    let form = oneOf(HitKey.self) { key in
      switch key {
      case .redirect, .first: descendant
      }
    }
    return anyOf(words(HitWord.names), form)
  }

  /// A table with exactly one of the keys of a type.
  private static func oneOf<Key: CaseIterable & RawRepresentable<String>>(
    _ keys: Key.Type, _ schema: (Key) -> JSONValue
  ) -> JSONValue {
    var members = table(of: keys, schema).members
    members["minProperties"] = 1
    members["maxProperties"] = 1
    return .object(members)
  }
}
