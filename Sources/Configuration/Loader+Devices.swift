import TouchModel

extension Loader {
  func readDevice(_ scope: Scope) {
    var rule = DeviceRule(match: DeviceRule.Match(), screen: ScreenIndex(0))
    var matrix: Field?
    var shorthand: Field?
    var inverted = (x: false, y: false)
    var swapped = false
    var region: Field?
    scope.read(known: DeviceKey.names) { field in
      guard let key = DeviceKey(rawValue: field.key) else { return false }
      switch key {
      case .match: readMatch(field, into: &rule.match)
      case .screen: rule.screen = screen(field) ?? rule.screen
      case .calibration:
        matrix = field
        rule.calibration = calibration(field)
      case .invertX:
        shorthand = field
        inverted.x = field.boolean() ?? false
      case .invertY:
        shorthand = field
        inverted.y = field.boolean() ?? false
      case .swapXY:
        shorthand = field
        swapped = field.boolean() ?? false
      case .region:
        region = field
        rule.region = rectangle(field)
      case .grab: rule.grab = field.boolean() ?? rule.grab
      case .ignore: rule.ignore = field.boolean() ?? rule.ignore
      }
      return true
    }
    if matrix != nil, let shorthand {
      shorthand.refuse(
        "\(shorthand.name) and calibration can't be given together", at: shorthand.place)
    } else if inverted.x || inverted.y || swapped {
      rule.calibration = DeviceRule.calibration(
        invertX: inverted.x, invertY: inverted.y, swapXY: swapped)
    }
    if let region { check(region, of: rule) }
    devices.append(rule)
  }

  private func readMatch(_ field: Field, into match: inout DeviceRule.Match) {
    guard let scope = field.table("a table such as { name = \"Goodix*\" }") else { return }
    scope.read(known: MatchKey.names) { field in
      guard let key = MatchKey(rawValue: field.key) else { return false }
      switch key {
      case .name: match.name = pattern(field)
      case .id: match.id = identity(field)
      case .path: match.path = pattern(field)
      case .phys: match.phys = pattern(field)
      case .properties:
        field.table("a table such as { ID_BUS = \"usb\" }")?.read(known: []) { property in
          match.properties[property.key] = pattern(property)
          return true
        }
      }
      return true
    }
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

  private func calibration(_ field: Field) -> [Float]? {
    let parts = ["m0", "m1", "m2", "m3", "m4", "m5"]
    guard let matrix = field.numbers(parts)?.map({ Float($0) }) else { return nil }
    let determinant = matrix[0] * matrix[4] - matrix[1] * matrix[3]
    guard matrix.allSatisfy(\.isFinite), determinant.isFinite, determinant != 0 else {
      field.refuse(
        "\(field.name) puts every touch on one line: no touch could be told from another")
      return nil
    }
    return matrix
  }

  private func rectangle(_ field: Field) -> Rect? {
    guard let numbers = field.numbers(["x", "y", "width", "height"]) else { return nil }
    return Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  private func check(_ field: Field, of rule: DeviceRule) {
    guard let region = rule.region, Int(rule.screen.rawValue) < screens.count else { return }
    let screen = screens[Int(rule.screen.rawValue)]
    guard region.width > 0, region.height > 0 else {
      field.refuse("\(field.name) must have a width and a height greater than 0")
      return
    }
    let inside =
      region.x >= 0 && region.y >= 0 && region.maxX <= screen.size.width
      && region.maxY <= screen.size.height
    if !inside {
      let size = "\(plain(screen.size.width)) by \(plain(screen.size.height)) points"
      field.refuse("\(field.name) reaches beyond screen \"\(screen.name)\", which has \(size)")
    }
  }
}

extension DeviceRule {
  /// The matrix of the kernel's properties touchscreen-inverted-x, touchscreen-inverted-y and
  /// touchscreen-swapped-x-y: inverted first, then swapped.
  static func calibration(invertX: Bool, invertY: Bool, swapXY: Bool) -> [Float] {
    let x: [Float] = invertX ? [-1, 0, 1] : [1, 0, 0]
    let y: [Float] = invertY ? [0, -1, 1] : [0, 1, 0]
    return swapXY ? y + x : x + y
  }
}
