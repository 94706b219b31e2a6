import TouchModel

/// Reads the filters of a `[[device]]`, and checks that they go together. Rule N1.
struct SignalReader {
  private var settings = SignalSettings()
  private var fields: [DeviceKey: Field] = [:]
  private var numbers: [DeviceKey: Double] = [:]
  private var smooth = SmoothWord.none
  private var hasPen = false

  /// Whether there is a key of a filter.
  var hasKeys: Bool { !fields.isEmpty }

  /// Takes one key of a filter.
  mutating func read(_ key: DeviceKey, _ field: Field) {
    fields[key] = field
    if let range = key.range {
      numbers[key] =
        key.isInteger
        ? field.integer(in: Int(range.lowerBound)...Int(range.upperBound)).map(Double.init)
        : field.number(in: range)
      return
    }
    switch key {
    case .smooth: readSmooth(field)
    case .deadZones: settings.deadZones = field.rectangles(limit: DeadZones.limit) ?? []
    case .ghosts: readGhosts(field)
    case .palmPen: hasPen = field.boolean() ?? false
    default: break
    }
  }

  private mutating func readSmooth(_ field: Field) {
    guard let text = field.string() else { return }
    guard let word = SmoothWord(rawValue: text) else {
      let words = SmoothWord.names.map { quoted($0) }.joined(separator: ", ")
      return field.mustBe("one of \(words)", words: SmoothWord.names)
    }
    smooth = word
  }

  private mutating func readGhosts(_ field: Field) {
    let words = GhostWord.names.map { quoted($0) }.joined(separator: ", ")
    for text in field.strings(words, check: { GhostWord(rawValue: $0) != nil }) ?? [] {
      switch GhostWord(rawValue: text) {
      case .farApart: settings.ghosts.insert(.farApart)
      case .aligned: settings.ghosts.insert(.aligned)
      case .samePlace: settings.ghosts.insert(.samePlace)
      case nil: break
      }
    }
  }

  /// The settings, once all keys are read.
  ///
  /// - Parameter region: The part of the screen that the device covers; nil if it is not known.
  mutating func finish(covering region: Rect?) -> SignalSettings {
    finishTimes()
    finishSmoothing()
    finishPalm()
    if let fastest = numbers[.maximumSpeed], fastest > 0 { settings.maximumSpeed = fastest }
    settings.edge = numbers[.edge] ?? 0
    if let region { checkPlaces(in: region) }
    return settings
  }

  private mutating func finishTimes() {
    if let time = milliseconds(.bridge) {
      settings.bridge = .init(milliseconds: time)
      numbers[.bridgeDistance].map { settings.bridge?.distance = $0 }
    }
    if let time = milliseconds(.stuck) {
      settings.stuck = .init(milliseconds: time)
      numbers[.stuckDistance].map { settings.stuck?.distance = $0 }
    }
    settings.minimumContactMilliseconds = milliseconds(.minimumContact) ?? 0
    require(.bridge, for: .bridgeDistance)
    require(.stuck, for: .stuckDistance)
    guard let stuck = settings.stuck, let field = fields[.stuck] else { return }
    let least = max(Self.leastStuckMilliseconds, 2 * settings.minimumContactMilliseconds)
    if stuck.milliseconds < least {
      field.refuse(
        "\(field.name) must be 0 or at least \(least): a shorter time ends ordinary long presses, "
          + "or contacts that min_contact_ms has only just let begin")
    }
  }

  /// Twice a long press.
  private static let leastStuckMilliseconds: UInt64 = 1_000

  /// A time that is given and not 0, which is off.
  private func milliseconds(_ key: DeviceKey) -> UInt64? {
    numbers[key].flatMap { $0 > 0 ? UInt64($0) : nil }
  }

  /// Refuses a key that says how a filter works which is off.
  private func require(_ filter: DeviceKey, for key: DeviceKey) {
    guard let field = fields[key], fields[filter] == nil else { return }
    field.refuse(
      "\(field.name) has no effect without \(filter.rawValue)", at: field.keyLocation)
  }

