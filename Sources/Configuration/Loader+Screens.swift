import TouchModel

extension Loader {
  func readScreen(_ entry: Value.Entry) {
    let scope = Scope(
      entry.value, .named("screen", entry.key), full: "screen.\(entry.key).", problems: problems)
    if !isName(entry.key) {
      problems.add(
        entry.place, "\(scope.prefix)a name must be made of letters, digits, \"_\", \".\" and \"-\""
      )
    }
    // A stand-in, so that what refers to the screen is checked even where its size is wrong.
    var screen = Screen(name: entry.key, size: Size(width: 1, height: 1))
    var hasSize = false
    scope.read(known: ScreenKey.names) { field in
      guard let key = ScreenKey(rawValue: field.key) else { return false }
      switch key {
      case .size:
        hasSize = true
        guard let size = field.numbers(["width", "height"]) else { break }
        if size.allSatisfy({ $0 > 0 }) {
          screen.size = Size(width: size[0], height: size[1])
        } else {
          field.refuse(
            "\(field.name) must be greater than 0 both ways, found \(plain(size[0])) by "
              + plain(size[1]))
        }
      case .rotation:
        guard let degrees = field.value.integer.flatMap(UInt32.init(exactly:)),
          let rotation = Screen.Rotation(rawValue: degrees)
        else {
          field.mustBe("0, 90, 180 or 270, the degrees clockwise that the panel is mounted at")
          break
        }
        screen.rotation = rotation
      }
      return true
    }
    if !hasSize { scope.requires("size", "size = [WIDTH, HEIGHT] in points") }
    if let first = screenIndices[entry.key] {
      let place = problems.name(screenPlaces[Int(first.rawValue)])
      problems.add(
        entry.place, "\(scope.prefix)there is a screen of that name already, at \(place)")
      return
    }
    screenIndices[entry.key] = ScreenIndex(Int32(screens.count))
    screens.append(screen)
    screenPlaces.append(entry.place)
  }

  /// The screen that a window or a device names; nil once it is reported that there is none.
  func screen(_ field: Field) -> ScreenIndex? {
    guard let name = field.string() else { return nil }
    if let index = screenIndices[name] { return index }
    field.refuse(unknownScreen(field, name))
    return nil
  }

  private func unknownScreen(_ field: Field, _ name: String) -> String {
    let known = screens.map(\.name)
    var message = "\(field.name) \(quoted(name)) is not there"
    if let nearest = nearestKey(to: name, among: known) {
      message += "; did you mean \"\(nearest)\"?"
    } else if !known.isEmpty {
      message += "; the screens are \(known.prefix(10).map { "\"\($0)\"" }.joined(separator: ", "))"
    }
    return message
  }
}
