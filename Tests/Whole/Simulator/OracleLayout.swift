import Layout
import TouchModel

/// A layout as the oracle sees it: paths, and rules L5, R1 and R8 read off them.
struct OracleLayout {
  let layout: Layout
  /// The views in pre-order.
  let viewPaths: [String]
  /// Controllers by the path of their view.
  private let controllers: [String: String]
  private let applications: [String: String]
  /// The views that are marked as secure.
  let securePaths: [String]
  /// Where each view is in `viewPaths`.
  private let indices: [String: Int]
  private let hitTester: HitTester

  init(_ description: LayoutDescription) throws {
    layout = try Layout(description)
    hitTester = HitTester(layout)
    let layout = layout
    viewPaths = (0..<Int32(layout.viewCount)).map { layout.path(of: ViewIndex($0)) }
    indices = Dictionary(uniqueKeysWithValues: viewPaths.enumerated().map { ($1, $0) })
    var controllers: [String: String] = [:]
    var applications: [String: String] = [:]
    for window in description.windows {
      controllers[window.name] = window.properties.controller
      applications[window.name] = window.application
    }
    for view in description.views { controllers[view.path] = view.properties.controller }
    securePaths =
      description.windows.filter(\.properties.secure).map(\.name)
      + description.views.filter(\.properties.secure).map(\.path)
    self.controllers = controllers
    self.applications = applications
  }

  /// Whether the layout has a responder of that path. Rule L5.
  func has(_ path: String) -> Bool {
    if path.hasPrefix("app:") { return applications.values.contains(String(path.dropFirst(4))) }
    let parts = path.split(separator: "@")
    if parts.count == 2 { return controllers[String(parts[0])] == String(parts[1]) }
    return hasView(path)
  }

  /// Whether it has a view of that path.
  func hasView(_ path: String) -> Bool { indices[path] != nil }

  /// The responders of a view's touches, itself first. Rule R1.
  func chain(of view: String) -> [String] {
    var chain: [String] = []
    var names = view.split(separator: "/")
    while !names.isEmpty {
      let path = names.joined(separator: "/")
      chain.append(path)
      if let controller = controllers[path] { chain.append(path + "@" + controller) }
      names.removeLast()
    }
    if let application = application(of: view) { chain.append("app:" + application) }
    return chain
  }

  /// The window's name of a view.
  func window(of view: String) -> String { String(view.prefix { $0 != "/" }) }

  /// The application that a view's window belongs to. Rule L4.
  func application(of view: String) -> String? { applications[window(of: view)] }

  /// The windows of an application.
  func windows(of application: String) -> [String] {
    applications.filter { $0.value == application }.map(\.key)
  }

  /// The screen of a view's window.
  func screen(of view: String) -> ScreenIndex? {
    layout.windows.first { $0.name == window(of: view) }?.screen
  }

  func view(_ path: String) -> ViewIndex { ViewIndex(Int32(indices[path] ?? -1)) }

  func hit(_ point: Point, _ screen: ScreenIndex) -> String? {
    hitTester.hitTest(point, on: screen).map { viewPaths[Int($0.rawValue)] }
  }

  /// The views that a responder's touches can have as their target, in pre-order.
  func targets(of responder: String) -> [String] {
    if responder.hasPrefix("app:") {
      let name = String(responder.dropFirst(4))
      return viewPaths.filter { application(of: $0) == name }
    }
    let base = responder.split(separator: "@")[0]
    return viewPaths.filter { $0 == base || $0.hasPrefix(base + "/") }
  }

  func convert(_ point: Point, to view: String) -> Point {
    layout.screenTransform(of: self.view(view)).apply(point)
  }

  /// Whether the view or one around it is secure. Rule F7.
  func isSecure(_ view: String) -> Bool {
    !securePaths.isEmpty && securePaths.contains { view == $0 || view.hasPrefix($0 + "/") }
  }

  /// A view as a client is told of it.
  struct Told: Equatable {
    let path: String
    var frame = Rect(x: 0, y: 0, width: 0, height: 0)
    var boundsOrigin = Point.zero
    let transform: AffineTransform
    var screen: ScreenIndex?
  }

  /// All that is told of an attachment's geometry: where its views are. Rule R8.
  func geometry(of responder: String) -> [Told] {
    let targets = targets(of: responder)
    let isApplication = responder.hasPrefix("app:")
    let roots = isApplication ? targets.filter { !$0.contains("/") } : [targets[0]]
    let places = roots.map {
      Told(path: $0, transform: layout.screenTransform(of: view($0)), screen: screen(of: $0))
    }
    return places
      + targets.map { path in
        let view = layout[view(path)]
        return Told(
          path: path, frame: view.frame, boundsOrigin: view.boundsOrigin,
          transform: layout.transform(of: self.view(path)))
      }
  }
}
