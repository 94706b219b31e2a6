import Layout
import TouchModel

/// How one layout becomes another: what is where, by path, and what of it is another's now. Rule
/// R8.
struct LayoutChange {
  let old: Layout
  let new: Layout

  init(from old: Layout, to new: Layout) {
    self.old = old
    self.new = new
  }

  /// The responder of the same path.
  func place(of responder: ResponderID) -> ResponderID? {
    new.responder(at: old.path(of: responder))
  }

  /// The view of the same path.
  func place(of view: ViewIndex) -> ViewIndex? {
    place(of: ResponderID(view)).flatMap { new.view(of: $0) }
  }

  /// Whether a touch of that view lives on: the view is still there, on the same screen, in a
  /// window of the same application.
  func keepsTouches(of view: ViewIndex) -> Bool {
    guard let place = place(of: view) else { return false }
    let before = old.window(of: view)
    let after = new.window(of: place)
    return before.application.map { old.applications[$0] }
      == after.application.map { new.applications[$0] }
      && before.screen == after.screen
      && screenName(of: before, in: old) == screenName(of: after, in: new)
  }

  /// Whether the attachment's client must hear of it: the responder's place on the screen, its
  /// views or their places are not what they were.
  func isGeometryChanged(of responder: ResponderID, nowAt place: ResponderID) -> Bool {
    if let view = old.view(of: responder), let now = new.view(of: place) {
      return isGeometryChanged(of: view, nowAt: now)
    }
    let before = windows(ofApplication: responder, in: old)
    let after = windows(ofApplication: place, in: new)
    return before.count != after.count
      || zip(before, after).contains { isGeometryChanged(of: $0, nowAt: $1) }
  }

  private func isGeometryChanged(of view: ViewIndex, nowAt place: ViewIndex) -> Bool {
    let before = old[view]
    let after = new[place]
    guard before.end.rawValue - view.rawValue == after.end.rawValue - place.rawValue,
      old.screenTransform(of: view) == new.screenTransform(of: place),
      old.window(of: view).screen == new.window(of: place).screen
    else { return true }
    return (view.rawValue..<before.end.rawValue).contains { number in
      let distance = number - view.rawValue
      return differs(
        ViewIndex(number), ViewIndex(place.rawValue + distance), below: view, place)
    }
  }

  /// Whether two views at the same distance from their roots are not the same, or not in the same
  /// place.
  private func differs(
    _ left: ViewIndex, _ right: ViewIndex, below leftRoot: ViewIndex, _ rightRoot: ViewIndex
  ) -> Bool {
    let before = old[left]
    let after = new[right]
    return before.name != after.name || before.frame != after.frame
      || before.boundsOrigin != after.boundsOrigin
      || before.end.rawValue - leftRoot.rawValue != after.end.rawValue - rightRoot.rawValue
      || old.transform(of: left) != new.transform(of: right)
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
