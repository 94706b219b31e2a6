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
    /// Whether it is that its setter may not: the window would reach beyond its area, or what
    /// others keep secure would not be that. Rules L6 and F7.
    public var isForbidden = false
    /// Whether it is that a limit would be exceeded. Rule F5.
    public var isBeyondLimit = false
  }

  /// The layout with everything that was set.
  public private(set) var layout: Layout
  /// The layout in which nothing is set.
  let base: ExtendedLayout
  /// Its description: the configuration's, with what was set.
  private var builder: LayoutBuilder
  private(set) var overrides: [Int32: ViewOverrides] = [:]
  /// What it may cost a lookup that each has set.
  private var lookupCosts = Charges<LayoutSetter>()
  /// What is charged for what is set, in bytes. Rule F5.
  private var keptBytes = Charges<LayoutSetter>()
  /// What a batch has changed, to be undone: of each node what it was.
  private var undo: [(node: Int32, overrides: ViewOverrides?)] = []
  /// Whether views may have other places in what is staged, so that all are laid out anew.
  private var isReordered = false
  private var staged = Staged.nothing
  private var lastNumber: UInt64 = 0

  /// What is staged, laid out.
  private enum Staged {
    case nothing
    /// It is possible, and has yet to be laid out.
    case stale
    case patch(LayoutPatch)
    case whole(LayoutParts, ViewOrder)
  }

  /// An editor of a layout in which nothing is set.
  ///
  /// - Parameters:
  ///   - layout: What was made of the description.
  ///   - description: A valid one, by the same limits.
  public init(_ layout: Layout, of description: LayoutDescription, limits: LayoutLimits = .default)
  {
    self.init(ExtendedLayout(layout, of: description, limits: limits))
  }

  /// An editor of a layout in which nothing is set.
  init(_ base: ExtendedLayout) {
    self.base = base
    layout = base.layout
    builder = LayoutBuilder(base.description, of: base.layout, limits: base.limits)
    precondition(
      base.description.windows.count + base.description.views.count == layout.viewCount,
      "an editor is made of a layout and the description of it")
  }

  /// The views that were added to what is configured, in the order in which they were.
  public var added: [AddedView] { base.added }

  /// How many of them each has added.
  public var addedCounts: [LayoutSetter: Int] { base.addedCounts }

  /// What it may cost a lookup that some have added or set.
  func lookupCost(of isMeant: (LayoutSetter) -> Bool) -> Int {
    lookupCosts.sum(where: isMeant) + base.lookupCosts.sum(where: isMeant)
  }

  /// What is charged for all that is set and added, but for what the control socket has set, in
  /// bytes. Rule F5.
  public var allKeptBytes: Int { keptBytes.all + base.keptBytes.all }

  /// The same for what those setters have set and added.
  public func keptBytes(where isMeant: (LayoutSetter) -> Bool) -> Int {
    keptBytes.sum(where: isMeant) + base.keptBytes.sum(where: isMeant)
  }

  /// How many things those setters have set and added, at most.
  public func count(where isMeant: (LayoutSetter) -> Bool) -> Int {
    keptBytes.sum(where: isMeant) / KeptBytes.ofSetting
      + base.keptBytes.sum(where: isMeant) / KeptBytes.ofView
  }

  /// How many setters have set or added something, at most.
  public var setterCount: Int { keptBytes.payerCount + base.keptBytes.payerCount }

  /// Whether nothing is set or added.
  public var isEmpty: Bool { overrides.isEmpty && added.isEmpty }

  /// What changes of it would take.
  public var reach: EditReach { EditReach(layout: layout, overrides: overrides, added: added) }

  /// What is set, as the changes that set all of it where nothing is, in their order.
  public var changes: [SetChange] {
    var changes: [(number: UInt64, change: SetChange)] = []
    for (node, overrides) in overrides {
      let path = builder.path(of: node)
      // One change made all that is as configured by one number.
      var masks: Set<UInt64> = []
      for entry in overrides.entries {
        if entry.property == nil, !masks.insert(entry.number).inserted { continue }
        let change = ViewChange(path, entry.property ?? .configured)
        changes.append((entry.number, SetChange(change, by: entry.setter)))
      }
    }
    return changes.sorted { $0.number < $1.number }.map(\.change)
  }

  /// Goes over to another configuration's layout: what was added stays where its superview does,
  /// and what was set holds on where its view is still there, and the window's area is not
  /// exceeded.
  ///
  /// - Returns: The paths of which what was set or added is not possible there and was dropped.
  public mutating func move(
    to layout: Layout, of description: LayoutDescription, limits: LayoutLimits
  ) -> [String] {
    let next = ExtendedLayout(layout, of: description, limits: limits)
    return goOver(to: next.addingPossible(of: added.fitting(layout)))
  }

  /// Goes over to another layout in which nothing is set: what is set here holds on where it is
  /// possible.
  ///
  /// - Returns: The paths of which what was set or added is not there and was dropped.
  private mutating func goOver(to other: ExtendedLayout) -> [String] {
    var next = LayoutEditor(other)
    let kept = Set(next.added.map(\.view.path))
    let lost = added.map(\.view.path).filter { !kept.contains($0) }
    let dropped = next.takeOver(self)
    self = next
    return lost + dropped + dropBeyondAreas()
  }

  /// Takes over what is set of views that are here too, but for those paths; the paths of what is
  /// not possible here.
  mutating func takeOver(_ other: LayoutEditor, without gone: Set<String> = []) -> [String] {
    lastNumber = other.lastNumber
    let set = other.overrides.map { (path: other.builder.path(of: $0.key), overrides: $0.value) }
      .filter { !gone.contains($0.path) && builder.paths.find($0.path[...]) != nil }.sorted {
        $0.path < $1.path
      }
    return take(set) ? [] : set.filter { !take([$0]) }.map(\.path)
  }

  /// Applies batches of changes of lasting effect, each whole or not at all, and lays the views out
  /// once.
  ///
  /// - Returns: For each batch why it was refused; nil where it is in force.
  public mutating func apply(_ batches: [[ViewChange]]) -> [Refusal?] {
    apply(batches.map { batch in batch.map { SetChange($0, by: .administrator(0)) } })
  }

  /// Applies batches of changes, each whole or not at all, and lays the views out once.
  ///
  /// - Parameters:
  ///   - mayHave: Whether somebody may have the touches of the secure view of a path: the others
  ///     may take nothing from it. Rule F7.
  ///   - budgets: For each batch what its user's views may cost a lookup. Rule F5.
  ///   - charge: Is told how many bytes more are charged to the setters of a batch, by its number;
  ///     why they may not, or nil. Rule F5.
  /// - Returns: For each batch why it was refused; nil where it is in force.
  public mutating func apply(
    _ batches: [[SetChange]], sparing mayHave: SecureViewClaim = { _, _ in true },
    within budgets: [LookupBudget?] = [],
    charging charge: (Int, Int) -> String? = { _, _ in nil }
  ) -> [Refusal?] {
    defer { finish() }
    var refusals: [Refusal?] = []
    for (number, batch) in batches.enumerated() {
      let budget = budgets.indices.contains(number) ? budgets[number] : nil
      refusals.append(apply(batch, mayHave, budget) { charge(number, $0) })
    }
    return refusals
  }

  /// Stages a batch, where it is possible and allowed; else why it is not.
  private mutating func apply(
    _ batch: [SetChange], _ mayHave: SecureViewClaim, _ budget: LookupBudget?,
    charging charge: (Int) -> String?
  ) -> Refusal? {
    // With what is staged before it: a batch must not take back what an earlier one has taken away.
    let isConfined = batch.contains {
      $0.setter.confinement > 0 && $0.change.property.extendsReach
    }
    let earlier = isConfined ? stagedLayout() : layout
    let before = (undo.count, staged, isReordered)
    let setters = Set(batch.map(\.setter))
    let bytes = setters.reduce(0) { $0 + keptBytes[$1] }
    guard
      let refusal = stage(batch) ?? refusalOfCost(batch, budget)
        ?? refusal(ofStaged: batch, from: before.0, earlier) ?? refusalOfCover(batch, mayHave)
        ?? charge(setters.reduce(-bytes) { $0 + keptBytes[$1] }).map({
          Refusal(message: $0, isBeyondLimit: true)
        })
    else { return nil }
    roll(backTo: before.0)
    (_, staged, isReordered) = before
    return refusal
  }

  /// Takes back what fulfils the condition, of which setter and path it is, and lays the views out
  /// once: what lies beneath it is in force again.
  ///
  /// - Returns: The paths of which what was set beside it is not possible without it and was
  ///   dropped too.
  public mutating func end(where isOver: (LayoutSetter, String) -> Bool) -> [String] {
    end(added: isOver) { isOver($0.setter, $1) }
  }

  /// The same of views that were added, and of each thing that is set.
  mutating func end(
    added isGone: (LayoutSetter, String) -> Bool,
    settings isOver: (ViewOverrides.Entry, String) -> Bool
  ) -> [String] {
    let rest = added.removing { isGone($0.setter, $0.view.path) }
    let isEnding = leaveOut(isOver) || rest.count < added.count
    guard isEnding else { return [] }
    if rest.count == added.count, resolve(from: 0).isEmpty {
      finish()
      return dropBeyondAreas()
    }
    let ended = Set(added.map(\.view.path)).subtracting(rest.map(\.view.path))
    let next = ended.isEmpty ? base : base.addingPossible(of: rest)
    return goOver(to: next).filter { !ended.contains($0) }
  }

  /// Takes settings away without laying out; whether there were any.
  private mutating func leaveOut(_ isOver: (ViewOverrides.Entry, String) -> Bool) -> Bool {
    let start = undo.count
    for (node, old) in overrides {
      let path = builder.path(of: node)
      var new = old
      new.removeAll { isOver($0, path) }
      if new != old { put(new, node) }
    }
    return undo.count > start
  }

  /// The layout with everything that is staged, without what some have set and added; what they
  /// have added and another view lies in stays.
  func layout(without isMeant: (LayoutSetter) -> Bool, around path: String) -> Layout {
    var other = self
    let start = undo.count
    _ = other.leaveOut { entry, _ in isMeant(entry.setter) }
    let rest = added.removing { isMeant($0.setter) && !path.lies(in: $0.view.path[...]) }
    if rest.count == added.count, other.resolve(from: start).isEmpty {
      return other.stagedLayout()
    }
    var next = LayoutEditor(base.addingPossible(of: rest))
    _ = next.takeOver(other)
    return next.layout
  }

  /// Takes a batch in without laying out, up to a change that is not possible.
  private mutating func stage(_ batch: [SetChange]) -> Refusal? {
    for (index, set) in batch.enumerated() {
      let change = set.change
      guard let node = builder.paths.find(change.path[...]) else {
        return Refusal(
          change: index, message: NearestPath.words(ofUnknown: change.path, in: layout),
          isUnknown: true)
      }
      let isWindow = Int(node) < builder.windowCount
      if let message = change.property.problem(ofWindow: isWindow) {
        return Refusal(change: index, message: message)
      }
      lastNumber += 1
      var new = overrides[node] ?? ViewOverrides()
      new.take(set, number: lastNumber, isWindow: isWindow)
      put(new, node)
      guard let (message, isForbidden) = problem(with: set, of: node) else { continue }
      return Refusal(change: index, message: message, isForbidden: isForbidden)
    }
    return nil
  }

  /// Why a batch is refused because of what it would cost a lookup. Rule F5.
  private func refusalOfCost(_ batch: [SetChange], _ budget: LookupBudget?) -> Refusal? {
    guard let change = batch.lastIndex(where: { $0.change.property.lookupCost > 0 }),
      let message = budget?.excess(in: self)
    else { return nil }
    return Refusal(change: change, message: message, isBeyondLimit: true)
  }

  /// Lays out what a batch has staged from a place of the list of what is to be undone. Whether a
  /// batch is possible must not depend on those that happened to come with it.
  private mutating func refusal(
    ofStaged batch: [SetChange], from start: Int, _ earlier: Layout
  ) -> Refusal? {
    if isReordered, !batch.contains(where: \.change.property.mayBreakLayout) {
      staged = .stale
      return refusalOfReach(batch, earlier)
    }
    let problems = resolve(from: start)
    return problems.isEmpty ? refusalOfReach(batch, earlier) : refusal(of: batch, problems)
  }

  /// What is wrong with a change that is staged, and whether it is that its setter may not.
  private mutating func problem(with set: SetChange, of node: Int32) -> (String, Bool)? {
    if set.change.property == .secure(false), builder.properties(of: node).secure {
      return (
        "others keep it secure; only the control socket can change that, and users that an "
          + "[[access]] rule for it names", true
      )
    }
    builder.checkProperties(of: node)
    return builder.takeProblems().first.map { ($0.message, false) }
  }

  /// Lays out what is staged from a place of the list of what is to be undone; what is wrong with
  /// it.
  private mutating func resolve(from start: Int) -> [LayoutError.Problem] {
    guard !isReordered else {
      let viewOrder = ViewOrder(builder.preorder())
      staged = .whole(builder.resolve(viewOrder), viewOrder)
      return builder.takeProblems()
    }
    var patch = LayoutPatch(layout)
    if case .patch(let earlier) = staged { patch = earlier }
    builder.resolve(undo[start...].map(\.node), by: layout.viewOrder, in: &patch)
    staged = .patch(patch)
    return builder.takeProblems()
  }

  /// Makes the layout of everything staged, which is possible.
  private mutating func finish() {
    if !undo.isEmpty { layout = stagedLayout() }
    staged = .nothing
    undo.removeAll()
    isReordered = false
  }

  private mutating func take(_ set: [(path: String, overrides: ViewOverrides)]) -> Bool {
    for (path, overrides) in set {
      guard let node = builder.paths.find(path[...]) else { continue }
      put(overrides, node)
    }
    let isPossible = resolve(from: 0).isEmpty
    if !isPossible { roll(backTo: 0) }
    finish()
    return isPossible
  }

  private mutating func put(_ new: ViewOverrides, _ node: Int32) {
    undo.append((node, overrides[node]))
    write(new.isEmpty ? nil : new, node)
  }

  private mutating func write(_ new: ViewOverrides?, _ node: Int32) {
    let old = overrides[node]
    if old?.order != new?.order || old?.level != new?.level { isReordered = true }
    if old?.level != new?.level { builder.setLevel(of: node, new?.level) }
    overrides[node] = new
    for (set, factor) in [(old, -1), (new, 1)] {
      set?.charge(to: &lookupCosts, times: factor) { $0?.lookupCost ?? 0 }
      set?.charge(to: &keptBytes, times: factor, KeptBytes.of)
    }
    builder.placements[node] = new?.order
    builder.setProperties(of: node, new?.applied(to: builder.configured(node)))
  }

  private mutating func roll(backTo start: Int) {
    while undo.count > start {
      let (node, before) = undo.removeLast()
      write(before, node)
    }
  }

  private func refusal(of batch: [SetChange], _ problems: [LayoutError.Problem]) -> Refusal {
    for problem in problems {
      if let index = batch.lastIndex(where: { set in
        set.change.property.name == problem.key
          && builder.paths.find(set.change.path[...]).map(builder.subject(of:)) == problem.subject
      }) {
        return Refusal(change: index, message: problem.message)
      }
    }
    let problem = problems[0]
    let path = builder.path(of: problem.subject).map { "\"\($0)\": " } ?? ""
    let key = problem.key.map { "\($0): " } ?? ""
    return Refusal(change: nil, message: path + key + problem.message)
  }

  /// Why a batch is refused because it would take touches from secure views. Rule F7.
  private mutating func refusalOfCover(
    _ batch: [SetChange], _ mayHave: SecureViewClaim
  ) -> Refusal? {
    let changes = batch.indices.filter { batch[$0].change.property.mayTakeTouches }
    if changes.isEmpty { return nil }
    let after = stagedLayout()
    if after.hasNoSecureView { return nil }
    let candidates = changes.map { index in
      let change = batch[index].change
      return CoverCandidate(
        step: index, path: change.path, mayReorder: change.property.kind.mayReorder)
    }
    return refusalOfCover(candidates, by: Set(batch.map(\.setter)), in: after, mayHave)
  }

  // MARK: - Areas

  /// Why a batch is refused because a window, or a view that a rule is about, would take touches
  /// outside of its area, and did not in an earlier layout. Rule L6.
  private mutating func refusalOfReach(_ batch: [SetChange], _ earlier: Layout) -> Refusal? {
    var seen: Set<Substring> = []
    for (index, set) in batch.enumerated().reversed()
    where set.setter.confinement > 0 && set.change.property.extendsReach {
      let root = set.change.path.names(set.setter.confinement)
      guard seen.insert(root).inserted, let excess = excess(of: root, before: earlier) else {
        continue
      }
      return Refusal(change: index, message: excess, isForbidden: true)
    }
    return nil
  }

  /// What of a window or a view reaches beyond its area with what is staged, in words; nil where
  /// nothing does.
  mutating func excess(of path: Substring, before: Layout?) -> String? {
    path.contains("/") ? excess(ofView: path) : excess(ofWindow: path, before: before)
  }

  private mutating func excess(ofView path: Substring) -> String? {
    guard let node = builder.paths.find(path) else { return nil }
    let staged = stagedLayout()
    guard let view = staged.view(at: String(path)) else { return nil }
    let names = path.count { $0 == "/" } + 1
    var given = [builder.configured(node)]
    if let set = overrides[node] {
      given.append(set.applied(to: given[0]) { $0.confinement < names })
    }
    return ViewArea(
      configured: base.original, staged: staged, view: view, now: builder.properties(of: node),
      given: given
    ).excess
  }

  private mutating func excess(ofWindow name: Substring, before: Layout?) -> String? {
    guard let window = builder.paths.find(name), let description = builder.window(window) else {
      return nil
    }
    var lasting = [builder.configured(window)]
    if let set = overrides[window] {
      lasting.append(set.applied(to: lasting[0]) { $0.confinement < 1 })
    }
    let area = WindowArea(
      configured: base.original, before: before, window: description, lasting: lasting)
    return area.excess { stagedLayout() }
  }

  /// The layout with everything that is staged.
  private mutating func stagedLayout() -> Layout {
    if case .stale = staged { _ = resolve(from: 0) }
    return switch staged {
    case .nothing, .stale: layout
    case .patch(let patch): Layout(patch, of: layout)
    case .whole(let parts, let viewOrder): Layout(parts, by: viewOrder, like: layout)
    }
  }

  /// Drops what those who are kept within areas have made of windows and views that reach beyond
  /// theirs, as configured and as those above have made them: of outer ones first; the paths.
  public mutating func dropBeyondAreas() -> [String] {
    var roots = Set(
      added.filter { !$0.setter.isAdministrator }.map { $0.view.path.names(1) })
    for (node, set) in overrides {
      let path = builder.path(of: node)
      for entry in set.entries where entry.setter.confinement > 0 {
        roots.insert(path.names(entry.setter.confinement))
      }
    }
    var dropped: [String] = []
    let order = roots.map { (path: String($0), names: $0.count { $0 == "/" } + 1) }
      .sorted { ($0.names, $0.path) < ($1.names, $1.path) }
    for root in order where isBeyondArea(root.path[...]) {
      dropped.append(root.path)
      _ = end { setter, path in
        setter.confinement == root.names && (path == root.path || path.hasPrefix(root.path + "/"))
      }
    }
    return dropped
  }

  private mutating func isBeyondArea(_ path: Substring) -> Bool {
    if excess(of: path, before: nil) == nil { return false }
    // Those above may have set views outside that nothing clips.
    let others = layout(without: { $0.confinement > 0 }, around: "")
    return excess(of: path, before: others) != nil
  }
}
