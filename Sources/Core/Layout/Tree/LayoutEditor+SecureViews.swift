import TouchModel

/// What secure views lose by what is set and added, and how they get it back. Rule F7.
extension LayoutEditor {
  /// Whether somebody who has set or added something may have the touches of the secure view of a
  /// path. Rules F6 and F8.
  public typealias SecureViewClaim = (LayoutSetter, String) -> Bool

  /// A view that is changed or added, and with which change or step of a batch.
  struct CoverCandidate {
    let step: Int
    let path: String
    /// Whether other views may be in front with it.
    let mayReorder: Bool
  }

  /// What those have set and added who may not have the touches of a secure view.
  private final class Foreign {
    let setters: Set<LayoutSetter>
    private(set) var changed = SortedViews([])
    /// What is changed or added.
    private(set) var views = SortedViews([])
    private(set) var takers: [SecureCover.Taker] = []
    /// Whether views that they have not changed may be in front by it.
    private(set) var mayReorder = false
    private let editor: LayoutEditor
    /// The paths of what they have added.
    private let addedPaths: Set<Substring>
    private var references: [Substring: Layout] = [:]

    /// - Parameters:
    ///   - changed: All views of which something is set, and what is.
    ///   - added: All views that were added, and by whom.
    ///   - hasOrder: Whether some view has an index among its siblings.
    init(
      by setters: Set<LayoutSetter>, in layout: Layout, of editor: LayoutEditor,
      changed: [(view: ViewIndex, entries: [ViewOverrides.Entry])],
      added: [(view: ViewIndex, setter: LayoutSetter)], hasOrder: Bool
    ) {
      self.setters = setters
      self.editor = editor
      addedPaths = Set(
        editor.added.lazy.filter { setters.contains($0.setter) }.map { $0.view.path[...] })
      if setters.isEmpty { return }
      var views: [ViewIndex] = []
      for (view, entries) in changed {
        let theirs = entries.filter { setters.contains($0.setter) }
        if theirs.isEmpty { continue }
        views.append(view)
        mayReorder = mayReorder || theirs.contains { $0.kind.mayReorder }
      }
      self.changed = SortedViews(views)
      let theirs = added.filter { setters.contains($0.setter) }.map(\.view)
      views += theirs
      self.views = SortedViews(views)
      takers = Set(views).sorted().map { SecureCover.Taker($0, in: layout) }
      // Views with an index among their siblings may be elsewhere among more of these.
      mayReorder = mayReorder || hasOrder && !theirs.isEmpty
    }

    /// The layout without it, but for what they have added and the secure view lies in: made once,
    /// however many views are secure.
    func reference(for securePath: String) -> Layout {
      let place = securePath.pathAndSuperpaths.first(where: addedPaths.contains) ?? ""
      if let reference = references[place] { return reference }
      let reference = editor.layout(without: setters.contains, around: securePath)
      references[place] = reference
      return reference
    }
  }

  /// Who has changed and added what in a layout: looked at once, however many views are secure.
  private struct Changers {
    private let layout: Layout
    private let editor: LayoutEditor
    private var changed: [(view: ViewIndex, entries: [ViewOverrides.Entry])] = []
    private var added: [(view: ViewIndex, setter: LayoutSetter)] = []
    private var setters: Set<LayoutSetter> = []
    private var hasOrder = false
    private var known: [Set<LayoutSetter>: Foreign] = [:]

    /// Of what is set and added, with what is staged.
    init(_ editor: LayoutEditor, in layout: Layout) {
      self.layout = layout
      self.editor = editor
      for (node, set) in editor.overrides {
        hasOrder = hasOrder || set.order != nil
        let entries = set.entries.filter { $0.kind.mayTakeTouches && !$0.setter.isAdministrator }
        if entries.isEmpty { continue }
        changed.append((layout.viewOrder.view(node), entries))
        setters.formUnion(entries.lazy.map(\.setter))
      }
      let first = editor.base.description.windows.count + editor.base.configuredViewCount
      for (number, view) in editor.added.enumerated() {
        added.append((layout.viewOrder.view(Int32(first + number)), view.setter))
        setters.insert(view.setter)
      }
    }

    /// What those have made of the layout who may not have the secure view of a path.
    mutating func foreign(to securePath: String, _ mayHave: SecureViewClaim) -> Foreign {
      let others = setters.filter { !mayHave($0, securePath) }
      if let known = known[others] { return known }
      let foreign = Foreign(
        by: others, in: layout, of: editor, changed: changed, added: added, hasOrder: hasOrder)
      known[others] = foreign
      return foreign
    }
  }

  /// How much is taken back of what they have set and added.
  private enum Extent: CaseIterable {
    /// Of the view that takes touches, and of what lies in it.
    case view
    /// Of all in its window.
    case window
    /// All.
    case everything
  }

  // MARK: - Refusals

