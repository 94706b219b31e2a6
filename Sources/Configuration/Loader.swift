import Layout
import TouchModel

/// Makes a ``Configuration`` of parsed files, and lists everything that is wrong with them.
///
/// Three passes: limits first, since they bear on all else; then screens, since windows and devices
/// of any file may name a screen of any other; then the rest.
final class Loader {
  let problems: ProblemList
  let accounts: Accounts
  /// Kept for as long as places are asked for.
  private var documents: [Document] = []

  var screens: [Screen] = []
  var screenPlaces: [Place] = []
  var screenIndices: [String: ScreenIndex] = [:]
  var windows: [LayoutDescription.Window] = []
  /// The table that each window was read from.
  var windowTables: [Value] = []
  var views: [LayoutDescription.View] = []
  /// The table that each view was read from.
  var viewTables: [Value] = []
  var devices: [DeviceRule] = []
  var access: [AccessRule] = []
  var accessPlaces: [Place] = []
  var accessPlacesByPath: [String: Place] = [:]
  var limits = Limits()
  var touch = TouchSettings()
  /// Where the single keys of `[limits]` and `[touch]` were set, by their full path.
  var settingPlaces: [String: Place] = [:]

  /// Set once they are reported: it is asked for in two places.
  var hasReportedDuplicates = false

  init(problems: ProblemList, accounts: Accounts = .machine) {
    self.problems = problems
    self.accounts = accounts
  }

  /// Adds a file's text; what is not TOML is reported and left out.
  func add(_ text: UnsafeRawBufferPointer, file: String) {
    let index = Int32(problems.files.count)
    problems.files.append(file)
    do throws(Document.Failure) {
      documents.append(try Document(text, file: index))
    } catch {
      let place = Place(file: index, line: error.line, column: error.column)
      problems.add(place, error.message)
    }
  }

  /// Reports what is wrong with a file that can't be read.
  func add(unreadable file: String, _ message: String) {
    let index = Int32(problems.files.count)
    problems.files.append(file)
    problems.add(Place(file: index), message)
  }

  /// Reads everything that was added.
  func readAll() {
    for document in documents { readSettings(document.root) }
    for document in documents { readScreens(document.root) }
    if screens.isEmpty, problems.isEmpty {
      problems.add(
        Place(file: 0), "there is no screen: add [screen.NAME] with size = [WIDTH, HEIGHT]")
    }
    for document in documents { readSections(document.root) }
  }

  private func readSettings(_ root: Value) {
    for entry in root.entries {
      let field = Field(scope: Scope(root, .none, problems: problems), entry)
      switch RootKey(rawValue: entry.key) {
      case .limits: readTable(field) { readLimits($0) }
      case .touch: readTable(field) { readTouch($0) }
      default: break
      }
    }
  }

  private func readScreens(_ root: Value) {
    guard let section = root.find(RootKey.screen.rawValue) else { return }
    guard section.kind == .table, section.entries.allSatisfy({ $0.value.kind == .table }) else {
      problems.add(section.place, "every screen must be a table with a name: write [screen.NAME]")
      return
    }
    for entry in section.entries { readScreen(entry) }
  }

  private func readSections(_ root: Value) {
    Scope(root, .none, problems: problems).read(known: RootKey.names) { field in
      guard let key = RootKey(rawValue: field.key) else { return false }
      switch key {
      case .limits, .touch, .screen: break
      case .device: readEach(field, nameKey: "name") { readDevice($0) }
      case .window: readEach(field, nameKey: "name") { readWindow($0) }
      case .view: readEach(field, nameKey: "path") { readView($0) }
      case .access: readEach(field, nameKey: "path") { readAccess($0) }
      }
      return true
    }
  }

  private func readEach(_ field: Field, nameKey: String, _ read: (Scope) -> Void) {
    let tables = field.value
    guard tables.kind == .array, tables.elements.allSatisfy({ $0.kind == .table }) else {
      field.refuse("\(field.key) must be an array of tables: write [[\(field.key)]]")
      return
    }
    for (index, table) in tables.elements.enumerated() {
      if problems.hasMore { return }
      let title = Scope.Title.element(field.key, nameKey: nameKey, number: index + 1)
      read(Scope(table, title, full: field.key + ".", problems: problems))
    }
  }

  private func readTable(_ field: Field, _ read: (Scope) -> Void) {
    guard field.value.kind == .table else {
      field.refuse("\(field.key) must be a table: write [\(field.key)]")
      return
    }
    let path = field.key + "."
    read(Scope(field.value, .none, inner: path, full: path, problems: problems))
  }

  /// Reports a key that another file has set already; the first one counts.
  func isFirst(_ field: Field) -> Bool {
    if let first = settingPlaces[field.name] {
      field.refuse("\(field.name) is set already, at \(problems.name(first))", at: field.place)
      return false
    }
    settingPlaces[field.name] = field.place
    return true
  }
}
