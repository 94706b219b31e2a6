import TouchModel

/// Reads one `[[device]]`.
struct DeviceReader {
  private let screens: ScreenTable
  private var rule = DeviceRule(match: DeviceRule.Match(), screen: ScreenIndex(0))
  private var inverted = (x: false, y: false)
  private var swapped = false
  /// The keys that bear on each other.
  private var matrixField: Field?
  private var shorthandField: Field?
  private var regionField: Field?
  private var signal = SignalReader()

  /// The rule that a table says.
  static func read(_ scope: Scope, _ screens: ScreenTable) -> DeviceRule {
    var reader = DeviceReader(screens: screens)
    scope.read(known: DeviceKey.names) { field in
      guard let key = DeviceKey(rawValue: field.key) else { return false }
      reader.read(key, field)
      return true
    }
    reader.finishCalibration()
    reader.checkRegion()
    reader.rule.signal = reader.signal.finish(covering: reader.region)
    reader.rule.setsFilters = reader.signal.hasKeys
    return reader.rule
  }

  private init(screens: ScreenTable) {
    self.screens = screens
  }

  private mutating func read(_ key: DeviceKey, _ field: Field) {
    switch key {
    case .match: rule.match = DeviceMatchReader.read(field)
    case .screen: rule.screen = screens.index(field) ?? rule.screen
    case .calibration:
      matrixField = field
      rule.calibration = field.calibration()
    case .rotation: rule.rotation = field.rotation(of: "digitizer")
    case .invertX:
      shorthandField = field
      inverted.x = field.boolean() ?? false
    case .invertY:
      shorthandField = field
      inverted.y = field.boolean() ?? false
    case .swapXY:
      shorthandField = field
      swapped = field.boolean() ?? false
    case .region:
      regionField = field
      rule.region = field.rectangle()
    case .grab: rule.grab = field.boolean() ?? rule.grab
    case .ignore: rule.ignore = field.boolean() ?? rule.ignore
    default:
      guard let threshold = key.threshold, let range = key.range else {
        return signal.read(key, field)
      }
      let number = field.integer(in: Int(range.lowerBound)...Int(range.upperBound))
      if let number { rule.health[keyPath: threshold] = UInt64(number) }
    }
  }

  private mutating func finishCalibration() {
    if matrixField != nil, let shorthandField {
      shorthandField.refuse(
        "\(shorthandField.name) and calibration can't be given together",
        at: shorthandField.keyLocation)
    } else if inverted.x || inverted.y || swapped {
      rule.calibration = DeviceRule.calibration(
        invertX: inverted.x, invertY: inverted.y, swapXY: swapped)
    }
  }

  /// The part of the screen that it covers; nil if the screen is not known.
  private var region: Rect? {
    if let region = rule.region { return region }
    return screens[rule.screen].map {
      Rect(x: 0, y: 0, width: $0.size.width, height: $0.size.height)
    }
  }

  private func checkRegion() {
    guard let field = regionField, let region = rule.region, let screen = screens[rule.screen]
    else { return }
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

extension Field {
  fileprivate func calibration() -> [Float]? {
    let parts = ["m0", "m1", "m2", "m3", "m4", "m5"]
    guard let matrix = numbers(parts)?.map({ Float($0) }) else { return nil }
    let determinant = matrix[0] * matrix[4] - matrix[1] * matrix[3]
    guard matrix.allSatisfy(\.isFinite), determinant.isFinite, determinant != 0 else {
      refuse("\(name) puts every touch on one line: no touch could be told from another")
      return nil
    }
    return matrix
  }

  fileprivate func rectangle() -> Rect? {
    numbers(["x", "y", "width", "height"]).map {
      Rect(x: $0[0], y: $0[1], width: $0[2], height: $0[3])
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
