/// The responders of a layout by their numbers: views first, with their own index, then
/// controllers, then applications; the chain that they form, and the views that each is asked for.
@usableFromInline
struct ResponderTable: Sendable {
  private let viewCount: Int32
  /// The controllers, in the order of their views.
  private let controllers: [Layout.Controller]
  /// For each responder the next one up its chain, or -1. Rule R1.
  @usableFromInline let nextResponders: [Int32]
  /// For each application its windows' roots, back to front.
  private let applicationRoots: [[ViewIndex]]
  /// For each application the views of its windows, counted.
  private let applicationViewCounts: [Int]

  /// The number of responders.
  var count: Int { nextResponders.count }

  init(_ parts: LayoutParts, applications: Int) {
    viewCount = Int32(parts.views.count)
    controllers = parts.controllers
    nextResponders = Self.nextResponders(parts, applications: applications)
    var roots: [[ViewIndex]] = Array(repeating: [], count: applications)
    var counts: [Int] = Array(repeating: 0, count: applications)
    for window in parts.windows {
      guard let application = window.application else { continue }
      roots[application].append(window.root)
      counts[application] += parts.views[window.root].subtreeCount(from: window.root)
    }
    applicationRoots = roots
    applicationViewCounts = counts
  }

  /// The next responder of each, -1 for none. Rule R1.
  private static func nextResponders(_ parts: LayoutParts, applications: Int) -> [Int32] {
    let controllers = Int32(parts.views.count)
    let firstApplication = controllers + Int32(parts.controllers.count)
    func above(_ view: Layout.View) -> Int32 {
      if view.rawParent >= 0 { return view.rawParent }
      return parts.windows[view.windowIndex].application.map { firstApplication + Int32($0) } ?? -1
    }
    return parts.views.map { $0.rawController < 0 ? above($0) : controllers + $0.rawController }
      + parts.controllers.map { above(parts.views[$0.view]) }
      + repeatElement(-1, count: applications)
  }

  /// What a responder is.
  func kind(of responder: ResponderID) -> Layout.ResponderKind {
    if responder.rawValue < viewCount { return .view(ViewIndex(responder.rawValue)) }
    let rest = Int(responder.rawValue - viewCount)
    if rest < controllers.count { return .controller(controllers[rest].view) }
    return .application(rest - controllers.count)
  }

  /// The controller of a view. Rule L3.
  func controller(of view: Layout.View) -> ResponderID? {
    view.rawController < 0 ? nil : ResponderID(viewCount + view.rawController)
  }

  /// The name of a view's controller.
  func nameOfController(_ responder: ResponderID) -> String {
    controllers[Int(responder.rawValue - viewCount)].name
  }

  /// An application as a responder.
  func responder(ofApplication index: Int) -> ResponderID {
    ResponderID(viewCount + Int32(controllers.count + index))
  }

  /// A view counted among those of a responder: see ``Layout/targetIndex(of:in:)``.
  func targetIndex(of view: ViewIndex, in responder: ResponderID, _ tree: ViewTree) -> UInt32? {
    switch kind(of: responder) {
    case .view(let base), .controller(let base):
      guard view >= base, view < tree[base].end else { return nil }
      return UInt32(view.rawValue - base.rawValue)
    case .application(let application):
      var before: Int32 = 0
      for root in applicationRoots[application] {
        let end = tree[root].end
        if view >= root, view < end { return UInt32(before + view.rawValue - root.rawValue) }
        before += end.rawValue - root.rawValue
      }
      return nil
    }
  }

  /// The view of a number that ``targetIndex(of:in:_:)`` gave.
  func view(at index: UInt32, in responder: ResponderID, _ tree: ViewTree) -> ViewIndex? {
    switch kind(of: responder) {
    case .view(let base), .controller(let base):
      guard Int(index) < tree[base].subtreeCount(from: base) else { return nil }
      return ViewIndex(base.rawValue + Int32(index))
    case .application(let application):
      var rest = Int(index)
      for root in applicationRoots[application] {
        let count = tree[root].subtreeCount(from: root)
        if rest < count { return ViewIndex(root.rawValue + Int32(rest)) }
        rest -= count
      }
      return nil
    }
  }

  /// The views that ``targetIndex(of:in:_:)`` counts, window by window.
  func views(of responder: ResponderID, _ tree: ViewTree) -> [Range<ViewIndex>] {
    switch kind(of: responder) {
    case .view(let base), .controller(let base): [base..<tree[base].end]
    case .application(let application): applicationRoots[application].map { $0..<tree[$0].end }
    }
  }

  /// The number of views that ``targetIndex(of:in:_:)`` counts.
  func viewCount(of responder: ResponderID, _ tree: ViewTree) -> Int {
    switch kind(of: responder) {
    case .view(let base), .controller(let base): tree[base].subtreeCount(from: base)
    case .application(let application): applicationViewCounts[application]
    }
  }
}
