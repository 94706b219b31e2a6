import TouchModel

/// Reads `[screen.NAME]`.
struct ScreenReader {
  private let scope: Scope
  private var screen: Screen
  private var hasSize = false

  /// The screens of all files.
  static func read(_ roots: [Value], _ problems: ProblemList) -> ScreenTable {
    var screens = ScreenTable()
    for root in roots { read(root, into: &screens, problems) }
    if screens.screens.isEmpty, !problems.lacksDefinitions {
      problems.add(
        SourceLocation(file: 0), hidesDefinitions: true,
        "there is no screen: add [screen.NAME] with size = [WIDTH, HEIGHT]")
    }
    return screens
  }

  private static func read(
    _ root: Value, into screens: inout ScreenTable, _ problems: ProblemList
  ) {
    guard let section = root.find(RootKey.screen.rawValue) else { return }
    guard section.kind == .table, section.entries.allSatisfy({ $0.value.kind == .table }) else {
      problems.add(
        section.location, hidesDefinitions: true,
        "every screen must be a table with a name: write [screen.NAME]")
      return
    }
    for entry in section.entries {
      if problems.hasMore { return }
      var reader = ScreenReader(entry, problems)
      let screen = reader.read(entry)
      if let first = screens.add(screen, at: entry.keyLocation) {
        problems.add(
          entry.keyLocation,
          "\(reader.scope.prefix)there is a screen of that name already, at \(problems.name(first))"
        )
      }
    }
  }

  private init(_ entry: Value.Entry, _ problems: ProblemList) {
    scope = Scope(
      entry.value, .named("screen", entry.key), full: "screen.\(entry.key).", problems: problems)
    // A stand-in, so that what refers to the screen is checked even where its size is wrong.
    screen = Screen(name: entry.key, size: Size(width: 1, height: 1))
  }

  private mutating func read(_ entry: Value.Entry) -> Screen {
    if !isName(entry.key) {
      scope.problems.add(
        entry.keyLocation,
        "\(scope.prefix)a name must be made of letters, digits, \"_\", \".\" and \"-\"")
    }
    scope.read(known: ScreenKey.names) { field in
      guard let key = ScreenKey(rawValue: field.key) else { return false }
      switch key {
      case .size: readSize(field)
      case .rotation: screen.rotation = field.rotation(of: "panel") ?? .none
      case .wake: screen.waking.action = field.oneWord(of: Screen.Waking.Action.self) ?? .touch
      case .wakeGuard:
        field.integer(in: ScreenKey.guardRange)
          .map { screen.waking.guardMilliseconds = UInt64($0) }
      case .wakeTimeout:
        field.integer(in: ScreenKey.timeoutRange)
          .map { screen.waking.timeoutMilliseconds = UInt64($0) }
      }
      return true
    }
    if !hasSize { scope.requires("size", "size = [WIDTH, HEIGHT] in points") }
    return screen
  }

  private mutating func readSize(_ field: Field) {
    hasSize = true
    guard let size = field.numbers(["width", "height"]) else { return }
    guard size.allSatisfy({ $0 > 0 }) else {
      field.refuse(
        "\(field.name) must be greater than 0 both ways, found \(plain(size[0])) by "
          + plain(size[1]))
      return
    }
    screen.size = Size(width: size[0], height: size[1])
  }
}
