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
  /// The views that the secure one lies in of which is known whether one in them takes all.
  private var takingAll: [ViewIndex: Bool] = [:]

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
      box = SecureCover.keepsWithin(view, in: layout) ? WindowReach(layout).whole(of: view) : nil
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
    .contains { view in
      switch after.insideRule(of: view) {
      case .children, .anyChild: true
      case .bounds, .always, .never: false
      }
    }

  /// Whether what lies in a view gets no touch outside of the view's own box.
  private static func keepsWithin(_ view: ViewIndex, in layout: Layout) -> Bool {
    WindowReach.clips(layout, view) || layout.hitRule(of: view) == .itself
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
    // What lies in the secure view is for those whom it is for.
    if view > secure, after.lies(view, in: secure) { return nil }
    let name = "\"\(after.path(of: secure))\""
    let words: String? =
      if after.lies(secure, in: view) {
        !changed.contains(view)
          ? nil : view == secure ? "it is secure" : "it contains \(name), which is secure"
      } else if foreign.contains(view), isAskedBy(view) {
        "where \(name), which is secure, takes touches depends on it"
      } else if takes(view, &seen) {
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

  // MARK: - In front

  /// A layout in which a view was in front of the secure one.
  private struct Earlier {
    let layout: Layout
    let view: ViewIndex
  }

  /// Whether a view, or what lies in it, may take touches from the secure one which it did not
  /// take.
  private func takes(_ view: ViewIndex, _ seen: inout Seen) -> Bool {
    let isInFront = isInFront(view, of: secure, in: after) {
      after.lies($0, in: view) || after.lies(view, in: $0)
    }
    guard isInFront, !seen.contains(view) else { return false }
    if Self.keepsWithin(view, in: after), common(with: view).isEmpty {
      if view > secure { seen.note(view, in: after) }
      return false
    }
    let twin = twin(of: view)
    let earlier = [
      counterpart(of: view, in: configured).map { Earlier(layout: configured, view: $0) },
      twin.flatMap { isHidden($0.view, in: $0.layout) ? nil : $0 },
    ].compactMap(\.self).filter(wasInFront)
    let isUnchanged =
      twin.map { twin in
        wasInFront(twin) && (!isHidden(twin.view, in: twin.layout) || isHidden(view, in: after))
      } ?? false
    var left = Self.mostViews
    if takes(view, earlier, unless: isUnchanged ? twin : nil, &left) { return true }
    // Of views that are in front by a rule, what lies in them may be elsewhere.
    if view > secure, earlier.allSatisfy(liesAfter) { seen.note(view, in: after) }
    return false
  }

  /// The view as it would be without what was changed.
  private func twin(of view: ViewIndex) -> Earlier? {
    counterpart(of: view, in: reference).map { Earlier(layout: reference, view: $0) }
  }

  /// Whether it is in front by its place, and so is all that lies in it.
  private func liesAfter(_ earlier: Earlier) -> Bool {
    earlier.layout.view(at: after.path(of: secure)).map { earlier.view > $0 } ?? false
  }

  /// Whether a view was in front of the secure one as a whole.
  private func wasInFront(_ earlier: Earlier) -> Bool {
    let (layout, view) = (earlier.layout, earlier.view)
    guard let secure = layout.view(at: after.path(of: secure)) else { return false }
    return isInFront(view, of: secure, in: layout) {
      // What a view has because one in it is asked first, it has not as a whole.
      layout.lies(view, in: $0)
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
    let twin = twin.flatMap { isSame(view, as: $0) ? $0 : nil }
    if twin != nil, !foreign.hasOne(from: view, before: after[view].end) { return false }
    left -= 1
    if left < 0 { return true }
    let common = common(with: view)
    let clips = Self.keepsWithin(view, in: after)
    if clips, common.isEmpty { return false }
    let unchanged = earlier.filter { isSame(view, as: $0) }
    let areas = earlier.compactMap { WindowReach($0.layout).surelyTaken(by: $0.view) }
    let isTaken = common.allSatisfy { WindowReach.isBox($0, in: areas) }
    if clips, isTaken { return false }
    if takesItself(view), !isTaken, unchanged.isEmpty { return true }
    return after.subviews(of: view).contains { subview in
      let next = unchanged.compactMap { earlier in
        counterpart(of: subview, in: earlier.layout).map {
          Earlier(layout: earlier.layout, view: $0)
        }
      }.filter { $0.layout === configured || !$0.layout[$0.view].isGated }
      let twin = twin.flatMap { twin in
        counterpart(of: subview, in: twin.layout).map { Earlier(layout: twin.layout, view: $0) }
      }
      return takes(subview, next, unless: twin, &left)
    }
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

  /// Whether a view is what it was in all that says where it takes touches, but for being shown.
  private func isSame(_ view: ViewIndex, as earlier: Earlier) -> Bool {
    let (old, other) = (earlier.layout, earlier.view)
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

  /// Whether a view is asked before another one, in which it does not lie.
  ///
  /// - Parameter counts: Whether it is asked early because a view is asked first.
  private func isInFront(
    _ view: ViewIndex, of other: ViewIndex, in layout: Layout, _ counts: (ViewIndex) -> Bool
  ) -> Bool {
    guard layout.window(of: view).screen == layout.window(of: other).screen else { return false }
    if view > other { return true }
    return sequence(first: view) { layout[$0].parent }.dropFirst().contains { superview in
      // Where both lie in the one that is asked first, that says nothing of their order.
      guard case .first(let descendant) = layout.hitRule(of: superview),
        !layout.lies(other, in: descendant)
      else { return false }
      return counts(descendant)
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
    case .children, .anyChild: return hasOneThatTakesAll(branch)
    }
  }

  /// Whether a view, or one in it, takes every touch that it is asked about.
  private func hasOneThatTakesAll(_ branch: ViewIndex) -> Bool {
    if let known = takingAll[branch] { return known }
    let reach = WindowReach(after)
    let isOne = (branch.rawValue..<after[branch].end.rawValue).contains {
      reach.takesAll(ViewIndex($0))
    }
    takingAll[branch] = isOne
    return isOne
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
    var (low, high) = (0, views.count)
    while low < high {
      let middle = (low + high) / 2
      if views[middle] < first { low = middle + 1 } else { high = middle }
    }
    return low < views.count && views[low] < end
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
    let transform = layout.tree.toScreen(of: view)
    let isUpright =
      transform.b == 0 && transform.c == 0 || transform.a == 0 && transform.d == 0
    return isUpright && layout.tree.touchRegion(of: view).shape == .rect ? box(of: view) : nil
  }

  private func screen(of view: ViewIndex) -> Rect {
    let size = layout.screens[Int(layout.window(of: view).screen.rawValue)].size
    return Rect(x: 0, y: 0, width: size.width, height: size.height)
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
