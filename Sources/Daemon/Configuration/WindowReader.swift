import Layout
import TouchModel

/// Reads one `[[window]]`.
struct WindowReader {
  private static let keys = WindowKey.names + PropertyKey.names
  /// Where a window says no frame: all of its screen.
  private static let wholeScreen = FrameDescription(
    x: Length(points: 0), y: Length(points: 0),
    width: Length(points: 0, fraction: 1), height: Length(points: 0, fraction: 1))

  private let screens: ScreenTable
  private var window = LayoutDescription.Window(
    name: "", screen: ScreenIndex(0), properties: ViewProperties(frame: Self.wholeScreen))
  private var hasName = false

  /// The window that a table says; nil where it has no name.
  static func read(_ scope: Scope, _ screens: ScreenTable) -> LayoutDescription.Window? {
    var reader = WindowReader(screens: screens)
    scope.read(known: keys) { reader.read($0) }
    if !reader.hasName {
      scope.requires("name", "every window needs one, such as name = \"home\"")
    }
    if !reader.window.name.isEmpty { return reader.window }
    scope.problems.addLackOfDefinition()
    return nil
  }

  private init(screens: ScreenTable) {
    self.screens = screens
  }

  private mutating func read(_ field: Field) -> Bool {
    if let key = PropertyKey(field.key) {
      window.properties.read(key, field)
      return true
    }
    guard let key = WindowKey(rawValue: field.key) else { return false }
    switch key {
    case .name:
      hasName = true
      window.name = field.identifier() ?? ""
    case .screen: window.screen = screens.index(field) ?? window.screen
    case .level: window.level = field.integer(in: ViewChange.Property.levels) ?? window.level
    case .application: window.application = field.identifier()
    case .resizable: window.isResizable = field.boolean() ?? false
    case .alwaysOn: window.isAlwaysOn = field.boolean() ?? false
    }
    return true
  }
}
