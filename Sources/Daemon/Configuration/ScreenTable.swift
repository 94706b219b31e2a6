import TouchModel

/// The screens of a configuration, in their order, and by their names.
struct ScreenTable {
  private(set) var screens: [Screen] = []
  private var locations: [SourceLocation] = []
  private var indices: [String: ScreenIndex] = [:]

  /// Adds a screen, unless there is one of that name: then the location of that one.
  mutating func add(_ screen: Screen, at location: SourceLocation) -> SourceLocation? {
    if let first = indices[screen.name] { return self.location(of: Int(first.rawValue)) }
    indices[screen.name] = ScreenIndex(Int32(screens.count))
    screens.append(screen)
    locations.append(location)
    return nil
  }

  /// The screen at an index, if there is one.
  subscript(index: ScreenIndex) -> Screen? {
    Int(index.rawValue) < screens.count ? screens[Int(index.rawValue)] : nil
  }

  /// Where the screen at an index is defined.
  func location(of index: Int) -> SourceLocation { locations[index] }

  /// The screen that a window or a device names; nil once it is reported that there is none.
  func index(_ field: Field) -> ScreenIndex? {
    guard let name = field.string() else { return nil }
    if let index = indices[name] { return index }
    if !field.scope.problems.lacksDefinitions { field.refuse(unknown(field, name)) }
    return nil
  }

  private func unknown(_ field: Field, _ name: String) -> String {
    let known = screens.map(\.name)
    let message = "\(field.name) \(quoted(name)) is not there"
    if let nearest = nearestKey(to: name, among: known) {
      return message + "; did you mean \"\(nearest)\"?"
    }
    if known.isEmpty { return message }
    let names = known.prefix(10).map { "\"\($0)\"" }.joined(separator: ", ")
    return message + "; the screens are \(names)"
  }
}
