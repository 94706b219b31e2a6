import TouchModel

/// Since when a contact has not moved. Rule N9.
struct StillWatch {
  private var anchor: Point
  private var since: Timestamp

  init(at point: Point, _ time: Timestamp) {
    anchor = point
    since = time
  }

  /// Takes where the contact is.
  mutating func note(_ point: Point, at time: Timestamp, _ settings: SignalSettings.Stuck) {
    guard anchor.distance(to: point) > settings.distance else { return }
    anchor = point
    since = time
  }

  /// When it counts as stuck.
  func deadline(_ settings: SignalSettings.Stuck) -> Timestamp {
    since.adding(milliseconds: settings.milliseconds)
  }
}
