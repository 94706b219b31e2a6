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
  @inlinable
  public func next(after responder: ResponderID) -> ResponderID? {
    let next = nextResponders[Int(responder.rawValue)]
    return next < 0 ? nil : ResponderID(next)
  }

  /// The next responder of each, -1 for none.
  static func nextResponders(_ parts: LayoutParts, applications: Int) -> [Int32] {
    let controllers = Int32(parts.views.count)
    let firstApplication = controllers + Int32(parts.controllers.count)
    func above(_ view: View) -> Int32 {
      if view.rawParent >= 0 { return view.rawParent }
      return parts.windows[view.windowIndex].application.map { firstApplication + Int32($0) } ?? -1
    }
    return parts.views.map { $0.rawController < 0 ? above($0) : controllers + $0.rawController }
      + parts.controllers.map { above(parts.views[$0.view]) }
      + repeatElement(-1, count: applications)
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
