import TouchModel

/// What those who may not have a secure view's touches have taken from it. Rule F7.
///
/// They do where they have changed a view that the secure one lies in; where a view that they have
/// made exclusive (T13) is in its window; and where a view, or what lies in it, may take touches in
/// front of it at places where it does not as configured, nor as it would be shown without what
/// they have set and added. Whether it is shown as configured is of no account: it may be. All is
/// decided by boxes on the screen, larger ones for what may be taken and smaller ones for what was.
package final class SecureCover {
  /// What is taken, and by which view.
  package struct Loss {
    /// The view that takes it.
    package let view: ViewIndex
    /// In words, such as `it contains "w/pin", which is secure`.
    package let words: String
  }

  private let secure: ViewIndex
  private let after: Layout
  private let configured: Layout
  /// What they have changed or added.
  private let foreign: SortedViews
  /// Those of these of which something is set.
  private let changed: SortedViews
  private let makeReference: () -> Layout
  /// The layout without what they have set and added.
  private lazy var reference = makeReference()
  /// Where the secure view may take touches.
  private lazy var places = Self.places(of: secure, in: after)
  /// The views that the secure one lies in of which is known whether one in them takes touches that
  /// it has not inside.
  private var reachingOut: [ViewIndex: Bool] = [:]
  /// The views of which is known whether they are what they were.
  private var sameSuperviews: [Place: Bool] = [:]

  /// - Parameters:
  ///   - secure: The secure view.
  ///   - after: The layout in which it may have lost something.
  ///   - configured: The layout of the configuration alone.
  ///   - changed: The views of which those have set something who may not have its touches.
  ///   - added: The views that they have added.
  ///   - makeReference: Gives the layout without what they have set and added; called at most once.
  package convenience init(
    of secure: ViewIndex, in after: Layout, configured: Layout, changed: [ViewIndex],
    added: [ViewIndex], without makeReference: @escaping () -> Layout
  ) {
    self.init(
      of: secure, in: after, configured: configured, changed: SortedViews(changed),
      foreign: SortedViews(changed + added), without: makeReference)
  }

  /// The same for what is sorted already.
  ///
  /// - Parameter foreign: The views that they have changed or added.
  init(
    of secure: ViewIndex, in after: Layout, configured: Layout, changed: SortedViews,
    foreign: SortedViews, without makeReference: @escaping () -> Layout
  ) {
    self.secure = secure
    self.after = after
    self.configured = configured
    self.changed = changed
    self.foreign = foreign
    self.makeReference = makeReference
  }

  /// A view that may take touches from secure ones.
  package struct Taker {
    /// The view.
    package let view: ViewIndex
    /// Where it takes none outside of; nil where it may take some anywhere.
    fileprivate let box: Rect?
    fileprivate let isExclusive: Bool

    /// A view of a layout, with where it takes touches.
    package init(_ view: ViewIndex, in layout: Layout) {
      self.view = view
      isExclusive = layout[view].exclusiveTouch
      // What goes by its subviews may take touches anywhere by it.
      let isBound =
        SecureCover.keepsWithin(view, in: layout)
        && !(layout[view].parent.map { SecureCover.goesBySubviews($0, in: layout) } ?? false)
      box = isBound ? WindowReach(layout).whole(of: view) : nil
    }
  }

  /// What those views take from the secure one, of each at most one thing.
  package func losses(to views: some Sequence<ViewIndex>) -> [Loss] {
    losses(to: Set(views).sorted().map { Taker($0, in: after) })
  }

  /// The same of views that are in their order, each once.
  package func losses(to takers: [Taker]) -> [Loss] {
    var seen = Seen()
    return takers.compactMap { taker in
      guard mayLose(to: taker) else {
        // All that lies in it gets no touch outside of it.
        if taker.view > secure { seen.note(taker.view, in: after) }
        return nil
      }
      return words(ofLossTo: taker.view, &seen).map { Loss(view: taker.view, words: $0) }
    }
  }

  /// What was looked at with all that lies in it, and takes nothing: views are looked at in their
  /// order, so that each is once, however deep it lies in others of them.
  private struct Seen {
    private var end = ViewIndex(0)

    mutating func note(_ view: ViewIndex, in layout: Layout) { end = max(end, layout[view].end) }

    func contains(_ view: ViewIndex) -> Bool { view < end }
  }

  private func mayLose(to taker: Taker) -> Bool {
    guard let box = taker.box, !taker.isExclusive, !goesByOthers else { return true }
    return after.lies(secure, in: taker.view)
      || places.contains { place in
        let common = place.intersection(box)
        return common.width > 0 && common.height > 0
      }
  }

  /// Whether a view that it lies in may have a point inside where others have. Rule H5.
  private lazy var goesByOthers = sequence(first: secure) { [after] in after[$0].parent }
    .contains { [after] in Self.goesBySubviews($0, in: after) }

  /// Whether what lies in a view gets no touch outside of the view's own box.
  private static func keepsWithin(_ view: ViewIndex, in layout: Layout) -> Bool {
    guard WindowReach.clips(layout, view) || layout.hitRule(of: view) == .itself else {
      return false
    }
    return WindowReach(layout).askedFirst(in: view).isEmpty
  }

  /// The views besides those that were changed that may be in front of the secure one since these
  /// have other places among their siblings: those beside what it lies in, and windows.
  package var othersInFront: [ViewIndex] {
    var found: [ViewIndex] = []
    var branch = secure
    while let superview = after[branch].parent {
      found += after.subviews(of: superview).filter { $0 > branch }
      branch = superview
    }
    return found + after.windows.map(\.root).filter { $0 > branch }
  }

  private func words(ofLossTo view: ViewIndex, _ seen: inout Seen) -> String? {
    let name = "\"\(after.path(of: secure))\""
    // What lies in the secure view is for those whom it is for, and has its area and its place.
    if view > secure, after.lies(view, in: secure) {
      guard isBeforeMore(view) else { return nil }
      return "it would be in front of views in \(name), which is secure"
        + after.wordsOfRight(to: secure)
    }
    let words: String? =
      if after.lies(secure, in: view) {
        !changed.contains(view)
          ? nil : view == secure ? "it is secure" : "it contains \(name), which is secure"
      } else if foreign.contains(view), isAskedBy(view) {
        "where \(name), which is secure, takes touches depends on it"
      } else if takes(view, &seen) || takesThroughSuperview(view) {
        "it would be in front of \(name), which is secure"
      } else if foreign.contains(view), keepsOut(view) {
        "its exclusive_touch would keep touches out of \(name), which is secure"
      } else { nil }
    return words.map { $0 + after.wordsOfRight(to: secure) }
  }

  /// Whether a view was made one whose touches keep those of the secure one out. Rule T13.
  private func keepsOut(_ view: ViewIndex) -> Bool {
    guard after[view].exclusiveTouch, after[view].windowIndex == after[secure].windowIndex else {
      return false
    }
    return ![configured, reference].contains { layout in
      counterpart(of: view, in: layout).map { layout[$0].exclusiveTouch } ?? false
    }
  }

  /// Whether a view was put in front of siblings that it would be behind.
  private func isBeforeMore(_ view: ViewIndex) -> Bool {
    guard changed.contains(view), let twin = counterpart(of: view, in: reference),
      let superview = after[view].parent, let other = reference[twin].parent
    else { return false }
    let behind = after.subviews(of: superview).prefix { $0 < view }
    if behind.isEmpty { return false }
    let before = Set(reference.subviews(of: other).lazy.filter { $0 > twin }.map(reference.path))
    return behind.contains { before.contains(after.path(of: $0)) }
  }

  // MARK: - In front

  /// A layout in which a view was in front of the secure one.
  private struct Earlier {
    let layout: Layout
    let view: ViewIndex
    /// Where the view was surely asked, or something took the touches before it was, of the points
    /// at which it is asked now.
    var asked: Rect
    /// Whether that goes by its having the points inside, as one that it lies in has those inside
    /// which its subviews have. Rule H5.
    var goesBySubviews: Bool
  }

  /// Whether a view, or what lies in it, may take touches from the secure one which it did not
  /// take.
  private func takes(_ view: ViewIndex, _ seen: inout Seen) -> Bool {
    guard isInFront(view), !seen.contains(view) else { return false }
    if Self.keepsWithin(view, in: after), common(with: view).isEmpty {
      if view > secure { seen.note(view, in: after) }
      return false
    }
    let (earlier, twin) = evidence(of: view)
    var left = Self.mostViews
    if takes(view, earlier, unless: twin, &left) { return true }
    // Of views that are in front by a rule, what lies in them may be elsewhere.
    if view > secure, earlier.allSatisfy(liesAfter) { seen.note(view, in: after) }
    return false
  }

  /// Whether a view that it lies in takes touches from the secure one by the points that it has
  /// inside. Rule H5.
  private func takesThroughSuperview(_ view: ViewIndex) -> Bool {
    guard foreign.contains(view) else { return false }
    var next = after[view].parent
    while let superview = next, Self.goesBySubviews(superview, in: after) {
      if after.lies(secure, in: superview) { return false }
      var seen = Seen()
      if takes(superview, &seen) { return true }
      next = after[superview].parent
    }
    return false
  }

  /// The layouts that had a view in front of the secure one; and the one without what was changed,
  /// where the view is no more shown than there.
  private func evidence(of view: ViewIndex) -> (earlier: [Earlier], twin: Earlier?) {
    let twin = earlier(view, in: reference)
    let wasShown = twin.map { !isHidden($0.view, in: $0.layout) } ?? false
    return (
      [earlier(view, in: configured), wasShown ? twin : nil].compactMap(\.self),
      wasShown || isHidden(view, in: after) ? twin : nil
    )
  }

  /// Whether it is in front by its place, and so is all that lies in it.
  private func liesAfter(_ earlier: Earlier) -> Bool {
    earlier.layout.view(at: after.path(of: secure)).map { earlier.view > $0 } ?? false
  }

  /// A view in another layout, where that has it in front of the secure one as a whole.
  private func earlier(_ view: ViewIndex, in layout: Layout) -> Earlier? {
    guard let other = counterpart(of: view, in: layout),
      let secure = layout.view(at: after.path(of: secure))
    else { return nil }
    let order = WholeOrder(of: other, before: secure, in: layout)
    guard order.isInFront else { return nil }
    return asked(view, Earlier(layout: layout, view: other, asked: .zero, goesBySubviews: false)) {
      order.isPassedBy($0)
    }
  }

  /// The same with where the view was asked.
  ///
  /// - Parameter wasPassedBy: Whether it was asked first whatever a view that it lies in clips.
  private func asked(
    _ view: ViewIndex, _ other: Earlier, _ wasPassedBy: (ViewIndex) -> Bool
  ) -> Earlier? {
    var earlier = other
    let layout = earlier.layout
    earlier.asked = WindowReach(layout).screen(of: earlier.view)
    let passages = passages(to: view)
    var (branch, old) = (view, earlier.view)
    var isPassed = false
    while let superview = after[branch].parent, let oldSuperview = layout[old].parent {
      defer { (branch, old) = (superview, oldSuperview) }
      let wasBranchPassed = isPassed
      isPassed =
        wasPassedBy(oldSuperview) || passages.contains { $0.passes(superview, in: after) }
      if wasPassedBy(oldSuperview) { continue }
      if !isPassed, isKnownSame(superview, as: layout, oldSuperview) {
        switch after.insideRule(of: superview) {
        case .bounds, .always, .never: continue
        case .children(let named) where !named.contains(branch): break
        case .children, .anyChild:
          earlier.goesBySubviews = true
          // Where that one has a point inside, this one has.
          if !wasBranchPassed { continue }
        }
      }
      guard let box = surelyInside(oldSuperview, in: layout) else { return nil }
      earlier.asked = earlier.asked.intersection(box)
    }
    return earlier
  }

  /// The ways by which views that a view lies in ask it first, or one that it lies in. Rule H6.
  private func passages(to view: ViewIndex) -> [Passage] {
    sequence(first: view) { [after] in after[$0].parent }.dropFirst().compactMap { superview in
      guard case .first(let descendant) = after.hitRule(of: superview),
        after.lies(view, in: descendant)
      else { return nil }
      return Passage(from: superview, to: descendant)
    }
  }

  /// Where a view surely asks its subviews, or takes touches itself; nil where that is nowhere.
  private func surelyInside(_ view: ViewIndex, in layout: Layout) -> Rect? {
    let reach = WindowReach(layout)
    switch layout.hitRule(of: view) {
    case .none: return nil
    case .itself: return reach.screen(of: view)
    case .redirect(let target):
      // What lies in it has the secure view hit.
      let secure = layout.view(at: after.path(of: secure))
      if let secure, layout.lies(target, in: secure) { return nil }
    case .standard, .passThrough, .first: break
    }
    switch layout.insideRule(of: view) {
    case .never: return nil
    case .always: return reach.screen(of: view)
    case .bounds, .anyChild, .children:
      return reach.isUprightRect(view) ? reach.box(of: view) : nil
    }
  }

  /// Where both a view and the secure one may take touches.
  private func common(with view: ViewIndex) -> [Rect] {
    let box = WindowReach(after).whole(of: view)
    return places.map(box.intersection).filter { $0.width > 0 && $0.height > 0 }
  }

  /// Where a secure view may take touches: those too that one which it lies in leads to it.
  private static func places(of secure: ViewIndex, in layout: Layout) -> [Rect] {
    let reach = WindowReach(layout)
    var places = reach.boxes(in: secure)
    var next = layout[secure].parent
    while let superview = next {
      switch layout.hitRule(of: superview) {
      case .redirect(let target) where layout.lies(target, in: secure):
        places += reach.boxes(in: superview)
      case .first(let target) where layout.lies(target, in: secure):
        // It is asked whatever the views around it clip.
        places += reach.boxes(in: target)
      default: break
      }
      next = layout[superview].parent
    }
    // Most lie in the secure view itself, which comes first.
    guard let own = places.first else { return [] }
    return [own] + places.dropFirst().filter { !own.contains($0) }
  }

  /// - Parameters:
  ///   - earlier: Where all that the view lies in was as it is.
  ///   - twin: The view as it would be without what was changed, where all that it lies in is that:
  ///     it takes nothing where it and what lies in it are.
  ///   - left: So many views are looked at yet, before the answer is that they take touches.
  private func takes(
    _ view: ViewIndex, _ earlier: [Earlier], unless twin: Earlier?, _ left: inout Int
  ) -> Bool {
    let twin = twin.flatMap { isSame(view, as: $0.layout, $0.view) ? $0 : nil }
    if twin != nil, !foreign.hasOne(from: view, before: after[view].end) { return false }
    left -= 1
    if left < 0 { return true }
    let common = common(with: view)
    let clips = Self.keepsWithin(view, in: after)
    if clips, common.isEmpty { return false }
    let unchanged = earlier.filter { isSame(view, as: $0.layout, $0.view) }
    let areas = earlier.compactMap { earlier in
      WindowReach(earlier.layout).surelyTaken(by: earlier.view).flatMap { box in
        asked(earlier).map(box.intersection)
      }
    }
    let isTaken = common.allSatisfy { WindowReach.isBox($0, in: areas) }
    if clips, isTaken { return false }
    // One that goes by its subviews takes touches where what was changed in it has them inside.
    let isAsItWas =
      !goesByForeign(view)
      && unchanged.contains { earlier in
        guard let box = asked(earlier) else { return false }
        return common.allSatisfy { WindowReach.isBox($0, in: [box]) }
      }
    if takesItself(view), !isTaken, !isAsItWas { return true }
    return after.subviews(of: view).contains { subview in
      var next = unchanged.compactMap { self.next(subview, of: $0) }
        .filter { $0.layout === configured || !$0.layout[$0.view].isGated }
      // One that is asked first may have been in front though what it lies in was not.
      if isAskedFirst(subview) { next += evidence(of: subview).earlier }
      return takes(subview, next, unless: twin.flatMap { self.next(subview, of: $0) }, &left)
    }
  }

  /// Whether a view has the points inside that its subviews have, and something in it was changed
  /// or added. Rule H5.
  private func goesByForeign(_ view: ViewIndex) -> Bool {
    Self.goesBySubviews(view, in: after)
      && foreign.hasOne(from: ViewIndex(view.rawValue + 1), before: after[view].end)
  }

  /// Whether a view has points inside where its subviews have. Rule H5.
  private static func goesBySubviews(_ view: ViewIndex, in layout: Layout) -> Bool {
    switch layout.insideRule(of: view) {
    case .children, .anyChild: true
    case .bounds, .always, .never: false
    }
  }

  /// Where a view was asked: not where it takes touches that it has not inside, if it is asked by
  /// what it has inside. Nil where that is nowhere.
  private func asked(_ earlier: Earlier) -> Rect? {
    let (layout, view) = (earlier.layout, earlier.view)
    guard earlier.goesBySubviews, layout.hitRule(of: view) == .itself,
      layout.insideRule(of: view) != .always
    else { return earlier.asked }
    let reach = WindowReach(layout)
    guard layout.insideRule(of: view) != .never, reach.isUprightRect(view) else { return nil }
    return earlier.asked.intersection(reach.box(of: view))
  }

  /// Whether a view that it lies in asks it first. Rule H6.
  private func isAskedFirst(_ view: ViewIndex) -> Bool {
    sequence(first: view) { [after] in after[$0].parent }.dropFirst().contains {
      if case .first(view) = after.hitRule(of: $0) { true } else { false }
    }
  }

  /// A subview of a view that is what it was.
  private func next(_ subview: ViewIndex, of earlier: Earlier) -> Earlier? {
    let layout = earlier.layout
    guard let other = counterpart(of: subview, in: layout) else { return nil }
    var next = Earlier(
      layout: layout, view: other, asked: earlier.asked, goesBySubviews: earlier.goesBySubviews)
    let isLed = if case .first = layout.hitRule(of: earlier.view) { true } else { false }
    switch layout.insideRule(of: earlier.view) {
    case .children(let named) where !named.contains(other): break
    case .children, .anyChild:
      next.goesBySubviews = true
      if !isLed { return next }
    case .bounds, .always, .never:
      // One that is asked first may lie outside of this one.
      if !isLed || !earlier.goesBySubviews { return next }
    }
    guard let box = surelyInside(earlier.view, in: layout) else { return nil }
    next.asked = next.asked.intersection(box)
    return next
  }

  /// Whether a view may be what is hit, or make one that it lies in that.
  private func takesItself(_ view: ViewIndex) -> Bool {
    switch after.hitRule(of: view) {
    case .none, .passThrough:
      guard let superview = after[view].parent else { return false }
      switch after.insideRule(of: superview) {
      case .children, .anyChild: return true
      case .bounds, .always, .never: return false
      }
    case .standard, .itself, .redirect, .first: return true
    }
  }

  /// The same of views that others lie in, and so are asked about often.
  private func isKnownSame(_ view: ViewIndex, as old: Layout, _ other: ViewIndex) -> Bool {
    let place = Place(view: view, isConfigured: old === configured)
    if let known = sameSuperviews[place] { return known }
    let isSame = isSame(view, as: old, other)
    sameSuperviews[place] = isSame
    return isSame
  }

  private struct Place: Hashable {
    let view: ViewIndex
    let isConfigured: Bool
  }

  /// Whether a view is what it was in all that says where it takes touches, but for being shown.
  private func isSame(_ view: ViewIndex, as old: Layout, _ other: ViewIndex) -> Bool {
    guard old.bounds(of: other) == after.bounds(of: view),
      old.tree.toScreen(of: other) == after.tree.toScreen(of: view)
    else { return false }
    if old.hasSameTree(as: after) {
      return old.tree.hasSameExtras(old[other], as: after[view], of: after.tree)
    }
    return old.tree.extras(of: old[other]).naming { after.view(at: old.path(of: $0)) }
      == after.tree.extras(of: after[view])
  }

  private func counterpart(of view: ViewIndex, in layout: Layout) -> ViewIndex? {
    layout.hasSameTree(as: after) ? view : layout.view(at: after.path(of: view))
  }

  private func isHidden(_ view: ViewIndex, in layout: Layout) -> Bool {
    sequence(first: view) { layout[$0].parent }.contains { layout[$0].isGated }
  }

  /// So many views are looked at one by one.
  private static let mostViews = 256

  // MARK: - Order

  /// Whether a view, or one in it, may be asked before the secure one, in which it does not lie.
  private func isInFront(_ view: ViewIndex) -> Bool {
    guard after.window(of: view).screen == after.window(of: secure).screen else { return false }
    if view > secure { return true }
    return sequence(first: view) { [after] in after[$0].parent }.dropFirst().contains { superview in
      // Where both lie in the one that is asked first, that says nothing of their order.
      guard case .first(let descendant) = after.hitRule(of: superview),
        !after.lies(secure, in: descendant)
      else { return false }
      return after.lies(descendant, in: view) || after.lies(view, in: descendant)
    }
  }

  /// Whether the view in which both lie has a point inside where that view has, and not where the
  /// secure one has: so that this one is asked where that one is. Rule H5.
  private func isAskedBy(_ view: ViewIndex) -> Bool {
    var branch = secure
    while let superview = after[branch].parent, !after.lies(view, in: superview) {
      branch = superview
    }
    guard let common = after[branch].parent else { return false }
    switch after.insideRule(of: common) {
    case .bounds, .always, .never: return false
    case .children(let named) where !named.contains(branch): return true
    case .children, .anyChild: return hasOneThatReachesOut(branch) || isLedTo(from: common)
    }
  }

  /// Whether a view, or one in it, may take touches that it has not inside.
  private func hasOneThatReachesOut(_ branch: ViewIndex) -> Bool {
    if let known = reachingOut[branch] { return known }
    let reach = WindowReach(after)
    let isOne = (branch.rawValue..<after[branch].end.rawValue).contains {
      if case .first = after.hitRule(of: ViewIndex($0)) { return true }
      return reach.takesAll(ViewIndex($0))
    }
    reachingOut[branch] = isOne
    return isOne
  }

  /// Whether a view, or one that it lies in, has the secure one hit where others are. Rule H6.
  private func isLedTo(from view: ViewIndex) -> Bool {
    sequence(first: view) { [after] in after[$0].parent }.contains { superview in
      guard case .redirect(let target) = after.hitRule(of: superview) else { return false }
      return after.lies(target, in: secure)
    }
  }
}

