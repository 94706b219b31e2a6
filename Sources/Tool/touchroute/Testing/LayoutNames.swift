import Layout
import TouchClient
import TouchScripts

/// What there is in the daemon's layout, by its names.
struct LayoutNames {
  private var responders: Set<String> = []
  private var recognizers: [String: String] = [:]

  /// Adds what there is now. What there was before stays: a touch may have removed it.
  mutating func add(_ daemon: Daemon) throws {
    let (views, gestures) = try DescribedLayout.viewsAndGestures(daemon)
    for view in views {
      responders.insert(view.path)
      if !view.controller.isEmpty { responders.insert("\(view.path)@\(view.controller)") }
      if let name = view.details?.application, !name.isEmpty { responders.insert("app:\(name)") }
    }
    for gesture in gestures { recognizers[gesture.path] = gesture.recognizer.kind.word }
  }

  /// Refuses an expectation of what there is not.
  func require(_ expectation: Expectation) throws(ScriptError) {
    try expectation.requireNames(
      responders: responders.contains,
      recognizers: recognizers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    ) { NearestName.nearest(to: $0, among: responders.sorted()) }
  }
}