  private mutating func finishSmoothing() {
    for word in SmoothWord.allCases where word != smooth {
      for key in word.keys {
        guard let field = fields[key] else { continue }
        field.refuse(
          "\(field.name) has no effect without smooth = \(quoted(word.rawValue))",
          at: field.keyLocation)
      }
    }
    switch smooth {
    case .none: settings.smoothing = nil
    case .median:
      let depth = Int(numbers[.medianDepth] ?? Double(SignalDefaults.medianDepth))
      if depth.isMultiple(of: 2) { fields[.medianDepth]?.mustBe("3, 5, 7 or 9") }
      settings.smoothing = .median(depth: depth)
    case .iir:
      settings.smoothing = .iir(weight: numbers[.iirWeight] ?? SignalDefaults.iirWeight)
    case .dejitter:
      settings.smoothing = .dejitter(
        distance: numbers[.dejitterDistance] ?? SignalDefaults.dejitterDistance)
    case .oneEuro:
      settings.smoothing = .oneEuro(
        minimumCutoff: numbers[.oneEuroCutoff] ?? SignalDefaults.oneEuroMinimumCutoff,
        beta: numbers[.oneEuroBeta] ?? SignalDefaults.oneEuroBeta)
    }
  }

  /// Refuses what would take fingers for palms. Rule N12.
  private mutating func finishPalm() {
    let size = numbers[.palmSize].flatMap { $0 > 0 ? $0 : nil }
    let aspect = numbers[.palmAspect].flatMap { $0 > 0 ? $0 : nil }
    if let size, size < Self.leastPalmSize {
      fields[.palmSize]?.refuse(
        "\(fields[.palmSize]?.name ?? "") must be 0 or at least \(plain(Self.leastPalmSize)) mm: "
          + "fingertips are as large")
    }
    if let aspect, aspect < Self.leastPalmAspect {
      fields[.palmAspect]?.refuse(
        "\(fields[.palmAspect]?.name ?? "") must be 0 or at least \(plain(Self.leastPalmAspect)): "
          + "fingertips are as long for their width")
    }
    if size != nil || aspect != nil || hasPen {
      settings.palm = .init(size: size, aspect: aspect, pen: hasPen)
    }
  }

  /// In millimetres.
  private static let leastPalmSize = 10.0
  private static let leastPalmAspect = 1.5

  private func checkPlaces(in region: Rect) {
    if let field = fields[.edge], 2 * settings.edge >= min(region.width, region.height) {
      field.refuse(
        "\(field.name) leaves nothing of the touchscreen, which covers "
          + "\(plain(region.width)) by \(plain(region.height)) points")
    }
    if let field = fields[.deadZones], DeadZones.cover(settings.deadZones, region) {
      field.refuse("\(field.name) cover the whole touchscreen: no touch could begin")
    }
  }
}

/// What `dead_zones` may be.
enum DeadZones {
  /// How many there may be.
  static let limit = 64

  /// Whether rectangles leave nothing of a region: the cells of the grid of all their edges are
  /// looked at.
  static func cover(_ zones: [Rect], _ region: Rect) -> Bool {
    let xs = cuts(zones.flatMap { [$0.x, $0.maxX] }, from: region.x, to: region.maxX)
    let ys = cuts(zones.flatMap { [$0.y, $0.maxY] }, from: region.y, to: region.maxY)
    return xs.allSatisfy { x in
      ys.allSatisfy { y in zones.contains { $0.contains(Point(x: x, y: y)) } }
    }
  }

  /// Where cells begin, along one axis.
  private static func cuts(_ edges: [Double], from start: Double, to end: Double) -> [Double] {
    [start] + edges.filter { $0 > start && $0 < end }
  }
}

extension Field {
  /// An array of rectangles with a width and a height.
  fileprivate func rectangles(limit: Int) -> [Rect]? {
    guard value.kind == .array, value.count <= limit else {
      mustBe("an array of at most \(limit) rectangles such as [[0, 0, 20, 480]]")
      return nil
    }
    var made: [Rect] = []
    for element in value.elements {
      let numbers = element.kind == .array ? element.elements.compactMap(\.number) : []
      guard numbers.count == 4, element.count == 4, numbers.allSatisfy(\.isFinite),
        numbers[2] > 0, numbers[3] > 0
      else {
        refuse(
          "a rectangle in \(name) must be [x, y, width, height], the last two greater than 0, "
            + "found \(element.summary)", at: element.location)
        return nil
      }
      made.append(Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
    }
    return made
  }
}
