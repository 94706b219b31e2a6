import Layout
import TouchModel

extension Loader {
  private static let windowKeys = WindowKey.names + PropertyKey.names
  private static let viewKeys = ViewKey.names + PropertyKey.names
  /// Where a window says no frame: all of its screen.
  private static let wholeScreen = FrameDescription(
    x: Length(points: 0), y: Length(points: 0),
    width: Length(points: 0, fraction: 1), height: Length(points: 0, fraction: 1))

  func readWindow(_ scope: Scope) {
    var window = LayoutDescription.Window(
      name: "", screen: ScreenIndex(0), properties: ViewProperties(frame: Self.wholeScreen))
    var hasName = false
    scope.read(known: Self.windowKeys) { field in
      if let key = PropertyKey(rawValue: field.key) {
        readProperty(key, field, into: &window.properties)
        return true
      }
      guard let key = WindowKey(rawValue: field.key) else { return false }
      switch key {
      case .name:
        hasName = true
        window.name = field.identifier() ?? ""
      case .screen: window.screen = screen(field) ?? window.screen
      case .level: window.level = field.integer(in: -1_000_000...1_000_000) ?? window.level
      case .application: window.application = field.identifier()
      }
      return true
    }
    if !hasName { scope.requires("name", "every window needs one, such as name = \"home\"") }
    guard !window.name.isEmpty else { return }
    windows.append(window)
    windowTables.append(scope.table)
  }

  func readView(_ scope: Scope) {
    var view = LayoutDescription.View(
      path: "", properties: ViewProperties(frame: FrameDescription(.zero)))
    var hasPath = false
    var hasFrame = false
    scope.read(known: Self.viewKeys) { field in
      if let key = PropertyKey(rawValue: field.key) {
        if key == .frame { hasFrame = true }
        readProperty(key, field, into: &view.properties)
        return true
      }
      guard let key = ViewKey(rawValue: field.key) else { return false }
      switch key {
      case .path:
        hasPath = true
        view.path = viewPath(field) ?? ""
      }
      return true
    }
    if !hasPath { scope.requires("path", "such as path = \"home/toolbar\"") }
    if !hasFrame { scope.requires("frame", "frame = [X, Y, WIDTH, HEIGHT] in the superview") }
    guard !view.path.isEmpty else { return }
    views.append(view)
    viewTables.append(scope.table)
  }

  /// A path of names below a window. Rule L5.
  private func viewPath(_ field: Field) -> String? {
    guard let path = field.string() else { return nil }
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    guard names.count > 1, names.allSatisfy({ isName($0) }) else {
      field.mustBe(
        "a window's name and those of views below it, such as \"home/toolbar\", each of letters, "
          + "digits, \"_\", \".\" and \"-\"")
      return nil
    }
    return path
  }

  private func readProperty(
    _ key: PropertyKey, _ field: Field, into properties: inout ViewProperties
  ) {
    switch key {
    case .frame: properties.frame = field.frame() ?? properties.frame
    case .boundsOrigin:
      properties.boundsOrigin =
        field.numbers(["x", "y"]).map { Point(x: $0[0], y: $0[1]) } ?? .zero
    case .transform: properties.transform = field.transform() ?? .identity
    case .hidden: properties.hidden = field.boolean() ?? false
    case .alpha: properties.alpha = field.number(in: 0...1) ?? 1
    case .interaction: properties.interaction = field.boolean() ?? true
    case .controller: properties.controller = field.identifier()
    case .outset: properties.outset = field.outset() ?? .zero
    case .shape: properties.shape = field.shape() ?? .rect
    case .inside: properties.inside = field.inside() ?? .bounds
    case .hit: properties.hit = field.hit() ?? .standard
    case .multipleTouch: properties.multipleTouch = field.boolean() ?? true
    case .exclusiveTouch: properties.exclusiveTouch = field.boolean() ?? false
    case .secure: properties.secure = field.boolean() ?? false
    }
  }
}