/// Whether a view is asked before another one as a whole: neither lies in the other. Rules H2, H6
/// and H7.
private struct WholeOrder {
  /// Whether it surely is.
  let isInFront: Bool
  private let layout: Layout
  /// How the view is asked first, if it is.
  private var passage: Passage?

  init(of view: ViewIndex, before other: ViewIndex, in layout: Layout) {
    self.layout = layout
    guard layout.window(of: view).screen == layout.window(of: other).screen else {
      isInFront = false
      return
    }
    let both = sequence(first: view) { layout[$0].parent }.filter { layout.lies(other, in: $0) }
    // What both lie in may be asked first, and then nothing between goes by its own rule.
    var innermost = ViewIndex(0)
    for superview in both.reversed() {
      guard case .first(let descendant) = layout.hitRule(of: superview) else { continue }
      switch (layout.lies(view, in: descendant), layout.lies(other, in: descendant)) {
      case (true, true): innermost = max(innermost, descendant)
      case (false, true):
        isInFront = false
        return
      case (true, false) where superview >= innermost:
        passage = Passage(from: superview, to: descendant)
        isInFront = true
        return
      case (true, false), (false, false): break
      }
    }
    isInFront = view > other
  }

  /// Whether the view is asked first whatever one that it lies in clips.
  func isPassedBy(_ superview: ViewIndex) -> Bool {
    passage?.passes(superview, in: layout) ?? false
  }
}

