import Layout

/// Makes a ``Configuration`` of parsed files, and lists what is wrong with them.
///
/// Settings come first, since limits bear on all else; then screens, since windows and devices of
/// any file may name a screen of any other; then the rest.
struct ConfigurationReader {
  private let problems = ProblemList()
  private let accounts: Accounts
  /// Called now and then while it works.
  private let step: () -> Void
  /// Values are borrowed from them.
  private var documents: [Document] = []
  /// The files that are not read, since others take their place.
  private var overrides: [ConfigurationDirectory.Override] = []

  private static let tablesPerStep = 8192

  init(accounts: Accounts = .machine, step: @escaping () -> Void = {}) {
    self.accounts = accounts
    self.step = step
  }

  /// Adds a file's text; what is not TOML is reported and left out.
  mutating func add(_ text: UnsafeRawBufferPointer, file: String) {
    let index = Int32(problems.files.count)
    problems.files.append(file)
    step()
    do throws(Document.Failure) {
      documents.append(try Document(text, file: index))
    } catch {
      let location = SourceLocation(file: index, line: error.line, column: error.column)
      problems.add(location, hidesDefinitions: true, error.message)
    }
  }

  /// Reports what is wrong with a file that can't be read.
  func add(unreadable file: String, _ message: String) {
    let index = Int32(problems.files.count)
    problems.files.append(file)
    problems.add(SourceLocation(file: index), hidesDefinitions: true, message)
  }

  /// Notes a file that is not read.
  mutating func add(_ override: ConfigurationDirectory.Override) {
    overrides.append(override)
  }

  /// Everything that was added, in which nothing may be wrong, as one text.
  func text() -> String {
    let remarks = overrides.map { override in
      let what = override.isDropped ? "dropped" : "replaced"
      return "\(override.path) is \(what) by \(override.other)"
    }
    return MergedText.text(
      of: documents.map(\.root), files: problems.files, remarks: remarks)
  }

  /// Reads everything that was added.
  func read() throws(ConfigurationError) -> Configuration {
    let roots = documents.map(\.root)
    for root in roots { reportUnknownKeys(of: root) }
    let settings = SettingsReader.read(roots, problems)
    let screens = ScreenReader.read(roots, problems)
    let devices = elements(of: .device, in: roots) { DeviceReader.read($0, screens) }
    let windows = elements(of: .window, in: roots) { WindowReader.read($0, screens) }
    let views = elements(of: .view, in: roots) { ViewReader.read($0) }
    let gestures = elements(of: .gesture, in: roots) { GestureReader.read($0) }
    var accessReader = AccessReader(accounts, problems)
    let access = elements(of: .access, in: roots) { accessReader.read($0) }
    guard !problems.hasMore else { throw problems.error() }
    step()
    defer { step() }

    let source = LayoutSource(screens: screens, windows: windows, views: views)
    guard let layout = source.layout(limits: settings.limits.layout, problems) else {
      throw problems.error()
    }
    accessReader.checkPaths(in: layout)
    GestureChecker(layout: layout, limits: settings.limits, problems: problems).check(
      gestures.map(\.element))
    guard problems.isEmpty else { throw problems.error() }
    step()
    let rules = access.map(\.element)
    let warnings = ConfigurationReview.warnings(
      layout: layout, source: source, devices: devices, access: rules,
      gestures: gestures, files: problems.files)
    return Configuration(
      files: problems.files, layoutDescription: source.description, layout: layout,
      gestures: gestures.map(\.element.spec), devices: devices.map(\.element), access: rules,
      limits: settings.limits, touch: settings.touch, warnings: warnings)
  }

  private func reportUnknownKeys(of root: Value) {
    Scope(root, .none, problems: problems).read(known: RootKey.names) { field in
      if RootKey(rawValue: field.key) != nil { return true }
      if nearestKey(to: field.key, among: RootKey.names) != nil { problems.addLackOfDefinition() }
      return false
    }
  }

  /// The elements of an array of tables, of all files; those of which `read` makes nothing are left
  /// out.
  private func elements<Element>(
    of key: RootKey, in roots: [Value], read: (Scope) -> Element?
  ) -> [Written<Element>] {
    var elements: [Written<Element>] = []
    for root in roots {
      guard let array = root.find(key.rawValue) else { continue }
      guard array.kind == .array, array.elements.allSatisfy({ $0.kind == .table }) else {
        problems.add(
          array.location, hidesDefinitions: true,
          "\(key.rawValue) must be an array of tables: write [[\(key.rawValue)]]")
        continue
      }
      for (index, table) in array.elements.enumerated() {
        if problems.hasMore { return elements }
        if index.isMultiple(of: Self.tablesPerStep) { step() }
        let title = Scope.Title.element(key.rawValue, nameKey: key.nameKey)
        let scope = Scope(table, title, full: key.rawValue + ".", problems: problems)
        if let element = read(scope) {
          elements.append(Written(element: element, table: table))
        }
      }
    }
    return elements
  }
}

/// Something with the table that it was read from.
struct Written<Element> {
  var element: Element
  var table: Value
}

extension RootKey {
  /// The key by whose value messages name an element.
  fileprivate var nameKey: String {
    switch self {
    case .view, .access: "path"
    case .screen, .device, .window, .gesture, .limits, .touch: "name"
    }
  }
}
