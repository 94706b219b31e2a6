import TouchClient
import TouchScripts

/// What a record has of a layout: the screens; each view, and the recognizers, as lines of JSON.
struct LayoutState {
  /// What is another than before.
  struct Change {
    /// Whether the views are all there are.
    var isWhole = false
    /// All screens; nil where they are as before.
    var screens: [RecordedScreen]?
    var views: [(path: String, json: String)] = []
    var removed: [String] = []
    /// All recognizers; nil where they are as before.
    var gestures: String?

    /// It as the keys of an object.
    func keys() throws(Failure) -> String {
      var keys: [String] = []
      if let gestures { keys.append("\"gestures\":\(gestures)") }
      if let screens { keys.append("\"screens\":\(try jsonLine(screens))") }
      if !removed.isEmpty { keys.append("\"removed\":\(try jsonLine(removed))") }
      if isWhole || !views.isEmpty {
        keys.append("\"views\":[\(views.map(\.json).joined(separator: ","))]")
      }
      if isWhole { keys.append("\"whole\":true") }
      return keys.joined(separator: ",")
    }
  }

  private(set) var screens: [RecordedScreen] = []
  /// In the layout's order.
  private var views: [(path: String, json: String)] = []
  private var gestures = "[]"

  /// Nothing.
  init() {}

  /// A layout as the daemon describes it. Who holds a view other lines say.
  init(_ described: DescribedLayout, on screens: [RecordedScreen]) throws(Failure) {
    self.screens = screens
    let report = TreeReport(ListedLayout(described))
    for var view in report.views {
      (view.standing.holder, view.standing.controller_holder) = (nil, nil)
      views.append((view.standing.path, try jsonLine(view)))
    }
    gestures = try jsonLine(report.gestures ?? [])
  }

  /// All of it but the screens, which a record's first line has of its own.
  var whole: Change { Change(isWhole: true, views: views, gestures: gestures) }

  /// What makes it of an earlier one. Where views have other places that is all of it.
  func change(from before: LayoutState) -> Change {
    let paths = Set(views.map(\.path))
    let known = Dictionary(before.views.map { ($0.path, $0.json) }, uniquingKeysWith: { $1 })
    var change = Change()
    change.removed = before.views.map(\.path).filter { !paths.contains($0) }
    change.views = views.filter { known[$0.path] != $0.json }
    change.gestures = gestures == before.gestures ? nil : gestures
    change.screens = screens == before.screens ? nil : screens
    var made = before
    made.apply(change)
    // Where a view has an index of its own, all of its siblings say which.
    let hasOrder = change.views.contains { $0.json.contains("\"order\":{") }
    if !hasOrder, made.views.map(\.path) == views.map(\.path) { return change }
    var all = whole
    all.screens = change.screens
    return all
  }

  /// Makes the next one of it. A view that is new comes behind all others of its superview.
  ///
  /// It looks at each view once, so that a program that adds many costs a record little.
  mutating func apply(_ change: Change) {
    screens = change.screens ?? screens
    gestures = change.gestures ?? gestures
    if change.isWhole { return views = change.views }
    var latest = Dictionary(
      change.views.map { ($0.path, $0.json) }, uniquingKeysWith: { $1 })
    let removed = Set(change.removed)
    views = views.compactMap { view in
      if removed.contains(view.path) { return nil }
      return (view.path, latest.removeValue(forKey: view.path) ?? view.json)
    }
    if !latest.isEmpty { add(change.views.filter { latest[$0.path] != nil }) }
  }

  private mutating func add(_ new: [(path: String, json: String)]) {
    let paths = Set(views.map(\.path)).union(new.map(\.path))
    var roots: [(path: String, json: String)] = []
    var subviews: [String: [(path: String, json: String)]] = [:]
    for view in views + new {
      let superview = view.path.lastIndex(of: "/").map { String(view.path[..<$0]) }
      if let superview, paths.contains(superview) {
        subviews[superview, default: []].append(view)
      } else {
        roots.append(view)
      }
    }
    views.removeAll(keepingCapacity: true)
    var next = Array(roots.reversed())
    while let view = next.popLast() {
      views.append(view)
      next += subviews[view.path, default: []].reversed()
    }
  }
}
