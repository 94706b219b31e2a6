import TouchClient
import TouchModel

/// Which of what is observed has to do with some responders and recognizers.
struct ObservationFilter {
  private let paths: [String]
  /// The touches that are live, and had to do with them as they began.
  private var touches: Set<TouchID> = []

  /// Everything, where no path is given.
  init(_ paths: [String]) { self.paths = paths }

  /// Refuses a path of a responder that the layout does not have, in the daemon's words; of a
  /// recognizer's path it is that of its view.
  func requireResponders(_ daemon: Daemon) throws {
    for path in paths.map({ String($0.prefix { $0 != "#" }) }) where !path.hasPrefix("screen:") {
      try daemon.ask { connection throws(TouchClientError) in
        try connection.describe(path, count: 1)
      }
    }
  }

  /// Whether a touch hit one of them, or a view in one, or whether one of them was asked for it.
  mutating func wants(_ record: Observation.Record) -> Bool {
    if paths.isEmpty { return true }
    let isWanted =
      touches.contains(record.id)
      || paths.contains { path in
        Self.isIn(record.targetPath, path) || record.chain.contains { $0.path == path }
      }
    switch record.phase {
    case .began where isWanted: touches.insert(record.id)
    case .ended, .cancelled: touches.remove(record.id)
    case .began, .moved, .stationary: break
    }
    return isWanted
  }

  /// Whether a recognizer is one of them, or of a view in one.
  func wants(_ gesture: ObservedGesture) -> Bool {
    let owner = String(gesture.path.prefix { $0 != "#" })
    return paths.isEmpty || paths.contains { $0 == gesture.path || Self.isIn(owner, $0) }
  }

  /// Whether a filter did something to one of their touches; of a contact that never began nobody
  /// knows whose it would have been.
  func wants(_ signal: ObservedSignal) -> Bool {
    paths.isEmpty || signal.finding.isFault || signal.touch.map(touches.contains) ?? false
  }

  private static func isIn(_ view: String, _ path: String) -> Bool {
    view == path || view.hasPrefix("\(path)/")
  }
}
