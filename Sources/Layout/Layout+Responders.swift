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

  /// What a responder of this layout is.
  public func kind(of responder: ResponderID) -> ResponderKind {
    let index = Int(responder.rawValue)
    if index < views.count { return .view(ViewIndex(responder.rawValue)) }
    let rest = index - views.count
    if rest < controllers.count { return .controller(controllers[rest].view) }
    return .application(rest - controllers.count)
  }

  /// The view of a responder: itself, or that of a controller; nil for an application.
  public func view(of responder: ResponderID) -> ViewIndex? {
    switch kind(of: responder) {
    case .view(let view), .controller(let view): view
    case .application: nil
    }
  }

  /// The controller of a view. Rule L3.
  public func controller(of view: ViewIndex) -> ResponderID? {
    let controller = views[view].rawController
    return controller < 0 ? nil : ResponderID(Int32(views.count) + controller)
  }

  /// An application as a responder.
  public func responder(ofApplication index: Int) -> ResponderID {
    ResponderID(Int32(views.count + controllers.count + index))
  }

  /// The next responder up: of a view its controller, else its superview; of a controller the
  /// superview of its view; of a window's root its application; then nil. Rule R1.
  public func next(after responder: ResponderID) -> ResponderID? {
    switch kind(of: responder) {
    case .view(let view): controller(of: view) ?? responderAbove(view)
    case .controller(let view): responderAbove(view)
    case .application: nil
    }
  }

  private func responderAbove(_ view: ViewIndex) -> ResponderID? {
    if let parent = views[view].parent { return ResponderID(parent) }
    return window(of: view).application.map(responder(ofApplication:))
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
}
