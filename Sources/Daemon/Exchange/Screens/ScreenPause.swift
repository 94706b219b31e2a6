import TouchModel

/// How often programs may do to a screen what cancels the touches there, and tells others: once a
/// second, whichever of them asks. Rules D2 and D9.
struct ScreenPause {
  private static let milliseconds: UInt64 = 1_000

  /// When it was done last, by the screens' names.
  private var latest: [String: Timestamp] = [:]

  /// Takes note that it is done.
  mutating func begin(_ screen: String, at now: Timestamp) {
    // Those of screens that a reload has taken away are over, too.
    latest = latest.filter { !isOver($0.value, at: now) }
    latest[screen] = now
  }

  /// Whether it was done within the last second.
  func holds(_ screen: String, at now: Timestamp) -> Bool {
    latest[screen].map { !isOver($0, at: now) } ?? false
  }

  private func isOver(_ time: Timestamp, at now: Timestamp) -> Bool {
    now >= time.adding(milliseconds: Self.milliseconds)
  }
}
