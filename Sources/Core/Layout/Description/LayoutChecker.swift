import TouchModel

/// Checks all that can be said of a description before its frames are resolved. Rule L6.
struct LayoutChecker {
  private let limits: LayoutLimits
  private var nodes: LayoutNodes
  private var problems = LayoutProblems()

  /// Enters the nodes of a description under their paths and links them to their superviews, but
  /// for those of which a layout was made, by the same limits: they were.
  ///
  /// - Returns: What is wrong. A description beyond a limit on counts is checked no further.
  static func check(_ nodes: inout LayoutNodes, _ limits: LayoutLimits) -> LayoutProblems {
    var checker = LayoutChecker(limits: limits, nodes: nodes)
    // The only reference, so that entering a node copies nothing.
    nodes = LayoutNodes(LayoutDescription(screens: []))
    checker.check()
    nodes = checker.nodes
    return checker.problems
  }

  /// The problem of views beyond the limit of depth, each at the first view that is.
  ///
  /// - Parameter order: All nodes in pre-order.
  static func checkDepth(
    _ nodes: LayoutNodes, order: [Int32], _ limits: LayoutLimits
  ) -> LayoutProblems {
    var problems = LayoutProblems()
    var depths = Array(repeating: 0, count: order.count)
    for node in order {
      let parent = nodes.parents[Int(node)]
      let depth = parent < 0 ? 1 : depths[Int(parent)] + 1
      depths[Int(node)] = depth
      if depth == limits.depth + 1, !problems.hasMore {
        problems.report(
          nodes.subject(of: node), "path",
          "the view is \(depth) deep, beyond the limit `depth` of \(limits.depth)")
      }
    }
    return problems
  }

  /// The paths that a node's `hit` and the names that its `inside` refer to and that are not there.
  static func checkReferences(_ nodes: LayoutNodes, of node: Int32) -> LayoutProblems {
    var problems = LayoutProblems()
    checkReferences(nodes, of: node, &problems)
    return problems
  }

  private init(limits: LayoutLimits, nodes: LayoutNodes) {
    self.limits = limits
    self.nodes = nodes
  }

  private mutating func check() {
    checkCounts()
    guard problems.isEmpty else { return }
    if nodes.knownCount == 0 {
      checkScreens()
      checkWindows()
    }
    let new = Int32(nodes.knownCount)..<Int32(nodes.count)
    enter(new)
    link(max(new.lowerBound, Int32(nodes.windowCount))..<new.upperBound)
    for node in new {
      if problems.hasMore { return }
      for (key, message) in PropertyRules.breaches(nodes.properties(of: node), limits) {
        problems.report(nodes.subject(of: node), key, message)
      }
      Self.checkReferences(nodes, of: node, &problems)
    }
  }

  private mutating func checkCounts() {
    let counts = [
      ("screens", nodes.screens.count, limits.screens),
      ("windows", nodes.windowCount, limits.windows), ("views", nodes.count, limits.views),
    ]
    for (name, count, limit) in counts where count > limit {
      problems.report(
        .layout, nil, "\(count) \(name) are more than the limit `\(name)` of \(limit)")
    }
  }

  private mutating func checkScreens() {
    var names: Set<String> = []
    for (index, screen) in nodes.screens.enumerated() {
      checkName(screen.name, of: "screen", .screen(index), "name")
      if !names.insert(screen.name).inserted {
        problems.report(.screen(index), "name", "there is another screen \"\(screen.name)\"")
      }
      let size = screen.size
      if !(size.width.isFinite && size.height.isFinite && size.width > 0 && size.height > 0) {
        problems.report(.screen(index), "size", "a screen has a finite width and height above 0")
      } else if let message = limits.problem(withMagnitudeOf: max(size.width, size.height)) {
        problems.report(.screen(index), "size", message)
      }
    }
  }

  private mutating func checkWindows() {
    for (index, window) in nodes.paths.description.windows.enumerated() {
      checkName(window.name, of: "window", .window(index), "name")
      if !nodes.screens.indices.contains(Int(window.screen.rawValue)) {
        problems.report(
          .window(index), "screen", "its screen is none of the layout's", unknown: .screen)
      }
      if let application = window.application {
        checkName(application, of: "application", .window(index), "application")
      }
    }
  }

  private mutating func checkName(
    _ name: String, of what: String, _ subject: LayoutError.Problem.Subject, _ key: String
  ) {
    guard let message = limits.problem(withName: name, of: what) else { return }
    problems.report(subject, key, message)
  }

  private mutating func enter(_ new: Range<Int32>) {
    for node in new where !nodes.enter(node) {
      let isWindow = Int(node) < nodes.windowCount
      problems.report(
        nodes.subject(of: node), isWindow ? "name" : "path",
        "there is another \(isWindow ? "window" : "view") \"\(nodes.path(of: node))\"")
    }
  }

  private mutating func link(_ views: Range<Int32>) {
    for node in views {
      if problems.hasMore { return }
      link(node)
    }
  }

  private mutating func link(_ node: Int32) {
    let path = nodes.path(of: node)
    let subject = nodes.subject(of: node)
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      problems.report(
        subject, "path",
        "\"\(path)\" names no superview: the path of a view is WINDOW/NAME or longer")
      return
    }
    checkName(String(path[path.index(after: slash)...]), of: "view", subject, "path")
    let superview = path[..<slash]
    if nodes.link(node, to: superview) { return }
    problems.report(
      subject, "path",
      superview.utf8.contains(UInt8(ascii: "/"))
        ? "there is no view \"\(superview)\" that could be its superview"
        : "there is no window \"\(superview)\"",
      unknown: .path(String(superview)))
  }

  private static func checkReferences(
    _ nodes: LayoutNodes, of node: Int32, _ problems: inout LayoutProblems
  ) {
    let view = nodes.properties(of: node)
    let subject = nodes.subject(of: node)
    switch view.hit {
    case .redirect(let path), .first(let path):
      if nodes.find(path, from: node) == nil {
        problems.report(
          subject, "hit", "\"\(nodes.path(of: node))\" has no descendant \"\(path)\"",
          unknown: .path(nodes.path(of: node) + "/" + path))
      }
    case .standard, .itself, .none, .passThrough:
      break
    }
    guard case .children(let names) = view.inside else { return }
    for name in names
    where name.utf8.contains(UInt8(ascii: "/")) || nodes.find(name, from: node) == nil {
      problems.report(
        subject, "inside", "\"\(nodes.path(of: node))\" has no subview \"\(name)\"",
        unknown: .path(nodes.path(of: node) + "/" + name))
    }
  }
}
