/// Reads `[limits]` and `[touch]`, each key of which may be set in one file only.
struct SettingsReader {
  private let problems: ProblemList
  private var limits = Limits()
  private var touch = TouchSettings()
  /// Where each key was set first, by its full path.
  private var locations: [String: SourceLocation] = [:]

  /// The settings of all files together.
  static func read(
    _ roots: [Value], _ problems: ProblemList
  ) -> (limits: Limits, touch: TouchSettings) {
    var reader = SettingsReader(problems: problems)
    for root in roots {
      reader.table(.limits, of: root)?.read(known: LimitKey.names) { reader.readLimit($0) }
      reader.table(.touch, of: root)?.read(known: TouchKey.names) { reader.readTouch($0) }
    }
    reader.shareOut(\.clients, to: .clientsPerUser)
    reader.shareOut(\.gestures, to: .gesturesPerUser)
    return (reader.limits, reader.touch)
  }

  private init(problems: ProblemList) {
    self.problems = problems
  }

  /// Gives one user a quarter of all, unless it is said how much one has.
  private mutating func shareOut(_ all: KeyPath<Limits, Int>, to share: LimitKey) {
    guard locations["\(RootKey.limits.rawValue).\(share.rawValue)"] == nil else { return }
    limits[keyPath: share.property] = max(1, limits[keyPath: all] / 4)
  }

  private func table(_ key: RootKey, of root: Value) -> Scope? {
    let name = key.rawValue
    guard let value = root.find(name) else { return nil }
    guard value.kind == .table else {
      problems.add(value.location, "\(name) must be a table: write [\(name)]")
      return nil
    }
    return Scope(value, .none, inner: name + ".", full: name + ".", problems: problems)
  }

  private mutating func readLimit(_ field: Field) -> Bool {
    guard let key = LimitKey(rawValue: field.key) else { return false }
    guard isFirst(field), let number = field.integer(in: key.range) else { return true }
    limits[keyPath: key.property] = number
    return true
  }

  private mutating func readTouch(_ field: Field) -> Bool {
    guard let key = TouchKey(rawValue: field.key) else { return false }
    guard isFirst(field) else { return true }
    switch key.kind {
    case .integer(let property, let range): set(property, field.integer(in: range))
    case .number(let property, let range): set(property, field.number(in: range))
    }
    return true
  }

  private mutating func set<Number>(
    _ property: WritableKeyPath<TouchSettings, Number>, _ number: Number?
  ) {
    if let number { touch[keyPath: property] = number }
  }

  /// Whether no other file has set the key; the first one counts.
  private mutating func isFirst(_ field: Field) -> Bool {
    if let first = locations[field.name] {
      field.refuse(
        "\(field.name) is set already, at \(problems.name(first))", at: field.keyLocation)
      return false
    }
    locations[field.name] = field.keyLocation
    return true
  }
}
