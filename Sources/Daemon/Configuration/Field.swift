/// A key of a table with its value: reads it as what it should be, or reports that it is not.
///
/// Every reading function returns nil once it has reported a problem.
struct Field {
  let scope: Scope
  let key: String
  /// Where the key stands; problems are reported at the value.
  let keyLocation: SourceLocation
  let value: Value

  init(scope: Scope, _ entry: Value.Entry) {
    self.scope = scope
    key = entry.key
    keyLocation = entry.keyLocation
    value = entry.value
  }

  /// The key as messages name it.
  var name: String { scope.inner + key }

  func refuse(_ message: @autoclosure () -> String, at location: SourceLocation? = nil) {
    scope.problems.add(location ?? value.location, scope.prefix + message())
  }

  /// The word that the value is, of those that it may be; reports that it is none of them.
  func oneWord<Word>(of _: Word.Type) -> Word?
  where Word: CaseIterable & RawRepresentable<String> {
    oneWord(of: Array(Word.allCases))
  }

  /// The same of some of the words.
  func oneWord<Word: RawRepresentable<String>>(of possible: [Word]) -> Word? {
    guard let word = possible.first(where: { $0.rawValue == value.string }) else {
      let words = possible.map(\.rawValue)
      mustBe("one of " + words.map { "\"\($0)\"" }.joined(separator: ", "), words: words)
      return nil
    }
    return word
  }

  /// Refuses the value.
  ///
  /// - Parameter words: Those that it could be; the one that is likely meant is named.
  func mustBe(_ expected: String, words: [String] = []) {
    let nearest = value.string.flatMap { nearestKey(to: $0.lowercased(), among: words) }
    let hint = nearest.map { "; did you mean \"\($0)\"?" } ?? ""
    refuse("\(name) must be \(expected), found \(value.summary)\(hint)")
  }

  func string() -> String? {
    guard let string = value.string else {
      mustBe("a string")
      return nil
    }
    return string
  }

  func boolean() -> Bool? {
    guard let boolean = value.boolean else {
      mustBe("true or false")
      return nil
    }
    return boolean
  }

  func integer(in range: ClosedRange<Int>) -> Int? {
    guard let integer = value.integer, range.contains(integer) else {
      mustBe("an integer from \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return integer
  }

  /// A finite number.
  func number(in range: ClosedRange<Double>? = nil) -> Double? {
    let number = value.number
    if let range {
      guard let number, range.contains(number) else {
        mustBe("a number from \(plain(range.lowerBound)) to \(plain(range.upperBound))")
        return nil
      }
      return number
    }
    guard let number, number.isFinite else {
      mustBe(number == nil ? "a number" : "a finite number")
      return nil
    }
    return number
  }

  /// As many finite numbers as there are parts; `parts` names them for messages.
  func numbers(_ parts: [String]) -> [Double]? {
    array(parts, of: "numbers") { element, part in
      if let number = element.number, number.isFinite { return number }
      let expected = element.number == nil ? "a number" : "a finite number"
      refuse(
        "\(part) in \(name) must be \(expected), found \(element.summary)", at: element.location)
      return nil
    }
  }

  /// An array with an element for each part, each made by `make`, which reports what it refuses.
  func array<Element>(
    _ parts: [String], of plural: String, make: (Value, String) -> Element?
  ) -> [Element]? {
    let words = ["no", "one", "two", "three", "four", "five", "six"]
    guard value.kind == .array, value.count == parts.count else {
      let found = value.kind == .array ? "\(value.count)" : value.summary
      let list = parts.count < 5 ? " (\(parts.joined(separator: ", ")))" : ""
      refuse("\(name) needs \(words[parts.count]) \(plural)\(list), found \(found)")
      return nil
    }
    let made = zip(value.elements, parts).map(make)
    let good = made.compactMap { $0 }
    return good.count == made.count ? good : nil
  }

  /// An array of strings, each of which passes `check`.
  func strings(_ expected: String, check: (String) -> Bool = { !$0.isEmpty }) -> [String]? {
    guard value.kind == .array else {
      mustBe("an array of \(expected)")
      return nil
    }
    var strings: [String] = []
    for element in value.elements {
      if scope.problems.hasMore { return nil }
      if let string = element.string, check(string) {
        strings.append(string)
      } else {
        refuse(
          "\(name) must hold \(expected) only, found \(element.summary)", at: element.location)
      }
    }
    return strings.count == value.count ? strings : nil
  }

  /// A name by rule L5.
  func identifier() -> String? {
    guard let string = string() else { return nil }
    guard isName(string) else {
      mustBe("made of letters, digits, \"_\", \".\" and \"-\"")
      return nil
    }
    return string
  }

  /// The value as a table of its own, for its keys to be read.
  func table(_ expected: String = "a table") -> Scope? {
    guard value.kind == .table else {
      mustBe(expected)
      return nil
    }
    return Scope(
      value, scope.title, inner: name + ".", full: scope.full + key + ".", root: scope.root,
      problems: scope.problems)
  }
}

/// Whether a text is a name by rule L5: `[A-Za-z0-9_.-]+`.
func isName(_ text: some StringProtocol) -> Bool {
  !text.isEmpty
    && text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
      }
    }
}

/// A number without a needless `.0`.
func plain(_ number: Double) -> String {
  Int(exactly: number).map(String.init) ?? "\(number)"
}
