import TouchModel

/// What is to be once all steps of a batch are made: which views are added, and what is set.
struct EditBatch {
  typealias Refusal = LayoutEditor.Refusal

  /// The views that are to be added to what is configured, those of earlier batches among them.
  private(set) var views: [AddedView]
  /// What is to be set, and with which step.
  private(set) var changes: [(change: SetChange, step: Int)] = []
  /// For each of the views the step that adds it; nil for those of earlier batches.
  private var steps: [Int?]
  /// The paths at which a view was removed: what was set there is over, also where one is added.
  private(set) var removed: Set<String> = []
  private let setter: LayoutSetter
  /// Where each of the views is, and those that lie in each path; empty where none is removed.
  private var indicesByPath: [Substring: [Int]] = [:]
  private var subviews: [Substring: [Int]] = [:]

  /// A batch without steps, by somebody, where those views were added before.
  init(to added: [AddedView], by setter: LayoutSetter) {
    views = added
    steps = Array(repeating: nil, count: added.count)
    self.setter = setter
  }

  /// Takes steps in, up to one that is not possible in the layout in force.
  mutating func take(_ edits: [ViewEdit], in layout: Layout) -> Refusal? {
    let hasRemovals = edits.contains { if case .remove = $0 { true } else { false } }
    if hasRemovals { for index in views.indices { note(index) } }
    var gone: Set<Int> = []
    var free: Set<String> = []
    for (step, edit) in edits.enumerated() {
      switch edit {
      case .add(let view):
        // What is there is not to be removed under cover of one of its path.
        if hasRemovals, isTaken(view.path, free, in: layout) {
          return Refusal(change: step, message: "there is another view \"\(view.path)\"")
        }
        views.append(AddedView(view, by: setter))
        steps.append(step)
        if hasRemovals { note(views.count - 1) }
      case .change(let change): changes.append((SetChange(change, by: setter), step))
      case .set(let set): changes.append((set, step))
      case .remove(let path):
        guard let found = indicesByPath.removeValue(forKey: path[...]) else {
          return refusal(ofRemoving: path, step, in: layout)
        }
        remove(found, &gone, &free)
      }
    }
    guard !gone.isEmpty else { return nil }
    removed = Set(gone.map { views[$0].view.path })
    let kept = views.indices.filter { !gone.contains($0) }
    views = kept.map { views[$0] }
    steps = kept.map { steps[$0] }
    return nil
  }

  /// Whether there is a view of that path: one that was there before, unless a step has removed it,
  /// or one that a step adds.
  private func isTaken(_ path: String, _ free: Set<String>, in layout: Layout) -> Bool {
    indicesByPath[path[...]] != nil || layout.view(at: path) != nil && !free.contains(path)
  }

  private mutating func note(_ index: Int) {
    indicesByPath[views[index].view.path[...], default: []].append(index)
    subviews[views[index].superview, default: []].append(index)
  }

  /// Removes views and what lies in them: each of them once, however many there are.
  private mutating func remove(
    _ indices: [Int], _ gone: inout Set<Int>, _ free: inout Set<String>
  ) {
    var left = indices
    while let index = left.popLast() {
      gone.insert(index)
      let path = views[index].view.path[...]
      free.insert(String(path))
      indicesByPath[path] = nil
      left += subviews.removeValue(forKey: path) ?? []
    }
  }

  private func refusal(ofRemoving path: String, _ step: Int, in layout: Layout) -> Refusal {
    if layout.view(at: path) == nil {
      return Refusal(
        change: step, message: NearestPath.words(ofUnknown: path, in: layout), isUnknown: true)
    }
    return Refusal(
      change: step, message: "\"\(path)\" is configured, and only what was added can be removed",
      isForbidden: true)
  }

  /// Why the views can't be, by the step that is at fault.
  func refusal(of error: LayoutError, configuredViews: Int) -> Refusal {
    for problem in error.problems {
      guard case .view(let index) = problem.subject, index >= configuredViews else { continue }
      let number = index - configuredViews
      let key = problem.key.map { $0 == "path" ? "" : "\($0): " } ?? ""
      let path = steps[number] == nil ? "\"\(views[number].view.path)\": " : ""
      return Refusal(change: steps[number], message: path + key + problem.message)
    }
    // An error has a problem: it is thrown because there are some.
    return Refusal(change: nil, message: error.problems[0].message)
  }

  /// The windows to which the batch adds views, each with the first step that does; none where its
  /// setter may have them reach anywhere.
  var windows: [(name: Substring, step: Int)] {
    var seen: Set<Substring> = []
    return zip(views, steps).compactMap { view, step in
      guard let step, !setter.isAdministrator else { return nil }
      let name = view.view.path.prefix { $0 != "/" }
      return seen.insert(name).inserted ? (name, step) : nil
    }
  }
}
