import TouchClient

/// The layout in force as the daemon describes it, with who is connected.
struct DescribedLayout {
  let screens: [Welcome.Screen]
  /// In pre-order.
  let views: [DescribedView]
  /// The names that programs have given themselves, by their processes.
  let programs: [Int32: String]

  /// Asks for it.
  init(_ daemon: Daemon) throws {
    // Who is who: describe gives processes only.
    let clients = try StatusReport(daemon).clients
    programs = Dictionary(clients.map { ($0.pid, $0.name) }, uniquingKeysWith: { a, _ in a })
    views = try Self.views(daemon)
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
}
