import TouchModel

/// The windows and views of a description, each of which is a node: windows come first, then views.
struct LayoutNodes: Sendable {
  typealias Subject = LayoutError.Problem.Subject

  /// The properties of nodes that are not those that they were described with.
  private var properties: [Int32: ViewProperties] = [:]
  /// The levels of windows that are not those that they were described with.
  private var levels: [Int32: Int] = [:]
  /// The nodes that were entered, by their paths; and how all were described at first.
  private(set) var paths: PathTable
  /// For each node its superview; -1 for a window, -2 where it is not known.
  private(set) var parents: [Int32]
  /// The applications that windows name, in the windows' order.
  let applications: [String]
  private let applicationIndices: [String: Int]

  /// The nodes of a description, which have yet to be entered and linked.
  init(_ description: LayoutDescription) {
    let count = description.windows.count + description.views.count
    self.init(PathTable(description), parents: Array(repeating: -1, count: count))
  }

  /// The nodes of a description of which a layout was made; or of the first ones of which it was:
  /// then the others have yet to be entered and linked.
  init(_ description: LayoutDescription, of layout: Layout) {
    let count = description.windows.count + description.views.count
    var parents = Array(repeating: Int32(-1), count: count)
    for (index, view) in layout.views.enumerated() {
      guard let superview = view.parent else { continue }
      parents[Int(layout.viewOrder.node(ViewIndex(Int32(index))))] = layout.viewOrder.node(
        superview)
    }
    self.init(PathTable(description, of: layout), parents: parents)
  }

  private init(_ paths: PathTable, parents: [Int32]) {
    self.paths = paths
    self.parents = parents
    let description = paths.description
    var applications: [String] = []
    var indices: [String: Int] = [:]
    for case let application? in description.windows.map(\.application)
    where indices[application] == nil {
      indices[application] = applications.count
      applications.append(application)
    }
    self.applications = applications
    applicationIndices = indices
  }

  var screens: [Screen] { paths.description.screens }
  var windowCount: Int { paths.description.windows.count }
  var count: Int { windowCount + paths.description.views.count }
  /// How many nodes come first that a layout was made of.
  var knownCount: Int { paths.knownCount }

  func path(of node: Int32) -> String { paths.path(of: node) }

  /// The window that a node is, as it is now; nil for a view.
  func window(_ node: Int32) -> LayoutDescription.Window? {
    guard Int(node) < windowCount else { return nil }
    var window = paths.description.windows[Int(node)]
    if let properties = properties[node] { window.properties = properties }
    if let level = levels[node] { window.level = level }
    return window
  }

  /// The level of a window.
  func level(ofWindow node: Int32) -> Int {
    levels[node] ?? paths.description.windows[Int(node)].level
  }

  /// The index of the application that a window names.
  func applicationIndex(_ window: LayoutDescription.Window) -> Int? {
    window.application.flatMap { applicationIndices[$0] }
  }

  func subject(of node: Int32) -> Subject {
    Int(node) < windowCount ? .window(Int(node)) : .view(Int(node) - windowCount)
  }

  /// The path of what a problem is about, where that is a window or view.
  func path(of subject: Subject) -> String? {
    switch subject {
    case .window(let index): path(of: Int32(index))
    case .view(let index): path(of: Int32(windowCount + index))
    case .screen, .layout: nil
    }
  }

  /// What a node is now.
  func properties(of node: Int32) -> ViewProperties { properties[node] ?? configured(node) }

  /// What a node was described as at first.
  func configured(_ node: Int32) -> ViewProperties {
    Int(node) < windowCount
      ? paths.description.windows[Int(node)].properties
      : paths.description.views[Int(node) - windowCount].properties
  }

  /// Gives a node other properties; nil for those that it was described with.
  mutating func setProperties(of node: Int32, _ properties: ViewProperties?) {
    self.properties[node] = properties
  }

  /// Gives a window another level; nil for the one that it was described with.
  mutating func setLevel(of window: Int32, _ level: Int?) { levels[window] = level }

  /// The node at a path relative to another.
  func find(_ path: String, from node: Int32) -> Int32? {
    paths.find((self.path(of: node) + "/" + path)[...])
  }

  /// Enters a node under its path; false where another has that path.
  mutating func enter(_ node: Int32) -> Bool { paths.insert(node) }

  /// Finds a view's superview among the nodes that were entered; false where there is none.
  mutating func link(_ node: Int32, to superview: Substring) -> Bool {
    parents[Int(node)] = paths.find(superview) ?? -2
    return parents[Int(node)] >= 0
  }
}
