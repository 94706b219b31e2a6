import TouchModel

extension LayoutEditor {
  /// Adds views, removes added ones and changes properties: all of it or nothing. First views come
  /// and go, in the order of the steps, then properties are set.
  ///
  /// Whether somebody may do so at a path is for the caller to know. Where views come or go it
  /// takes the time of a layout that is made anew.
  ///
  /// - Parameters:
  ///   - mayHave: Whether somebody may have the touches of the secure view of a path: the others
  ///     may take nothing from it. Rule F7.
  ///   - areas: For steps that add views in one that a rule is about, the view whose area that is.
  ///     Rule L6.
  /// - Returns: Why the batch was refused, with the number of the step; nil where it is in force.
  public mutating func apply(
    _ edits: [ViewEdit], by setter: LayoutSetter,
    sparing mayHave: SecureViewClaim = { _, _ in true },
    within areas: [Int: String] = [:]
  ) -> Refusal? {
    var batch = EditBatch(to: added, by: setter)
    if let refusal = batch.take(edits, in: layout) { return refusal }
    let before = self
    if let refusal = put(batch) ?? set(batch.changes) ?? refusalOfReach(batch, areas, before.layout)
      ?? refusalOfCover(edits, by: setter, mayHave, before.layout)
    {
      self = before
      return refusal
    }
    return nil
  }

  /// Adds views again that others have added to a layout before, as far as that is possible here.
  ///
  /// - Returns: The paths of those that are not.
  public mutating func resume(_ views: [AddedView]) -> [String] {
    var next = LayoutEditor(base.addingPossible(of: added + views.fitting(layout)))
    _ = next.takeOver(self)
    self = next
    let kept = Set(added.map(\.view.path))
    return views.map(\.view.path).filter { !kept.contains($0) }
  }

  /// Has the views of a batch added and no others.
  private mutating func put(_ batch: EditBatch) -> Refusal? {
    if batch.removed.isEmpty, batch.views.count == added.count { return nil }
    do throws(LayoutError) {
      let isMore = batch.removed.isEmpty
      let all = isMore ? try base.extended(to: batch.views) : try base.adding(batch.views)
      var next = LayoutEditor(all)
      _ = next.takeOver(self, without: batch.removed)
      self = next
      return nil
    } catch {
      return batch.refusal(of: error, configuredViews: base.configuredViewCount)
    }
  }

  private mutating func set(_ changes: [(change: SetChange, step: Int)]) -> Refusal? {
    if changes.isEmpty { return nil }
    guard var refusal = apply([changes.map(\.change)])[0] else { return nil }
    refusal.change = refusal.change.map { changes[$0].step }
    return refusal
  }

  /// Why a batch is refused because it would take touches from secure views, or take these away.
  /// Rule F7.
  private func refusalOfCover(
    _ edits: [ViewEdit], by setter: LayoutSetter, _ mayHave: SecureViewClaim, _ before: Layout
  ) -> Refusal? {
    var candidates: [CoverCandidate] = []
    var setters: Set<LayoutSetter> = [setter]
    for (step, edit) in edits.enumerated() {
      switch edit {
      case .add(let view):
        candidates.append(CoverCandidate(step: step, path: view.path, mayReorder: hasOrders))
      case .remove(let path):
        if let secureView = secureView(in: path, before, keptFrom: setter, mayHave) {
          let words = "it contains \"\(before.path(of: secureView))\", which is secure"
          return Refusal(
            change: step, message: words + before.wordsOfRight(to: secureView), isForbidden: true)
        }
        // Those that stay may have other places.
        if hasOrders {
          candidates.append(CoverCandidate(step: step, path: path, mayReorder: true))
        }
      case .change(let change): take(SetChange(change, by: setter))
      case .set(let set): take(set)
      }
      func take(_ set: SetChange) {
        setters.insert(set.setter)
        guard set.change.property.mayTakeTouches else { return }
        candidates.append(
          CoverCandidate(
            step: step, path: set.change.path, mayReorder: set.change.property.kind.mayReorder))
      }
    }
    return refusalOfCover(candidates, by: setters, in: layout, mayHave)
  }

  /// The first secure view in one of a path that somebody may not have.
  private func secureView(
    in path: String, _ layout: Layout, keptFrom setter: LayoutSetter, _ mayHave: SecureViewClaim
  ) -> ViewIndex? {
    guard let view = layout.view(at: path) else { return nil }
    return layout.secureViews.first {
      $0 >= view && $0 < layout[view].end && !mayHave(setter, layout.path(of: $0))
    }
  }

  /// Whether a view has an index among its siblings that was set.
  private var hasOrders: Bool { overrides.values.contains { $0.order != nil } }

  /// Why a batch is refused because a view that it adds would take touches outside of its window's
  /// area, or of that of a view that a rule is about.
  private mutating func refusalOfReach(
    _ batch: EditBatch, _ areas: [Int: String], _ before: Layout
  ) -> Refusal? {
    let views = areas.sorted { $0.key < $1.key }.map { (name: $0.value[...], step: $0.key) }
    for (path, step) in batch.windows + views {
      guard let excess = excess(of: path, before: before) else { continue }
      return Refusal(change: step, message: excess, isForbidden: true)
    }
    return nil
  }
}
