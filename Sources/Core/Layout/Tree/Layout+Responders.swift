extension Layout {
  /// What a responder is.
  public enum ResponderKind: Equatable, Sendable {
    /// A view.
    case view(ViewIndex)
    /// The controller of that view.
    case controller(ViewIndex)
    /// The application at that index of ``Layout/applications``.
    case application(Int)
  }

  /// The number of responders: views, controllers and applications.
  public var responderCount: Int { responders.count }

  /// What a responder of this layout is.
  public func kind(of responder: ResponderID) -> ResponderKind { responders.kind(of: responder) }

  /// The view of a responder: itself, or that of a controller; nil for an application.
  public func view(of responder: ResponderID) -> ViewIndex? {
    switch kind(of: responder) {
    case .view(let view), .controller(let view): view
    case .application: nil
    }
  }

  /// The view at the top of the window that a responder is; nil where it is something else.
  public func root(ofWindow responder: ResponderID) -> ViewIndex? {
    guard case .view(let view) = kind(of: responder), self[view].parent == nil else { return nil }
    return view
  }

  /// The controller of a view. Rule L3.
  public func controller(of view: ViewIndex) -> ResponderID? {
    responders.controller(of: self[view])
  }

  /// An application as a responder.
  public func responder(ofApplication index: Int) -> ResponderID {
    responders.responder(ofApplication: index)
  }

  /// The responder of a path: `home`, `home/toolbar/back`, `home/toolbar@bar`, `app:dashboard`.
  /// Rule L5.
  public func responder(at path: String) -> ResponderID? {
    if let name = Layout.applicationName(in: path) {
      return applications.firstIndex { $0 == name }.map(responder(ofApplication:))
    }
    let parts = path.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let view = names.view(at: first, in: tree) else { return nil }
    guard parts.count == 2 else { return ResponderID(view) }
    guard let controller = controller(of: view), name(of: controller) == parts[1] else {
      return nil
    }
    return controller
  }

  /// What follows `app:`; nil where the path is of no application.
  static func applicationName(in path: String) -> Substring? {
    path.hasPrefix("app:") ? path.dropFirst(4) : nil
  }

  /// The path of a responder. Rule L5.
  public func path(of responder: ResponderID) -> String {
    switch kind(of: responder) {
    case .view(let view): path(of: view)
    case .controller(let view): path(of: view) + "@" + name(of: responder)
    case .application(let index): "app:" + applications[index]
    }
  }

  /// A responder's own name: the last part of its path.
  public func name(of responder: ResponderID) -> String {
    switch kind(of: responder) {
    case .view(let view): name(of: view)
    case .controller: responders.nameOfController(responder)
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

  // MARK: - The chain

  /// The next responder up: of a view its controller, else its superview; of a controller the
  /// superview of its view; of a window's root its application; then nil. Rule R1.
  @inlinable
  public func next(after responder: ResponderID) -> ResponderID? {
    let next = responders.nextResponders[Int(responder.rawValue)]
    return next < 0 ? nil : ResponderID(next)
  }

  /// The chain of a view, itself first. Rule R1. Iterating allocates nothing.
  public func chain(of view: ViewIndex) -> ResponderChain {
    ResponderChain(layout: self, following: ResponderID(view))
  }

  /// The responders from one upwards. Rule R1.
  public struct ResponderChain: Sequence, IteratorProtocol, Sendable {
    let layout: Layout
    var following: ResponderID?

    /// The next one up.
    public mutating func next() -> ResponderID? {
      guard let responder = following else { return nil }
      following = layout.next(after: responder)
      return responder
    }
  }

  // MARK: - The views of a responder

  /// A view counted among the views of a responder, in pre-order: 0 is the responder's own view, or
  /// its window; an application's windows are counted one after another, from back to front. Nil
  /// where the view is none of them.
  public func targetIndex(of view: ViewIndex, in responder: ResponderID) -> UInt32? {
    responders.targetIndex(of: view, in: responder, tree)
  }

  /// The view of a number that ``targetIndex(of:in:)`` gave.
  public func view(at index: UInt32, in responder: ResponderID) -> ViewIndex? {
    responders.view(at: index, in: responder, tree)
  }

  /// The views that ``targetIndex(of:in:)`` counts, window by window.
  package func views(of responder: ResponderID) -> [Range<ViewIndex>] {
    responders.views(of: responder, tree)
  }

  /// The number of views that ``targetIndex(of:in:)`` counts.
  public func viewCount(of responder: ResponderID) -> Int {
    responders.viewCount(of: responder, tree)
  }
}
