import TouchModel

/// The windows and views of a description, each of which is a node: windows come first, then views.
struct LayoutNodes: Sendable {
  typealias Subject = LayoutError.Problem.Subject

  /// What is described now; ``paths`` has it as it was at first.
  private(set) var description: LayoutDescription
  /// The nodes that were entered, by their paths.
  private(set) var paths: PathTable
  /// For each node its superview; -1 for a window, -2 where it is not known.
  private(set) var parents: [Int32]
  /// The applications that windows name, in the windows' order.
  let applications: [String]
  private let applicationIndices: [String: Int]

  init(_ description: LayoutDescription) {
    self.description = description
    paths = PathTable(description)
    parents = Array(repeating: -1, count: description.windows.count + description.views.count)
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

  var windowCount: Int { description.windows.count }
  var count: Int { description.windows.count + description.views.count }

  func path(of node: Int32) -> String { paths.path(of: node) }

  /// The window that a node is; nil for a view.
  func window(_ node: Int32) -> LayoutDescription.Window? {
    Int(node) < windowCount ? description.windows[Int(node)] : nil
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
    case .window(let index): description.windows[index].name
    case .view(let index): description.views[index].path
    case .screen, .layout: nil
    }
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

  /// Gives a window another level; nil for the one that it was described with.
  mutating func setLevel(of window: Int32, _ level: Int?) {
    let window = Int(window)
    description.windows[window].level = level ?? paths.description.windows[window].level
  }

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
