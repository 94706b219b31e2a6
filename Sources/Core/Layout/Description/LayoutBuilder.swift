import TouchModel

/// A description that is checked once, and resolved anew as often as its properties and its order
/// are changed. Rule L6.
struct LayoutBuilder: Sendable {
  let limits: LayoutLimits
  private var nodes: LayoutNodes
  /// The nodes that have another index among their siblings than the description gives them.
  var placements = NodeOrder()
  private(set) var problems = LayoutProblems()

  init(_ description: LayoutDescription, limits: LayoutLimits) {
    self.limits = limits
    nodes = LayoutNodes(description)
  }

  /// The description of a layout, which needs no further check; or one that goes on behind it,
  /// by the same limits, of which only the rest is to be checked.
  init(_ description: LayoutDescription, of layout: Layout, limits: LayoutLimits) {
    self.limits = limits
    nodes = LayoutNodes(description, of: layout)
  }

  var paths: PathTable { nodes.paths }
  var screens: [Screen] { nodes.screens }
  var applications: [String] { nodes.applications }
  var windowCount: Int { nodes.windowCount }

  func path(of node: Int32) -> String { nodes.path(of: node) }
  func path(of subject: LayoutError.Problem.Subject) -> String? { nodes.path(of: subject) }
  func subject(of node: Int32) -> LayoutError.Problem.Subject { nodes.subject(of: node) }
  func properties(of node: Int32) -> ViewProperties { nodes.properties(of: node) }
  func configured(_ node: Int32) -> ViewProperties { nodes.configured(node) }
  func window(_ node: Int32) -> LayoutDescription.Window? { nodes.window(node) }

  mutating func setProperties(of node: Int32, _ properties: ViewProperties?) {
    nodes.setProperties(of: node, properties)
  }

  mutating func setLevel(of window: Int32, _ level: Int?) {
    nodes.setLevel(of: window, level)
  }

  /// The problems, which are forgotten.
  mutating func takeProblems() -> [LayoutError.Problem] { problems.take() }

  /// Everything that can be said before the frames are resolved; comes before all else.
  mutating func check() {
    problems.append(LayoutChecker.check(&nodes, limits))
  }

  /// What is wrong with a node's properties, each for itself, and what they name that is not there.
  mutating func checkProperties(of node: Int32) {
    for (key, message) in PropertyRules.breaches(nodes.properties(of: node), limits) {
      problems.report(nodes.subject(of: node), key, message)
    }
    problems.append(LayoutChecker.checkReferences(nodes, of: node))
  }

  /// The nodes in pre-order, windows from back to front; a description beyond the limit of depth is
  /// a problem. Asks for a description without problems.
  mutating func preorder() -> [Int32] {
    let order = placements.preorder(nodes)
    problems.append(LayoutChecker.checkDepth(nodes, order: order, limits))
    return order
  }

  /// Lays the nodes out in their order; what a resolved frame or transform can't be is a problem.
  mutating func resolve(_ viewOrder: ViewOrder) -> LayoutParts {
    let (parts, problems) = LayoutResolver.resolve(nodes, by: viewOrder, limits)
    self.problems.append(problems)
    return parts
  }

  /// Lays nodes out anew in a layout, and what depends on them; what a resolved frame or transform
  /// can't be is a problem.
  mutating func resolve(_ changed: [Int32], by viewOrder: ViewOrder, in patch: inout LayoutPatch) {
    problems.append(patch.resolve(changed, of: nodes, by: viewOrder, limits))
  }
}
