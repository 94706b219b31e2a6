extension Layout {
  /// The number of responders: views, controllers and applications.
  public var responderCount: Int { views.count + controllers.count + applications.count }

  /// The responder of a path: `home`, `home/toolbar/back`, `home/toolbar@bar`, `app:dashboard`.
  /// Rule L5.
  public func responder(at path: String) -> ResponderID? {
    if let name = Layout.applicationName(in: path) {
      guard let index = applications.firstIndex(where: { $0 == name }) else { return nil }
      return ResponderID(Int32(views.count + controllers.count + index))
    }
    let parts = path.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let view = view(at: first) else { return nil }
    guard parts.count == 2 else { return ResponderID(view) }
    guard let controller = controller(of: view), name(of: controller) == parts[1] else {
      return nil
    }
    return controller
  }

  /// The view of a path. Rule L5.
  public func view(at path: String) -> ViewIndex? { view(at: path[...]) }

  private func view(at path: Substring) -> ViewIndex? {
    var view = Int32(-1)
    for name in path.split(separator: "/", omittingEmptySubsequences: false) {
      guard let child = childTable.find(parent: view, name: name, in: views, paths)
      else { return nil }
      view = child
    }
    return ViewIndex(view)
  }

  /// The path of a view. Rule L5.
  public func path(of view: ViewIndex) -> String {
    paths.path(at: views[view].path)
  }

  /// The bytes of the path of a view. Rule L5.
  public func pathLength(of view: ViewIndex) -> Int {
    views[view].path.byteCount
  }

  /// Writes the path of a view to memory of exactly its length: a touch that begins asks for it,
  /// and a string would have to be made each time.
  public func writePath(of view: ViewIndex, to bytes: UnsafeMutableRawBufferPointer) {
    paths.withPath(at: views[view].path) { bytes.copyMemory(from: $0) }
  }

  /// The path of a responder. Rule L5.
  public func path(of responder: ResponderID) -> String {
    switch kind(of: responder) {
    case .view(let view): path(of: view)
    case .controller(let view): path(of: view) + "@" + name(of: responder)
    case .application(let index): "app:" + applications[index]
    }
  }

  /// A view's own name: the last part of its path. Rule L5.
  public func name(of view: ViewIndex) -> String { paths.name(at: views[view].path) }

  /// Whether a view has the same name as a view of another layout. Makes no text of it.
  public func hasSameName(_ view: ViewIndex, as other: ViewIndex, of layout: Layout) -> Bool {
    paths.isSameName(at: views[view].path, as: layout.views[other].path, of: layout.paths)
  }

  /// A responder's own name: the last part of its path.
  public func name(of responder: ResponderID) -> String {
    switch kind(of: responder) {
    case .view(let view): name(of: view)
    case .controller: controllers[Int(responder.rawValue) - views.count].name
    case .application(let index): applications[index]
    }
  }

  /// The path of a responder that somebody who wrote `path` may have meant: it differs in one name,
  /// and in that by few letters. Nil where there is none, or where `path` is one itself.
  public func nearestPath(to path: String) -> String? {
    if let name = Layout.applicationName(in: path) {
      return nearest(to: String(name), among: applications).map { "app:" + $0 }
    }
    let parts = path.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let steps = (parts.first ?? "").split(separator: "/", omittingEmptySubsequences: false)
    var view = Int32(-1)
    for (place, name) in steps.enumerated() {
      if let child = childTable.find(parent: view, name: name, in: views, paths) {
        view = child
        continue
      }
      guard let near = nearest(to: String(name), among: subviewNames(of: view)) else { return nil }
      var mended = steps.map(String.init)
      mended[place] = near
      let candidate = mended.joined(separator: "/") + (parts.count == 2 ? "@" + parts[1] : "")
      return responder(at: candidate) == nil ? nil : candidate
    }
    guard parts.count == 2, let controller = controller(of: ViewIndex(view)) else { return nil }
    let mended = self.path(of: controller)
    return mended == path ? nil : mended
  }

  private static func applicationName(in path: String) -> Substring? {
    path.hasPrefix("app:") ? path.dropFirst(4) : nil
  }

  /// The names of a view's subviews, of the windows for -1; of many only the frontmost thousand.
  private func subviewNames(of view: Int32) -> [String] {
    if view < 0 { return windows.map(\.name) }
    var names: [String] = []
    var child = views[Int(view)].lastChild
    while child >= 0, names.count < 1000 {
      names.append(name(of: ViewIndex(child)))
      child = views[Int(child)].previousSibling
    }
    return names
  }

  private func nearest(to name: String, among names: [String]) -> String? {
    var best: (name: String, distance: Int)?
    for candidate in names {
      let distance = editDistance(Array(name.utf8), Array(candidate.utf8))
      guard distance > 0, distance <= max(1, name.utf8.count / 3) else { continue }
      if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Letters to insert, remove or replace to make one name of the other.
  private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (i, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in right.enumerated() {
        let replaced = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[right.count]
  }
}
