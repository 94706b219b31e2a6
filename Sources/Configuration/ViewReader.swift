import Layout
import TouchModel

/// Reads one `[[view]]`.
struct ViewReader {
  private static let keys = ViewKey.names + PropertyKey.names

  private var view = LayoutDescription.View(
    path: "", properties: ViewProperties(frame: FrameDescription(.zero)))
  private var hasPath = false
  private var hasFrame = false

  /// The view that a table says; nil where it has no path.
  static func read(_ scope: Scope) -> LayoutDescription.View? {
    var reader = ViewReader()
    scope.read(known: keys) { reader.read($0) }
    if !reader.hasPath { scope.requires("path", "such as path = \"home/toolbar\"") }
    if !reader.hasFrame {
      scope.requires("frame", "frame = [X, Y, WIDTH, HEIGHT] in the superview")
    }
    if !reader.view.path.isEmpty { return reader.view }
    scope.problems.addLackOfDefinition()
    return nil
  }

  private mutating func read(_ field: Field) -> Bool {
    if let key = PropertyKey(rawValue: field.key) {
      if key == .frame { hasFrame = true }
      view.properties.read(key, field)
      return true
    }
    guard let key = ViewKey(rawValue: field.key) else { return false }
    switch key {
    case .path:
      hasPath = true
      view.path = path(field) ?? ""
    }
    return true
  }

  /// A path of names below a window. Rule L5.
  private func path(_ field: Field) -> String? {
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
}

extension ViewProperties {
  /// Reads a key that windows and views have in common; what is wrong leaves the default.
  mutating func read(_ key: PropertyKey, _ field: Field) {
    switch key {
    case .frame: frame = field.frame() ?? frame
    case .boundsOrigin:
      boundsOrigin = field.numbers(["x", "y"]).map { Point(x: $0[0], y: $0[1]) } ?? .zero
    case .transform: transform = field.transform() ?? .identity
    case .hidden: hidden = field.boolean() ?? false
    case .alpha: alpha = field.number(in: 0...1) ?? 1
    case .interaction: interaction = field.boolean() ?? true
    case .controller: controller = field.identifier()
    case .outset: outset = field.outset() ?? .zero
    case .shape: shape = field.shape() ?? .rect
    case .inside: inside = field.inside() ?? .bounds
    case .hit: hit = field.hit() ?? .standard
    case .multipleTouch: multipleTouch = field.boolean() ?? true
    case .exclusiveTouch: exclusiveTouch = field.boolean() ?? false
    case .secure: secure = field.boolean() ?? false
    }
  }
}
