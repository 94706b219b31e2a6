import TouchModel

/// Checks a ``LayoutDescription`` and makes the parts of a ``Layout`` from it. Rule L6.
struct LayoutBuilder: Sendable {
  typealias Problem = LayoutError.Problem

  /// What is checked and resolved; ``paths`` has it as it was at first.
  private(set) var description: LayoutDescription
  let limits: LayoutLimits
  private(set) var problems: [Problem] = []
  /// Whether there are more problems than ``LayoutError/limit``: checking stops.
  private(set) var hasMoreProblems = false
  private(set) var applications: [String] = []
  private(set) var applicationIndices: [String: Int] = [:]
  /// For each node its superview; -1 for a window, -2 where it is not known.
  var parents: [Int32] = []
  var paths: PathTable
  /// The nodes that have another place among their siblings than the description gives them.
  var placements: [Int32: ViewOverrides.Placement] = [:]

  init(_ description: LayoutDescription, limits: LayoutLimits) {
    self.description = description
    self.limits = limits
    paths = PathTable(description)
  }

  var windowCount: Int { description.windows.count }
  var nodeCount: Int { description.windows.count + description.views.count }

  mutating func report(
    _ subject: Problem.Subject, _ key: String? = nil, _ message: String,
    unknown: LayoutError.Problem.UnknownName? = nil
  ) {
    guard problems.count < LayoutError.limit else {
      hasMoreProblems = true
      return
    }
    problems.append(
      Problem(subject: subject, key: key, message: message, unknown: unknown))
  }

  /// The problems in the order of the description: screens, windows, views, the whole.
  var sortedProblems: [Problem] {
    func place(_ subject: Problem.Subject) -> (Int, Int) {
      switch subject {
      case .screen(let index): (0, index)
      case .window(let index): (1, index)
      case .view(let index): (2, index)
      case .layout: (3, 0)
      }
    }
    return problems.enumerated().sorted { left, right in
      let places = (place(left.element.subject), place(right.element.subject))
      return places.0 == places.1 ? left.offset < right.offset : places.0 < places.1
    }.map(\.element)
  }

  func path(of node: Int32) -> String { paths.path(of: node) }

  func subject(of node: Int32) -> Problem.Subject {
    Int(node) < windowCount ? .window(Int(node)) : .view(Int(node) - windowCount)
  }

  func properties(of node: Int32) -> ViewProperties {
    Int(node) < windowCount
      ? description.windows[Int(node)].properties
      : description.views[Int(node) - windowCount].properties
  }

  /// What a node was described as at first.
  func configured(_ node: Int32) -> ViewProperties {
    Int(node) < windowCount
      ? paths.description.windows[Int(node)].properties
      : paths.description.views[Int(node) - windowCount].properties
  }

  mutating func setProperties(of node: Int32, _ properties: ViewProperties) {
    if Int(node) < windowCount {
      description.windows[Int(node)].properties = properties
    } else {
      description.views[Int(node) - windowCount].properties = properties
    }
  }

  /// The path of what a problem is about, where that is a window or view.
  func path(of subject: Problem.Subject) -> String? {
    switch subject {
    case .window(let index): description.windows[index].name
    case .view(let index): description.views[index].path
    case .screen, .layout: nil
    }
  }

  /// The problems, which are forgotten.
  mutating func takeProblems() -> [Problem] {
    defer {
      problems.removeAll()
      hasMoreProblems = false
    }
    return problems
  }

  /// Everything that can be said before the frames are resolved. A description beyond a limit on
  /// counts is looked at no further.
  mutating func check() {
    checkCounts()
    guard problems.isEmpty else { return }
    checkScreens()
    checkWindows()
    checkPaths()
    for node in 0..<Int32(nodeCount) {
      if hasMoreProblems { return }
      checkProperties(of: node)
      checkReferences(of: node)
    }
  }

  private mutating func checkCounts() {
    let counts = [
      ("screens", description.screens.count, limits.screens),
      ("windows", description.windows.count, limits.windows),
      ("views", nodeCount, limits.views),
    ]
    for (name, count, limit) in counts where count > limit {
      report(.layout, nil, "\(count) \(name) are more than the limit `\(name)` of \(limit)")
    }
  }

  private mutating func checkScreens() {
    var names: Set<String> = []
    for (index, screen) in description.screens.enumerated() {
      checkName(screen.name, "screen", .screen(index), "name")
      if !names.insert(screen.name).inserted {
        report(.screen(index), "name", "there is another screen \"\(screen.name)\"")
      }
      let size = screen.size
      if !(size.width.isFinite && size.height.isFinite && size.width > 0 && size.height > 0) {
        report(.screen(index), "size", "a screen has a finite width and height above 0")
      } else {
        checkMagnitude(max(size.width, size.height), .screen(index), "size")
      }
    }
  }

  private mutating func checkWindows() {
    for (index, window) in description.windows.enumerated() {
      checkName(window.name, "window", .window(index), "name")
      if !description.screens.indices.contains(Int(window.screen.rawValue)) {
        report(
          .window(index), "screen", "its screen is none of the layout's", unknown: .screen)
      }
      guard let application = window.application else { continue }
      if checkName(application, "application", .window(index), "application"),
        applicationIndices[application] == nil
      {
        applicationIndices[application] = applications.count
        applications.append(application)
      }
    }
  }

  /// Rule L5. Names hold no `:`, `/` or `@`, so that no path reads as one of another kind.
  @discardableResult
  mutating func checkName(
    _ name: String, _ what: String, _ subject: Problem.Subject, _ key: String
  ) -> Bool {
    let valid = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
    if name.isEmpty {
      report(subject, key, "the name of a \(what) can't be empty")
    } else if !valid {
      report(subject, key, "\"\(name)\" is no name: names are made of A-Z, a-z, 0-9, _, . and -")
    } else if name.utf8.count > limits.nameLength {
      report(
        subject, key,
        "a name of \(name.utf8.count) bytes is longer than the limit `name_length` of "
          + "\(limits.nameLength)")
    } else {
      return true
    }
    return false
  }

  @discardableResult
  mutating func checkMagnitude(
    _ number: Double, _ subject: Problem.Subject, _ key: String
  ) -> Bool {
    guard abs(number) > limits.coordinate else { return true }
    report(subject, key, "\(number) is beyond the limit `coordinate` of \(limits.coordinate)")
    return false
  }
}