/// A view that asks another one first, whatever is between them. Rule H6.
private struct Passage {
  let from: ViewIndex
  let to: ViewIndex

  /// Whether a view lies between them.
  func passes(_ view: ViewIndex, in layout: Layout) -> Bool {
    from < view && view < to && layout.lies(to, in: view)
  }
}

/// Views in their order, to be found in.
struct SortedViews {
  private let views: [ViewIndex]

  init(_ views: [ViewIndex]) { self.views = views.sorted() }

  func contains(_ view: ViewIndex) -> Bool {
    hasOne(from: view, before: ViewIndex(view.rawValue + 1))
  }

  /// Whether one of them is one of those from a view to before another one.
  func hasOne(from first: ViewIndex, before end: ViewIndex) -> Bool {
    let index = views.indices.partitionPoint { views[$0] < first }
    return index < views.count && views[index] < end
  }
}

extension WindowReach {
  /// The box of a view, or its whole screen where it takes every touch that it is asked about.
  fileprivate func whole(of view: ViewIndex) -> Rect {
    takesAll(view) ? screen(of: view) : box(of: view)
  }

  /// Where a view and what lies in it may take touches.
  fileprivate func boxes(in view: ViewIndex) -> [Rect] { unclippedViews(in: view).map(whole(of:)) }

