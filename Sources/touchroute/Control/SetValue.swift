import ArgumentParser
import Configuration
import Layout
import TouchModel

/// Reads what is to be set, as a person writes it.
enum SetValue {
  /// The property of that name and value, which is one that some view could have.
  static func property(_ key: String, _ value: String) throws -> ViewChange.Property {
    let property = try parsed(key, value)
    // That is a recognizer's, and no view could have it.
    if property.kind == .enabled { return property }
    if let problem = try problem(of: property) {
      throw ValidationError("\(key) can't be '\(value)': \(problem).")
    }
    return property
  }

  /// What is wrong with a property whatever view it is of, as the daemon would say.
  private static func problem(of property: ViewChange.Property) throws -> String? {
    let properties = ViewProperties(
      frame: FrameDescription(Rect(x: 0, y: 0, width: 1, height: 1)))
    var description = LayoutDescription(
      screens: [Screen(name: "screen", size: Size(width: 1, height: 1))],
      windows: [.init(name: "view", screen: ScreenIndex(0), properties: properties)])
    // What it names may be there.
    let names: [String] = if case .inside(.children(let names)) = property { names } else { [] }
    var path = "view"
    for name in names.isEmpty ? property.words.split(separator: "/").map(String.init) : [] {
      path += "/" + name
      description.views.append(.init(path: path, properties: properties))
    }
    for name in Set(names) {
      description.views.append(.init(path: "view/" + name, properties: properties))
    }
    var editor = LayoutEditor(try Layout(description), of: description, limits: .default)
    return editor.apply([[ViewChange("view", property)]])[0]?.message
  }

  private static func parsed(_ key: String, _ value: String) throws -> ViewChange.Property {
    switch key {
    case "hidden": return .hidden(try flag(key, value))
    case "interaction": return .interaction(try flag(key, value))
    case "alpha": return .alpha(try numbers(key, value, 1, "a number from 0 to 1")[0])
    case "frame":
      let n = try numbers(key, value, 4, "X,Y,WIDTH,HEIGHT")
      return .frame(Rect(x: n[0], y: n[1], width: n[2], height: n[3]))
    case "bounds_origin":
      let n = try numbers(key, value, 2, "X,Y")
      return .boundsOrigin(Point(x: n[0], y: n[1]))
    case "transform": return .transform(try transform(value))
    case "order":
      guard let index = Int32(value), index >= 0 else {
        throw mustBe(key, "a whole number from 0", value)
      }
      return .order(Int(index))
    case "secure": return .secure(try flag(key, value))
    case "exclusive_touch": return .exclusiveTouch(try flag(key, value))
    case "multiple_touch": return .multipleTouch(try flag(key, value))
    case "enabled": return .enabled(try flag(key, value))
    case "level":
      guard let level = Int(value), ViewChange.Property.levels.contains(level) else {
        throw mustBe(key, "a whole number from -1000000 to 1000000", value)
      }
      return .level(level)
    default: return try HitValue.property(key, value)
    }
  }

  static func flag(_ key: String, _ value: String) throws -> Bool {
    switch value {
    case "true": true
    case "false": false
    default: throw mustBe(key, "true or false", value)
    }
  }

  static func numbers(
    _ key: String, _ value: String, _ count: Int, _ expected: String
  ) throws -> [Double] {
    let parts = value.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
    guard parts.count == count, numbers.count == count else {
      throw mustBe(key, expected, value)
    }
    return numbers
  }

  /// Scaled, then rotated, then translated, as in the configuration.
  private static func transform(_ value: String) throws -> AffineTransform {
    let expected = "rotate:DEGREES,scale:FACTOR,translate:X:Y, six numbers, or none"
    if value == "none" { return .identity }
    if !value.contains(":") {
      let n = try numbers("transform", value, 6, expected)
      return AffineTransform(a: n[0], b: n[1], c: n[2], d: n[3], tx: n[4], ty: n[5])
    }
    var scale = AffineTransform.identity
    var turn = AffineTransform.identity
    var move = AffineTransform.identity
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: ":", omittingEmptySubsequences: false)
      let n = words.dropFirst().compactMap { Double($0) }.filter(\.isFinite)
      guard n.count == words.count - 1 else { throw mustBe("transform", expected, value) }
      switch (words[0], n.count) {
      case ("rotate", 1):
        guard AffineTransform.angles.contains(n[0]) else {
          throw mustBe("rotate", AffineTransform.anglesInWords, "\(words[1])")
        }
        turn = AffineTransform(degreesClockwise: n[0])
      case ("scale", 1): scale = AffineTransform(scaleX: n[0], y: n[0])
      case ("scale", 2): scale = AffineTransform(scaleX: n[0], y: n[1])
      case ("translate", 2): move = AffineTransform(translationX: n[0], y: n[1])
      default: throw mustBe("transform", expected, value)
      }
    }
    return scale.concatenating(turn).concatenating(move)
  }

  static func mustBe(_ key: String, _ expected: String, _ value: String) -> ValidationError {
    ValidationError("\(key) must be \(expected), not '\(value)'.")
  }
}
