import TouchClient
import TouchModel

/// The layout in force as the daemon describes it, with who is connected.
struct DescribedLayout {
  let screens: [Welcome.Screen]
  /// In pre-order.
  let views: [DescribedView]
  /// In the order of the configuration, those that programs have added behind it.
  let gestures: [DescribedGesture]
  /// The names that programs have given themselves, by their processes.
  let programs: [Int32: String]

  /// Asks for it.
  init(_ daemon: Daemon) throws {
    // Who is who: describe gives processes only.
    let clients = try StatusReport(daemon).clients
    programs = Dictionary(clients.map { ($0.pid, $0.name) }, uniquingKeysWith: { a, _ in a })
    views = try Self.views(daemon)
    gestures = try Self.gestures(daemon, behind: views.count)
    screens = daemon.screens
  }

  /// Asks for the views alone, page by page, which any program may.
  static func views(_ daemon: Daemon) throws -> [DescribedView] {
    var views: [DescribedView] = []
    var generation: UInt32?
    while true {
      let page = try daemon.ask({ connection throws(TouchClientError) in
        try connection.describe(first: UInt32(views.count))
      }) { event in
        if case .view(_, let view) = event { views.append(view) }
      }
      // A layout that changes between two pages begins anew.
      if let generation, generation != page.generation { views = [] }
      generation = page.generation
      if views.count >= Int(page.total) { return views }
    }
  }

  /// Asks for the recognisers, which come behind the views, page by page.
  static func gestures(_ daemon: Daemon, behind views: Int) throws -> [DescribedGesture] {
    var gestures: [DescribedGesture] = []
    while true {
      let before = gestures.count
      _ = try daemon.ask({ connection throws(TouchClientError) in
        try connection.describe(first: UInt32(views + before))
      }) { event in
        if case .describedGesture(_, let gesture) = event { gestures.append(gesture) }
      }
      if gestures.count == before { return gestures }
    }
  }
}

extension DescribedView {
  /// The middle of its bounds, in points of its window's screen. Rule L2.
  ///
  /// - Parameter views: all views of the layout, of which ``parent`` is an index.
  func middle(among views: [DescribedView]) -> Point {
    var point = frame.center
    var superview = parent
    while let index = superview {
      let view = views[Int(index)]
      let (center, origin) = (view.frame.center, view.boundsOrigin)
      let arm = view.transform.apply(
        Point(
          x: point.x - origin.x - view.frame.width / 2,
          y: point.y - origin.y - view.frame.height / 2))
      point = Point(x: center.x + arm.x, y: center.y + arm.y)
      superview = view.parent
    }
    return point
  }
}
