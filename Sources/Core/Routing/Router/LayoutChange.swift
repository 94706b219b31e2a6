import Layout
import TouchModel

/// Compares a layout with the one that replaces it: what is where, by path, and whose it is now.
/// Rule R8.
///
/// Where the new one came of the old by a few changes of properties, it looks at the views that
/// they touched alone. What is kept for responders, windows or screens need not be looked at again
/// then: all of them are what they were, by the same numbers.
struct LayoutChange: Sendable {
  let old: Layout
  let new: Layout
  /// Whether both have the same responders at the same indices, as when a property was set: then
  /// nothing needs to be found by its path, and what is kept for each responder stays.
  let hasSameTree: Bool
  /// Where both have the same responders: the views that have another name or are elsewhere in
  /// their superviews, in pre-order. All other views are where they were in theirs.
  private let moved: [ViewIndex]
  /// Where they have not: which view is which.
  private let counterparts: ViewCounterparts?

  init(from old: Layout, to new: Layout) {
    self.old = old
    self.new = new
    if let changed = new.changedViews(since: old) {
      hasSameTree = true
      moved = changed.filter { Self.differ($0, old, $0, new) }
      counterparts = nil
    } else {
      hasSameTree = Self.haveSameTree(old, new)
      moved = hasSameTree ? Self.movedViews(old, new) : []
      counterparts = hasSameTree ? nil : ViewCounterparts(from: old, to: new)
    }
  }

  /// Whether both have the same views, at the same indices, on the same screens.
  var keepsViews: Bool { hasSameTree && old.screens == new.screens }

  /// Whether a view may be elsewhere on its screen, or of another size, where both have the same
  /// views.
  func isMoved(_ view: ViewIndex) -> Bool {
    hasMoved(in: view.rawValue..<view.rawValue + 1) || hasMoved(above: view)
  }

  /// The responder of the same path.
  func counterpart(of responder: ResponderID) -> ResponderID? {
    guard let counterparts else { return responder }
    if case .view(let view) = old.kind(of: responder) {
      return counterparts[view].map { ResponderID($0) }
    }
    return new.responder(at: old.path(of: responder))
  }

  /// The view of the same path.
  func counterpart(of view: ViewIndex) -> ViewIndex? {
    guard let counterparts else { return view }
    return counterparts[view]
  }

  /// Whether a touch of that view lives on: the view is still there, on the same screen, in a
  /// window of the same application.
  func keepsTouches(of view: ViewIndex) -> Bool {
    guard let now = counterpart(of: view) else { return false }
    let before = old.window(of: view)
    let after = new.window(of: now)
    return before.application.map { old.applications[$0] }
      == after.application.map { new.applications[$0] }
      && before.screen == after.screen
      && screenName(of: before, in: old) == screenName(of: after, in: new)
  }

  /// Whether who holds a responder must hear of it: the responder is still there, and where it is
  /// on the screen, its views or where these are is not what it was.
  func isGeometryChanged(of responder: ResponderID) -> Bool {
    guard let now = counterpart(of: responder) else { return false }
    if let view = old.view(of: responder), let nowView = new.view(of: now) {
      return isGeometryChanged(of: view, now: nowView)
    }
    if hasSameTree, moved.isEmpty { return false }
    let before = windows(ofApplication: responder, in: old)
    let after = windows(ofApplication: now, in: new)
    return before.count != after.count
      || zip(before, after).contains { isGeometryChanged(of: $0, now: $1) }
  }

  private func isGeometryChanged(of view: ViewIndex, now: ViewIndex) -> Bool {
    guard let counterparts else {
      return hasMoved(in: view.rawValue..<old[view].end.rawValue)
        || (hasMoved(above: view) && old.screenTransform(of: view) != new.screenTransform(of: view))
    }
    let before = old[view]
    return before.end.rawValue - view.rawValue != new[now].end.rawValue - now.rawValue
      || Self.differ(view, old, now, new)
      || old.screenTransform(of: view) != new.screenTransform(of: now)
      || old.window(of: view).screen != new.window(of: now).screen
      || counterparts.hasChanges(in: view.rawValue + 1..<before.end.rawValue)
  }

  private func hasMoved(in views: Range<Int32>) -> Bool {
    var first = 0
    var end = moved.count
    while first < end {
      let middle = (first + end) / 2
      if moved[middle].rawValue < views.lowerBound { first = middle + 1 } else { end = middle }
    }
    return first < moved.count && moved[first].rawValue < views.upperBound
  }

  private func hasMoved(above view: ViewIndex) -> Bool {
    var next = moved.isEmpty ? nil : old[view].parent
    while let view = next {
      if hasMoved(in: view.rawValue..<view.rawValue + 1) { return true }
      next = old[view].parent
    }
    return false
  }

  /// Whether two views have another name or are elsewhere in their superviews.
  static func differ(
    _ left: ViewIndex, _ old: Layout, _ right: ViewIndex, _ new: Layout
  ) -> Bool {
    let before = old[left]
    let after = new[right]
    return before.frame != after.frame || before.boundsOrigin != after.boundsOrigin
      || !old.hasSameName(left, as: right, of: new)
      || old.transform(of: left) != new.transform(of: right)
  }

  private static func haveSameTree(_ old: Layout, _ new: Layout) -> Bool {
    if new.hasSameTree(as: old) { return true }
    guard old.viewCount == new.viewCount, old.responderCount == new.responderCount,
      old.applications == new.applications, old.windows.count == new.windows.count,
      zip(old.windows, new.windows).allSatisfy({
        $0.root == $1.root && $0.application == $1.application
      })
    else { return false }
    return (0..<Int32(old.viewCount)).allSatisfy { number in
      let view = ViewIndex(number)
      return old[view].parent == new[view].parent && old.hasSameName(view, as: view, of: new)
        && old.controller(of: view).map(old.name(of:))
          == new.controller(of: view).map(new.name(of:))
    }
  }

  private static func movedViews(_ old: Layout, _ new: Layout) -> [ViewIndex] {
    (0..<Int32(old.viewCount)).map(ViewIndex.init).filter { view in
      differ(view, old, view, new)
        || (old[view].parent == nil
          && old.window(of: view).screen != new.window(of: view).screen)
    }
  }

  private func windows(ofApplication responder: ResponderID, in layout: Layout) -> [ViewIndex] {
    let name = layout.path(of: responder).dropFirst("app:".count)
    return layout.windows.filter { window in
      window.application.map { layout.applications[$0] == name } ?? false
    }.map(\.root)
  }

  private func screenName(of window: Layout.Window, in layout: Layout) -> String {
    layout.screens[Int(window.screen.rawValue)].name
  }
}
