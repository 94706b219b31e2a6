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
    if let key = PropertyKey(field.key) {
      if case .property(.frame) = key { hasFrame = true }
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
    case .controller: controller = field.identifier()
    // Its numbers may be shares of the superview.
    case .property(.frame): frame = field.frame() ?? frame
    case .property(let kind):
      if let property = field.property(kind.declaration.form) { take(property) }
    }
  }
}

extension Field {
  /// The text of a property.
  func text(of kind: ViewChange.Property.Kind) -> String? { property(kind.declaration.form)?.words }

  /// A text that keeps to a rule.
  private func text(_ rule: TextRule) -> String? {
    guard let text = string() else { return nil }
    guard let problem = rule.problem(with: text) else { return text }
    refuse("\(name): \(problem)")
    return nil
  }

  /// A property of that form.
  fileprivate func property(_ form: PropertyForm) -> ViewChange.Property? {
    switch form {
    case .flag(_, let make): boolean().map(make)
    case .number(let range, let make): number(in: range).map(make)
    case .whole(let range, let make): integer(in: range).map(make)
    case .point(_, let make): numbers(["x", "y"]).map { make(Point(x: $0[0], y: $0[1])) }
    case .rect(let make):
      numbers(["x", "y", "width", "height"]).map {
        make(Rect(x: $0[0], y: $0[1], width: $0[2], height: $0[3]))
      }
    case .transform(let make): transform().map(make)
    case .outset(let make): outset().map(make)
    case .shape(let make): shape().map(make)
    case .inside(let make): inside().map(make)
    case .hit(let make): hit().map(make)
    case .text(let rule, let make): text(rule).map(make)
    case .nothing: nil
    }
  }
}
