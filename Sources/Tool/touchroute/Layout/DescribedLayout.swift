import Layout
import TouchClient
import TouchModel

/// The layout in force as the daemon describes it, with who is connected.
struct DescribedLayout {
  /// The layout, made anew of what the daemon has told of it.
  let layout: Layout
  /// What it was made of.
  let description: LayoutDescription
  /// In the layout's order.
  let views: [DescribedView]
  /// By their views and screens, in the order of the configuration, those that programs have added
  /// behind it.
  let gestures: [DescribedGesture]
  /// The names that programs have given themselves, by their processes; none where they were not
  /// asked for.
  let programs: [Int32: String]

  /// How often a layout that changes while it is asked for is asked for again.
  private static let attempts = 10

  /// Asks for it.
  ///
  /// - Parameter named: Whether the names of programs are asked for too, which is for the control
  ///   socket.
  init(_ daemon: Daemon, named: Bool) throws {
    // Who is who: describe gives processes only.
    let clients = named ? try StatusReport(daemon).clients : []
    try self.init(
      daemon,
      programs: Dictionary(clients.map { ($0.pid, $0.name) }, uniquingKeysWith: { a, _ in a }))
  }

  /// Asks for it, without the names of programs.
  ///
  /// - Parameter others: Gets what else comes meanwhile.
  init(_ daemon: Daemon, others: (TouchEvent) throws -> Void) throws {
    try self.init(daemon, programs: [:], others: others)
  }

  private init(
    _ daemon: Daemon, programs: [Int32: String], others: (TouchEvent) throws -> Void = { _ in }
  ) throws {
    self.programs = programs
    var pages = try DescribedPages(daemon, others: others)
    for _ in 1..<Self.attempts where !pages.areOfOneMoment {
      pages = try DescribedPages(daemon, others: others)
    }
    (views, gestures) = (pages.views, pages.gestures)
    description = try LayoutDescription(pages.views, daemon.screens)
    do throws(LayoutError) {
      layout = try Layout(description, limits: .none)
    } catch {
      throw Failure(
        pages.areOfOneMoment
          ? "the layout that the daemon describes is not valid: \(error.problems[0].message)"
          : "the layout changes faster than it can be asked for: try again")
    }
    if !pages.areOfOneMoment {
      Failure("the layout changes all the time, so what is shown is of several moments").report()
    }
  }

  /// Asks for the views alone, page by page, which any program may.
  static func views(_ daemon: Daemon) throws -> [DescribedView] {
    var pages = try DescribedPages(daemon, ofGestures: false)
    for _ in 1..<attempts where !pages.areOfOneMoment {
      pages = try DescribedPages(daemon, ofGestures: false)
    }
    return pages.views
  }

  /// Asks for the views and the recognizers, perhaps of several moments.
  static func viewsAndGestures(
    _ daemon: Daemon
  ) throws -> (views: [DescribedView], gestures: [DescribedGesture]) {
    let pages = try DescribedPages(daemon)
    return (pages.views, pages.gestures)
  }

  /// Asks for the paths of the recognizers, which come behind the views.
  static func gestures(_ daemon: Daemon) throws -> [DescribedGesture] {
    try DescribedPages(daemon).gestures
  }
}

/// The answers to describe, page by page.
private struct DescribedPages {
  private(set) var views: [DescribedView] = []
  private(set) var gestures: [DescribedGesture] = []
  /// Whether the layout has not changed from the first to the last of them.
  private(set) var areOfOneMoment = true
  private var generation: UInt32?

  /// As many as limits.gestures can be set to.
  private static let mostGestures = 65_536

  init(
    _ daemon: Daemon, ofGestures: Bool = true, others: (TouchEvent) throws -> Void = { _ in }
  ) throws {
    while true {
      let (viewsBefore, before) = (views.count, views.count + gestures.count)
      let page = try daemon.ask(
        { connection throws(TouchClientError) in
          try connection.describe(first: UInt32(before))
        },
        { event in
          views.take(event)
          if case .describedGesture(_, let gesture) = event { gestures.append(gesture) }
        }, others: others)
      areOfOneMoment = areOfOneMoment && generation ?? page.generation == page.generation
      generation = page.generation
      if views.count > viewsBefore, views.count > Int(page.total) {
        throw Failure("the daemon describes more views than it has counted")
      }
      let isInOrder = views.indices[viewsBefore...].allSatisfy { index in
        views[index].parent.map { Int($0) < index } ?? true
      }
      guard isInOrder else { throw Failure("the daemon describes a view before its superview") }
      guard gestures.count <= Self.mostGestures else {
        throw Failure("the daemon describes more gestures than any may have")
      }
      let isEnd = views.count + gestures.count == before
      if isEnd || !ofGestures && views.count >= Int(page.total) { return }
    }
  }
}

extension LayoutLimits {
  /// The daemon has its own, and keeps them.
  fileprivate static var none: LayoutLimits {
    var limits = LayoutLimits()
    let many = Int(Int32.max)
    (limits.screens, limits.windows, limits.views) = (many, many, many)
    (limits.depth, limits.nameLength, limits.polygonPoints) = (many, many, many)
    limits.coordinate = .greatestFiniteMagnitude
    return limits
  }
}

extension LayoutDescription {
  /// What the daemon has told, in its order: windows from back to front, views in pre-order.
  fileprivate init(
    _ described: [DescribedView], _ screens: [Welcome.Screen]
  ) throws(Failure) {
    self.init(
      screens: screens.map { screen in
        Screen(
          name: screen.name, size: screen.size,
          rotation: Screen.Rotation(rawValue: screen.rotation) ?? .none)
      })
    for view in described {
      if view.path.isEmpty {
        throw Failure("a view's path is longer than the daemon tells: the layout can't be shown")
      }
      if view.details?.flags.contains(.incomplete) == true {
        throw Failure(
          "\"\(view.path)\" has more points or names than the daemon tells: the layout can't be "
            + "shown; --config reads a configuration's file")
      }
      guard view.parent == nil else {
        views.append(View(path: view.path, properties: ViewProperties(view)))
        continue
      }
      guard let details = view.details, let screen = details.screen else {
        throw Failure("the daemon is older than this tool, and can't describe all of its layout")
      }
      windows.append(
        Window(
          name: view.path, screen: ScreenIndex(Int32(clamping: screen)), level: view.level,
          application: details.application.isEmpty ? nil : details.application,
          isResizable: details.flags.contains(.resizable), properties: ViewProperties(view)))
    }
  }
}

extension ViewProperties {
  fileprivate init(_ view: DescribedView) {
    self.init(frame: FrameDescription(view.frame))
    boundsOrigin = view.boundsOrigin
    transform = view.transform
    alpha = view.alpha
    hidden = view.flags.contains(.hidden)
    interaction = !view.flags.contains(.noInteraction)
    multipleTouch = !view.flags.contains(.singleTouch)
    exclusiveTouch = view.flags.contains(.exclusiveTouch)
    secure = view.flags.contains(.secure)
    controller = view.controller.isEmpty ? nil : view.controller
    for item in view.properties { take(item.property) }
  }
}

extension DescribedView {
  fileprivate var level: Int {
    for item in properties { if case .level(let level) = item.property { return level } }
    return 0
  }

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
