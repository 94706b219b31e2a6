import ArgumentParser
import Layout
import TouchModel

/// Reads what is to be set of hit-testing, as a person writes it: rules H3 to H6.
enum HitValue {
  /// The words that a property takes, for a shell to offer.
  static func words(_ kind: ViewChange.Property.Kind) -> [String] {
    switch kind.declaration.form {
    case .flag: ["true", "false"]
    case .shape: ["rect", "ellipse", "radius:", "polygon:"]
    case .inside: ["bounds", "always", "never", "children", "children:"]
    case .hit: ["default", "self", "none", "pass_through", "redirect:", "first:"]
    case .transform: ["rotate:", "scale:", "translate:", "none"]
    case .number, .whole, .point, .rect, .outset, .text, .nothing: []
    }
  }

  static func outset(_ key: String, _ value: String) throws -> Outset {
    if !value.contains(","), let all = Double(value), all.isFinite { return Outset(all) }
    let n = try SetValue.numbers(
      key, value, 4, "a number of points, or TOP,LEFT,BOTTOM,RIGHT")
    return Outset(top: n[0], left: n[1], bottom: n[2], right: n[3])
  }

  static func shape(_ key: String, _ value: String) throws -> Shape {
    let (word, rest) = parts(value)
    switch (word, rest) {
    case ("rect", nil): return .rect
    case ("ellipse", nil): return .ellipse
    case ("radius", let radius?):
      if let radius = Double(radius), radius.isFinite { return .rounded(radius: radius) }
    case ("polygon", let corners?):
      if let points = points(corners) { return .polygon(points) }
    default: break
    }
    throw SetValue.mustBe(
      key, "rect, ellipse, radius:POINTS or polygon:X:Y,X:Y,X:Y and so on", value)
  }

  /// `X:Y,X:Y`; nil where it is not that.
  private static func points(_ value: Substring) -> [Point]? {
    var points: [Point] = []
    for corner in value.split(separator: ",", omittingEmptySubsequences: false) {
      let words = corner.split(separator: ":", omittingEmptySubsequences: false)
      let numbers = words.compactMap { Double($0) }.filter(\.isFinite)
      guard words.count == 2, numbers.count == 2 else { return nil }
      points.append(Point(x: numbers[0], y: numbers[1]))
    }
    return points
  }

  static func inside(_ key: String, _ value: String) throws -> InsideRule {
    let (word, rest) = parts(value)
    switch (word, rest) {
    case ("bounds", nil): return .bounds
    case ("always", nil): return .always
    case ("never", nil): return .never
    case ("children", nil): return .children([])
    case ("children", let names?):
      let names = names.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      if names.allSatisfy({ !$0.isEmpty }) { return .children(names) }
    default: break
    }
    throw SetValue.mustBe(key, "bounds, always, never, children or children:NAME,NAME", value)
  }

  static func hit(_ key: String, _ value: String) throws -> HitRule {
    let (word, rest) = parts(value)
    switch (word, rest) {
    case ("default", nil): return .standard
    case ("self", nil): return .itself
    case ("none", nil): return HitRule.none
    case ("pass_through", nil): return .passThrough
    case ("redirect", let path?) where !path.isEmpty: return .redirect(String(path))
    case ("first", let path?) where !path.isEmpty: return .first(String(path))
    default: break
    }
    throw SetValue.mustBe(
      key, "default, self, none, pass_through, redirect:PATH or first:PATH", value)
  }

  /// What is before the first colon, and what is behind it where there is one.
  private static func parts(_ value: String) -> (Substring, Substring?) {
    guard let colon = value.firstIndex(of: ":") else { return (value[...], nil) }
    return (value[..<colon], value[value.index(after: colon)...])
  }
}
