public import TouchModel

/// A layout whose views are changed while it is in force. What was set lies over what is
/// configured, by path; a change lays the views out anew from what was checked and found before.
public struct LayoutEditor: Sendable {
  /// Why a batch of changes was refused; nothing of it is in force.
  public struct Refusal: Error, Equatable, Sendable {
    /// Which of its changes is at fault, from 0; nil where it is only all of them together.
    public var change: Int?
    /// What is wrong, such as `1.5 is not from 0 to 1`.
    public var message: String
    /// Whether it is that there is no such window or view.
    public var isUnknown = false
  }

  /// The layout with everything that was set.
  public private(set) var layout: Layout
  /// Its description: the configuration's, with what was set.
  private var builder: LayoutBuilder
  /// The nodes in pre-order.
  private var order: [Int32]
  private var overrides: [Int32: ViewOverrides] = [:]
  /// What a batch has changed, to be undone: of each node what it was.
  private var undo: [(node: Int32, overrides: ViewOverrides?)] = []
  private var isReordered = false
  /// What is staged, resolved; nil once more is staged.
  private var resolved: (parts: LayoutBuilder.Parts, order: [Int32])?
  private var lastNumber: UInt64 = 0

  /// An editor of a layout in which nothing is set.
  ///
  /// - Parameters:
  ///   - layout: What was made of the description.
  ///   - description: A valid one, by the same limits.
  public init(_ layout: Layout, of description: LayoutDescription, limits: LayoutLimits = .default)
  {
    self.layout = layout
    builder = LayoutBuilder(description, limits: limits)
    builder.check()
    order = builder.preorder()
    precondition(builder.problems.isEmpty, "an editor is made of a valid description")
  }

  /// Whether nothing is set.
  public var isEmpty: Bool { overrides.isEmpty }

  /// What is set, view by view, as the changes that set all of it where nothing is: places among
  /// siblings come last, in the order in which they were set.
  public var changes: [ViewChange] {
    let set = overrides.map { (path: builder.path(of: $0.key), overrides: $0.value) }
    let places = set.compactMap { path, overrides in overrides.order.map { (path, $0) } }
      .sorted { $0.1.number < $1.1.number }
      .map { ViewChange($0, .order($1.place)) }
    return set.sorted { $0.path < $1.path }.flatMap { path, overrides in
      overrides.properties.map { ViewChange(path, $0) }
    } + places
  }

  /// Goes over to another configuration's layout: what was set holds on where its view is still
  /// there.
  ///
  /// - Returns: The paths of which what was set is not possible there and was dropped.
  public mutating func move(
    to layout: Layout, of description: LayoutDescription, limits: LayoutLimits
  ) -> [String] {
    var next = LayoutEditor(layout, of: description, limits: limits)
    next.lastNumber = lastNumber
    let set = overrides.map { (path: builder.path(of: $0.key), overrides: $0.value) }
      .filter { next.builder.paths.find($0.path[...]) != nil }.sorted { $0.path < $1.path }
    defer { self = next }
    if next.take(set) { return [] }
    return set.filter { !next.take([$0]) }.map(\.path)
  }

  /// Applies batches of changes, each whole or not at all, and lays the views out once.
  ///
  /// - Returns: For each batch why it was refused; nil where it is in force.
  public mutating func apply(_ batches: [[ViewChange]]) -> [Refusal?] {
    defer { finish() }
    return batches.map { batch in
      let start = undo.count
      if let refusal = stage(batch) { return refusal }
      // Whether a batch is possible must not depend on those that happened to come with it.
      guard batch.contains(where: \.property.mayBreakLayout) else { return nil }
      let problems = resolve()
      if problems.isEmpty { return nil }
      roll(backTo: start)
      return refusal(of: batch, problems)
    }
  }

  /// Takes a batch in without laying out; where a change is not possible, none of it.
  private mutating func stage(_ batch: [ViewChange]) -> Refusal? {
    let start = undo.count
    for (index, change) in batch.enumerated() {
      guard let node = builder.paths.find(change.path[...]) else {
        roll(backTo: start)
        return Refusal(change: index, message: unknown(change.path), isUnknown: true)
      }
      lastNumber += 1
      var new = overrides[node] ?? ViewOverrides()
      new.take(change.property, number: lastNumber)
      put(new, node)
      builder.checkProperties(of: node)
      if let problem = builder.takeProblems().first {
        roll(backTo: start)
        return Refusal(change: index, message: problem.message)
      }
    }
    return nil
  }

  /// Resolves everything staged; what is wrong with it.
  private mutating func resolve() -> [LayoutError.Problem] {
    let order = isReordered ? builder.preorder() : order
    resolved = (builder.resolve(order), order)
    return builder.takeProblems()
  }

  /// Makes the layout of everything staged, which is possible.
  private mutating func finish() {
    if undo.isEmpty { return isReordered = false }
    if resolved == nil {
      let problems = resolve()
      precondition(problems.isEmpty, "what is staged was checked")
    }
    if let (parts, order) = resolved {
      layout = Layout(parts, like: layout, hasSameTree: !isReordered)
      self.order = order
    }
    resolved = nil
    undo.removeAll()
    isReordered = false
  }

  private mutating func take(_ set: [(path: String, overrides: ViewOverrides)]) -> Bool {
    for (path, overrides) in set {
      guard let node = builder.paths.find(path[...]) else { continue }
      put(overrides, node)
    }
    let isPossible = resolve().isEmpty
    if !isPossible { roll(backTo: 0) }
    finish()
    return isPossible
  }

  private mutating func put(_ new: ViewOverrides, _ node: Int32) {
    undo.append((node, overrides[node]))
    write(new == ViewOverrides() ? nil : new, node)
  }

  private mutating func write(_ new: ViewOverrides?, _ node: Int32) {
    if overrides[node]?.order != new?.order { isReordered = true }
    resolved = nil
    overrides[node] = new
    builder.placements[node] = new?.order
    builder.setProperties(of: node, (new ?? ViewOverrides()).applied(to: builder.configured(node)))
  }

  private mutating func roll(backTo start: Int) {
    while undo.count > start {
      let (node, before) = undo.removeLast()
      write(before, node)
    }
  }

  private func unknown(_ path: String) -> String {
    if layout.responder(at: path) != nil {
      return "\"\(path)\" is no window and no view, which alone can be changed"
    }
    let nearest = layout.nearestPath(to: path).map { "; the nearest is \"\($0)\"" }
    return "no window or view is named \"\(path)\""
      + (nearest ?? "; `touchroute tree` lists them all")
  }

  private func refusal(of batch: [ViewChange], _ problems: [LayoutError.Problem]) -> Refusal {
    for problem in problems {
      if let index = batch.lastIndex(where: { change in
        change.property.name == problem.key
          && builder.paths.find(change.path[...]).map(builder.subject(of:)) == problem.subject
      }) {
        return Refusal(change: index, message: problem.message)
      }
    }
    let problem = problems[0]
    let path = builder.path(of: problem.subject).map { "\"\($0)\": " } ?? ""
    let key = problem.key.map { "\($0): " } ?? ""
    return Refusal(change: nil, message: path + key + problem.message)
  }
}
