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
    case .path: match.path = path(field)
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
    guard let text = field.string() else { return nil }
    if text.isEmpty { field.refuse("\(field.name) must not be empty; \"*\" matches everything") }
    return parsed(text, field) == nil ? nil : text
  }

  /// A pattern as parsed; nil once it is reported that it can't match.
  private func parsed(_ text: String, _ field: Field) -> ShellPattern? {
    do throws(ShellPattern.Failure) {
      return try ShellPattern(text)
    } catch {
      field.refuse("\(field.name) \(quoted(text)) \(error.reason)")
      return nil
    }
  }

  /// A node or a link, which are whole paths.
  private func path(_ field: Field) -> String? {
    guard let text = pattern(field) else { return nil }
    if let first = text.first, !"/*?[\\".contains(first) {
      field.refuse(
        "\(field.name) \(quoted(text)) can match no device: it must be a whole path such as "
          + "\"/dev/input/event3\", or begin with \"*\"")
    }
    return text
  }

  /// `vendor:product`, in lower case and four digits each, as devices have them.
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
    let padded = parts.compactMap { fourDigits($0.lowercased(), field) }
    return padded.count == 2 ? padded.joined(separator: ":") : nil
  }

  /// Half an id, with zeros before it where it has less than four digits, as lsusb and sysfs may
  /// write it; nil once it is reported that it can't match.
  private func fourDigits(_ text: String, _ field: Field) -> String? {
    guard let pattern = parsed(text, field) else { return nil }
    guard pattern.length <= 4 else {
      field.refuse(
        "\(field.name): \(quoted(text)) can match no device: vendor and product have four "
          + "hexadecimal digits each")
      return nil
    }
    return pattern.hasStar ? text : String(repeating: "0", count: 4 - pattern.length) + text
  }
}
