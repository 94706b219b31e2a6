/// Finds the path of a responder that somebody may have meant who wrote a path that there is not:
/// it differs in one name, and in that by few letters. The work is bounded as ``NearestName`` says.
struct NearestPath {
  /// What was compared, as ``NearestName/work`` counts.
  private(set) var work = 0
  private let layout: Layout

  /// Of paths with more names than that nothing is looked for.
  private static let mostNames = 32

  init(in layout: Layout) { self.layout = layout }

  /// Says that a layout has no window or view of a path, and which may be meant.
  static func words(ofUnknown path: String, in layout: Layout) -> String {
    if layout.responder(at: path) != nil {
      return "\"\(path)\" is neither a window nor a view; only these can be changed"
    }
    let nearest = layout.nearestPath(to: path).map { "; the nearest is \"\($0)\"" }
    return "no window or view is named \"\(path)\""
      + (nearest ?? "; `touchroute tree`, run as root, lists them all")
  }

  /// The path; nil where there is none, or where `path` is one itself.
  mutating func find(_ path: String) -> String? {
    if let name = Layout.applicationName(in: path) {
      var search = NearestName(name.utf8)
      defer { work = search.work }
      return search.nearest(among: layout.applications).map { "app:" + $0 }
    }
    let end = path.utf8.firstIndex(of: UInt8(ascii: "@")) ?? path.endIndex
    let names = path[..<end].utf8.split(
      separator: UInt8(ascii: "/"), maxSplits: Self.mostNames, omittingEmptySubsequences: false)
    guard names.count <= Self.mostNames else { return nil }
    var view = Int32(-1)
    var isOther = false
    for name in names {
      if let child = layout.names.child(of: view, named: Substring(name), in: layout.tree) {
        view = child
      } else if !isOther, let near = nearestSubview(of: view, to: name) {
        view = near
        isOther = true
      } else {
        return nil
      }
    }
    let found = ViewIndex(view)
    guard end < path.endIndex else { return isOther ? layout.path(of: found) : nil }
    // A view has one controller, so whatever else was written means that one.
    guard let controller = layout.controller(of: found),
      (layout.name(of: controller) == path[path.utf8.index(after: end)...]) == isOther
    else { return nil }
    return layout.path(of: controller)
  }

  /// The subview, or window for -1, that is meant; the frontmost are looked at first.
  private mutating func nearestSubview(of view: Int32, to name: Substring.UTF8View) -> Int32? {
    var search = NearestName(name, work: work)
    defer { work = search.work }
    var best: Int32?
    func look(at candidate: Int32) {
      if layout.names.withName(of: layout[ViewIndex(candidate)], { search.consider($0) }) {
        best = candidate
      }
    }
    if view < 0 {
      for index in layout.windows.indices.reversed() where !search.isOver {
        look(at: layout.windows[index].root.rawValue)
      }
    } else {
      var child = layout.views[Int(view)].lastChild
      while child >= 0, !search.isOver {
        look(at: child)
        child = layout.views[Int(child)].previousSibling
      }
    }
    return best
  }
}
