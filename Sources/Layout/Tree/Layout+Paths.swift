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
  /// and in that by few letters. Nil where there is none, or where `path` is one itself. Takes at
  /// most some 50 microseconds, whatever is asked in whatever layout; of very many names only the
  /// frontmost are looked at.
  public func nearestPath(to path: String) -> String? {
    var search = NearestPath(in: self)
    return search.find(path)
  }

  /// The index of a view by its superview, or -1 for a window, and its name.
  func child(of view: Int32, named name: Substring) -> Int32? {
    childTable.find(parent: view, name: name, in: views, paths)
  }

  /// The bytes of a view's own name, for the call.
  func withName<Result>(
    of view: ViewIndex, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    paths.withName(at: views[view].path, body)
  }

  /// What follows `app:`; nil where the path is of no application.
  static func applicationName(in path: String) -> Substring? {
    path.hasPrefix("app:") ? path.dropFirst(4) : nil
  }
}