  /// A box in which a view takes every touch that it is asked about, wherever it is shown; nil
  /// where that is none.
  fileprivate func surelyTaken(by view: ViewIndex) -> Rect? {
    switch layout.hitRule(of: view) {
    case .none, .passThrough: return nil
    case .itself: return screen(of: view)
    case .standard, .redirect, .first: break
    }
    switch layout.insideRule(of: view) {
    case .never: return nil
    case .always: return screen(of: view)
    case .bounds, .anyChild, .children: break
    }
    return isUprightRect(view) ? box(of: view) : nil
  }

  /// Whether a view surely has all points of its box inside.
  fileprivate func isUprightRect(_ view: ViewIndex) -> Bool {
    let transform = layout.tree.toScreen(of: view)
    let isUpright =
      transform.b == 0 && transform.c == 0 || transform.a == 0 && transform.d == 0
    return isUpright && isExact(view) && layout.tree.touchRegion(of: view).shape == .rect
  }
}

extension Layout.ViewExtras {
  /// The same with the views that its rules name as they are called in another tree; nil where one
  /// is not there.
  fileprivate func naming(_ other: (ViewIndex) -> ViewIndex?) -> Self? {
    var extras = self
    if case .children(let named) = inside {
      let others = named.compactMap(other)
      if others.count < named.count { return nil }
      extras.inside = .children(others)
    }
    switch hit {
    case .redirect(let view):
      guard let view = other(view) else { return nil }
      extras.hit = .redirect(view)
    case .first(let view):
      guard let view = other(view) else { return nil }
      extras.hit = .first(view)
    case .standard, .itself, .none, .passThrough: break
    }
    return extras
  }
}

extension Layout {
  /// Who may change what a secure view gets, as the end of a sentence.
  func wordsOfRight(to secure: ViewIndex) -> String {
    "; that is for the program that holds \"\(window(of: secure).name)\", for root, and for users "
      + "that an [[access]] rule for \"\(path(of: secure))\" names"
  }

  /// Whether a view lies in another one, or is that.
  fileprivate func lies(_ view: ViewIndex, in other: ViewIndex) -> Bool {
    other <= view && view < self[other].end
  }
}

extension Rect {
  fileprivate func contains(_ other: Rect) -> Bool {
    x <= other.x && y <= other.y && maxX >= other.maxX && maxY >= other.maxY
  }

  /// What lies in both.
  fileprivate func intersection(_ other: Rect) -> Rect {
    let (left, top) = (max(x, other.x), max(y, other.y))
    return Rect(
      x: left, y: top, width: max(0, min(maxX, other.maxX) - left),
      height: max(0, min(maxY, other.maxY) - top))
  }
}
