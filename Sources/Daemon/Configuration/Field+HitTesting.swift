import Layout
import TouchModel

extension Field {
  /// `"rect"`, `"ellipse"`, `{ radius }` or `{ polygon }`. Rule H4.
  func shape() -> Shape? {
    switch word(ShapeWord.self) {
    case .rect: return .rect
    case .ellipse: return .ellipse
    case nil: break
    }
    let expected = "\"rect\", \"ellipse\", { radius = 12 } or { polygon = [[X, Y], …] }"
    return oneOf(ShapeKey.self, words: ShapeWord.names, expected) { key, field in
      switch key {
      case .radius: field.radius()
      case .polygon: field.polygon()
      }
    }
  }

  /// `"bounds"`, `"always"`, `"never"`, `"children"` or `{ children }`. Rule H5.
  func inside() -> InsideRule? {
    switch word(InsideWord.self) {
    case .bounds: return .bounds
    case .always: return .always
    case .never: return .never
    case .children: return .children([])
    case nil: break
    }
    let expected = "\"bounds\", \"always\", \"never\", \"children\" or { children = [\"NAME\", …] }"
    return oneOf(InsideKey.self, words: InsideWord.names, expected) { _, field in
      guard let names = field.strings("names of subviews", check: { isName($0) }) else {
        return nil
      }
      if !names.isEmpty { return .children(names) }
      field.refuse("\(field.name) names no subview; \"children\" alone means all of them")
      return nil
    }
  }

  /// `"default"`, `"self"`, `"none"`, `"pass_through"`, `{ redirect }` or `{ first }`. Rule H6.
  func hit() -> HitRule? {
    switch word(HitWord.self) {
    case .standard: return .standard
    case .itself: return .itself
    case .nothing: return HitRule.none
    case .passThrough: return .passThrough
    case nil: break
    }
    let expected =
      #""default", "self", "none", "pass_through", { redirect = "PATH" } or { first = "PATH" }"#
    return oneOf(HitKey.self, words: HitWord.names, expected) { key, field in
      guard let path = field.descendant() else { return nil }
      switch key {
      case .redirect: return .redirect(path)
      case .first: return .first(path)
      }
    }
  }

  /// The word that the value is; nil where it is none of them.
  private func word<Word: RawRepresentable<String>>(_ words: Word.Type) -> Word? {
    value.string.flatMap { Word(rawValue: $0) }
  }

  /// The table form of a key that has words as well: a table with exactly one of the keys.
  private func oneOf<Key: CaseIterable & RawRepresentable<String>, Result>(
    _ keys: Key.Type, words: [String], _ expected: String, read: (Key, Field) -> Result?
  ) -> Result? {
    guard value.kind == .table else {
      mustBe(expected, words: words)
      return nil
    }
    guard let scope = table() else { return nil }
    var found: [Field] = []
    var result: Result?
    scope.read(known: Key.names) { field in
      guard let key = Key(rawValue: field.key) else { return false }
      found.append(field)
      result = read(key, field)
      return true
    }
    if found.isEmpty, value.count == 0 { mustBe(expected) }
    if found.count > 1 {
      let names = found.map(\.name).joined(separator: " and ")
      refuse("\(names) can't be given together", at: found[1].keyLocation)
    }
    return result
  }

  private func radius() -> Shape? {
    guard let radius = number() else { return nil }
    guard radius >= 0 else {
      mustBe("a number of points, 0 or more")
      return nil
    }
    return .rounded(radius: radius)
  }

  private func polygon() -> Shape? {
    guard value.kind == .array, value.count >= 3 else {
      mustBe("an array of three or more points, each [X, Y]")
      return nil
    }
    var points: [Point] = []
    for (index, element) in value.elements.enumerated() {
      if scope.problems.hasMore { return nil }
      let numbers = element.elements.compactMap(\.number).filter(\.isFinite)
      if numbers.count == 2, element.count == 2 {
        points.append(Point(x: numbers[0], y: numbers[1]))
      } else {
        refuse(
          "point \(index + 1) of \(name) must be [X, Y], found \(element.summary)",
          at: element.location)
      }
    }
    return points.count == value.count ? .polygon(points) : nil
  }

  private func descendant() -> String? {
    guard let path = string() else { return nil }
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    guard names.allSatisfy({ isName($0) }) else {
      mustBe("the path of a descendant from this view on, such as \"row/button\"")
      return nil
    }
    return path
  }
}
