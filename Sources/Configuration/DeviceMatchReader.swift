import TouchModel

/// Reads `match` of a `[[device]]`.
struct DeviceMatchReader {
  private var match = DeviceRule.Match()

  /// The match that a table says; one of every touchscreen where it is none.
  static func read(_ field: Field) -> DeviceRule.Match {
    var reader = DeviceMatchReader()
    let scope = field.table("a table such as { name = \"Goodix*\" }")
    scope?.read(known: MatchKey.names) { field in
      guard let key = MatchKey(rawValue: field.key) else { return false }
      reader.read(key, field)
      return true
    }
    return reader.match
  }

  private mutating func read(_ key: MatchKey, _ field: Field) {
    switch key {
    case .name: match.name = pattern(field)
    case .id: match.id = identity(field)
    case .path: match.path = pattern(field)
    case .phys: match.phys = pattern(field)
    case .properties: match.properties = properties(field)
    }
  }

  private func properties(_ field: Field) -> [String: String] {
    var properties: [String: String] = [:]
    field.table("a table such as { ID_BUS = \"usb\" }")?.read(known: []) { property in
      properties[property.key] = pattern(property)
      return true
    }
    return properties
  }

  private func pattern(_ field: Field) -> String? {
    guard let pattern = field.string() else { return nil }
    if pattern.isEmpty { field.refuse("\(field.name) must not be empty; \"*\" matches everything") }
    return pattern
  }

  /// `vendor:product`, in lower case.
  private func identity(_ field: Field) -> String? {
    guard let text = field.string() else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let isPattern = { (character: Character) in
      character.isHexDigit && character.isASCII || "*?[]-!^".contains(character)
    }
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isPattern) }) else {
      field.mustBe("vendor:product in hexadecimal digits or patterns, such as \"0416:*\"")
      return nil
    }
    return text.lowercased()
  }
}
