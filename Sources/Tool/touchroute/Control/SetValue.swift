import ArgumentParser
import Configuration
import Layout
import LayoutDrawing
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
    guard let kind = settable.first(where: { $0.name == key }) else { throw unknown(key) }
    switch kind.declaration.form {
    case .flag(_, let make): return make(try flag(key, value))
    case .number(let range, let make):
      let expected =
        "a number from \(Text.number(range.lowerBound)) to "
        + Text.number(range.upperBound)
      return make(try numbers(key, value, 1, expected)[0])
    case .whole(let range, let make): return make(try whole(key, value, range))
    case .point(_, let make):
      let n = try numbers(key, value, 2, "X,Y")
      return make(Point(x: n[0], y: n[1]))
    case .rect(let make):
      let n = try numbers(key, value, 4, "X,Y,WIDTH,HEIGHT")
      return make(Rect(x: n[0], y: n[1], width: n[2], height: n[3]))
    case .transform(let make): return make(try transform(key, value))
    case .outset(let make): return make(try HitValue.outset(key, value))
    case .shape(let make): return make(try HitValue.shape(key, value))
    case .inside(let make): return make(try HitValue.inside(key, value))
    case .hit(let make): return make(try HitValue.hit(key, value))
    case .text(let rule, let make):
      guard let problem = rule.problem(with: value) else {
        return make(value)
      }
      throw ValidationError("\(key) can't be '\(value)': \(problem).")
    case .nothing: throw unknown(key)
    }
  }

  /// All that can be set, in the order of their numbers.
  static let settable = ViewChange.Property.Kind.allCases.filter { $0 != .configured }

  private static func unknown(_ key: String) -> ValidationError {
    let names = settable.map(\.name)
    if let nearest = NearestName.nearest(to: key, among: names) {
      return ValidationError("There is no property '\(key)'; did you mean '\(nearest)'?")
    }
    return ValidationError("There is no property '\(key)': \(names.joined(separator: ", ")).")
  }

  private static func whole(
    _ key: String, _ value: String, _ range: ClosedRange<Int>
  ) throws -> Int {
    guard let number = Int(value), range.contains(number) else {
      let isOpen = range.upperBound == Int32.max
      let end = isOpen ? "" : " to \(range.upperBound)"
      throw mustBe(key, "a whole number from \(range.lowerBound)\(end)", value)
    }
    return number
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
  private static func transform(_ key: String, _ value: String) throws -> AffineTransform {
    let expected = "rotate:DEGREES,scale:FACTOR,translate:X:Y, six numbers, or none"
    if value == "none" { return .identity }
    if !value.contains(":") {
      let n = try numbers(key, value, 6, expected)
      return AffineTransform(a: n[0], b: n[1], c: n[2], d: n[3], tx: n[4], ty: n[5])
    }
    var scale = AffineTransform.identity
    var turn = AffineTransform.identity
    var move = AffineTransform.identity
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: ":", omittingEmptySubsequences: false)
      let n = words.dropFirst().compactMap { Double($0) }.filter(\.isFinite)
      guard n.count == words.count - 1 else { throw mustBe(key, expected, value) }
      switch (words[0], n.count) {
      case ("rotate", 1):
        guard AffineTransform.angles.contains(n[0]) else {
          throw mustBe("rotate", AffineTransform.anglesInWords, "\(words[1])")
        }
        turn = AffineTransform(degreesClockwise: n[0])
      case ("scale", 1): scale = AffineTransform(scaleX: n[0], y: n[0])
      case ("scale", 2): scale = AffineTransform(scaleX: n[0], y: n[1])
      case ("translate", 2): move = AffineTransform(translationX: n[0], y: n[1])
      default: throw mustBe(key, expected, value)
      }
    }
    return scale.concatenating(turn).concatenating(move)
  }

  static func mustBe(_ key: String, _ expected: String, _ value: String) -> ValidationError {
    ValidationError("\(key) must be \(expected), not '\(value)'.")
  }
}