  /// Why a batch is refused because it would take touches from secure views.
  ///
  /// - Parameters:
  ///   - setters: Who makes the batch.
  ///   - after: The layout with it.
  func refusalOfCover(
    _ candidates: [CoverCandidate], by setters: Set<LayoutSetter>, in after: Layout,
    _ mayHave: SecureViewClaim
  ) -> Refusal? {
    if after.hasNoSecureView { return nil }
    var changers = Changers(self, in: after)
    let covers = after.secureViews.compactMap { secure -> SecureCover? in
      let path = after.path(of: secure)
      if setters.allSatisfy({ mayHave($0, path) }) { return nil }
      return cover(of: secure, in: after, changers.foreign(to: path, mayHave))
    }
    var first: (index: Int, words: String)?
    let views = candidates.map { after.view(at: $0.path) }
    let isReordered = candidates.contains(where: \.mayReorder)
    for cover in covers {
      let losses = cover.losses(to: views.lazy.compactMap(\.self))
      let words = Dictionary(uniqueKeysWithValues: losses.map { ($0.view, $0.words) })
      let others = isReordered ? cover.losses(to: cover.othersInFront).first?.words : nil
      for index in 0..<(first?.index ?? candidates.count) {
        let own = views[index].flatMap { words[$0] }
        guard let loss = own ?? (candidates[index].mayReorder ? others : nil) else { continue }
        first = (index, loss)
        break
      }
    }
    return first.map {
      Refusal(change: candidates[$0.index].step, message: $0.words, isForbidden: true)
    }
  }

  // MARK: - Taking back

  /// Takes back what those have set and added who may not have the touches of a secure view, as far
  /// as it takes some of these: of the views that do, then of their windows, then all of it.
  ///
  /// It is called after everything that changes the layout, or who may have what: what one
  /// change alone may not do, several may not that come and end.
  ///
  /// - Returns: The paths of the views that took some, and of what is not possible without it.
  public mutating func uncoverSecureViews(for mayHave: SecureViewClaim) -> [String] {
    var paths: [String] = []
    while !isEmpty, !layout.hasNoSecureView {
      let before = settingCount
      var changers = Changers(self, in: layout)
      for secure in layout.secureViews {
        let securePath = layout.path(of: secure)
        if takers(from: secure, changers.foreign(to: securePath, mayHave)).isEmpty { continue }
        paths += uncover(securePath, for: mayHave)
        if settingCount < before { break }
      }
      if settingCount == before { break }
    }
    return paths
  }

  /// How much is set and added.
  private var settingCount: Int {
    overrides.values.reduce(added.count) { $0 + $1.entries.count }
  }

  /// Whether there is something to be taken back.
  public func coversSecureViews(for mayHave: SecureViewClaim) -> Bool {
    if isEmpty || layout.hasNoSecureView { return false }
    var changers = Changers(self, in: layout)
    return layout.secureViews.contains { secure in
      let foreign = changers.foreign(to: layout.path(of: secure), mayHave)
      return !takers(from: secure, foreign).isEmpty
    }
  }

  /// The paths of the views that take touches from a secure one.
  private func takers(from secure: ViewIndex, _ foreign: Foreign) -> [String] {
    if foreign.takers.isEmpty { return [] }
    let cover = cover(of: secure, in: layout, foreign)
    let others = foreign.mayReorder ? cover.losses(to: cover.othersInFront) : []
    return (cover.losses(to: foreign.takers) + others).map { layout.path(of: $0.view) }
  }

  private mutating func uncover(_ securePath: String, for mayHave: SecureViewClaim) -> [String] {
    var paths: [String] = []
    for extent in Extent.allCases {
      guard let secure = layout.view(at: securePath) else { break }
      var changers = Changers(self, in: layout)
      let foreign = changers.foreign(to: securePath, mayHave)
      let takers = takers(from: secure, foreign)
      if takers.isEmpty { break }
      let before = settingCount
      let others = takeBack(extent, of: takers, from: foreign.setters, sparing: securePath)
      if settingCount < before { paths += takers + others }
    }
    return paths
  }

  private mutating func takeBack(
    _ extent: Extent, of takers: [String], from setters: Set<LayoutSetter>,
    sparing securePath: String
  ) -> [String] {
    let roots = Set(takers.map { extent == .window ? $0.names(1) : $0[...] })
    func isMeant(_ path: String) -> Bool {
      switch extent {
      case .view:
        // Of what the secure view lies in only that itself.
        roots.contains(path[...])
          || path.pathAndSuperpaths.contains { roots.contains($0) && !securePath.lies(in: $0) }
      case .window: roots.contains(path.names(1))
      case .everything: true
      }
    }
    return end {
      setters.contains($0) && isMeant($1) && !securePath.lies(in: $1[...])
    } settings: {
      setters.contains($0.setter) && $0.kind.mayTakeTouches && isMeant($1)
    }
  }

  // MARK: - Who has changed what

  private func cover(of secure: ViewIndex, in after: Layout, _ foreign: Foreign) -> SecureCover {
    SecureCover(
      of: secure, in: after, configured: base.original, changed: foreign.changed,
      foreign: foreign.views
    ) { foreign.reference(for: after.path(of: secure)) }
  }
}

extension String {
  /// The path, and those of what its view lies in, innermost first.
  fileprivate var pathAndSuperpaths: some Sequence<Substring> {
    sequence(first: self[...]) { $0.lastIndex(of: "/").map { end in self[..<end] } }
  }

  /// Whether its view is that of a path, or lies in that.
  func lies(in path: Substring) -> Bool {
    self == path || hasPrefix(path) && dropFirst(path.count).first == "/"
  }
}
