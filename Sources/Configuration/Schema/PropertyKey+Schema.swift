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
  var schema: JSONValue {
    switch self {
    case .frame: .frame
    case .boundsOrigin: JSONValue.numbers(2).described("Where its own coordinates begin.")
    case .transform: .transform
    case .hidden: JSONValue.boolean.described("True: neither it nor the views in it get touches.")
    case .alpha: JSONValue.number(0...1).described("At 0.01 or less it counts as hidden.")
    case .interaction: JSONValue.boolean.described("False: it counts as hidden.")
    case .controller: JSONValue.name.described("The name of its controller: PATH@NAME.")
    case .outset: .outset
    case .shape: .shape
    case .inside: .inside
    case .hit: .hit
    case .multipleTouch: JSONValue.boolean.described("False: one touch at a time.")
    case .exclusiveTouch:
      JSONValue.boolean.described(
        "True: while it has a touch, no other view of the window gets one.")
    case .secure:
      JSONValue.boolean.described("True: only programs that may attach to it get its touches.")
    }
  }
}

extension JSONValue {
  /// A number of points, or a share of the superview as `Length` reads it.
  private static let length = anyOf(
    number,
    ["type": "string", "pattern": "^-?[0-9]*\\.?[0-9]*%( *[+-] *-?[0-9]*\\.?[0-9]*)? *$"])

  fileprivate static let frame = tuple(length, 4).described(
    "X, y, width and height in the superview's coordinates: points, or \"50%\", \"100%-40\".")

  fileprivate static let outset = anyOf(number, numbers(4)).described(
    "How far the touchable region reaches beyond the bounds: a number, or top, left, bottom and "
      + "right.")

  fileprivate static var transform: JSONValue {
    table(of: TransformKey.self) { key in
      switch key {
      case .rotate: number(AffineTransform.angles).described("Degrees clockwise.")
      case .scale: anyOf(number, numbers(2)).described("A factor, or two (x, y).")
      case .translate: numbers(2).described("Points to the right and down.")
      case .matrix: numbers(6).described("CGAffineTransform's a, b, c, d, tx and ty, alone.")
      }
    }.described("About its centre: scaled, then rotated, then translated.")
  }

  fileprivate static var shape: JSONValue {
    let form = oneOf(ShapeKey.self) { key in
      switch key {
      case .radius: ["type": "number", "minimum": 0]
      case .polygon: list(numbers(2), least: 3)
      }
    }
    return anyOf(words(ShapeWord.names), form).described("Its touchable region.")
  }

  fileprivate static var inside: JSONValue {
    let form = oneOf(InsideKey.self) { key in
      switch key {
      case .children: list(name, least: 1)
      }
    }
    return anyOf(words(InsideWord.names), form).described("Replaces UIKit's pointInside.")
  }

  fileprivate static var hit: JSONValue {
    let form = oneOf(HitKey.self) { key in
      switch key {
      case .redirect, .first: descendant
      }
    }
    return anyOf(words(HitWord.names), form).described("Replaces UIKit's hitTest.")
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
