/// How often a touchscreen has been recovered lately, and how often it may be.
package struct RecoveryBudget: Sendable {
  private static let hour: UInt64 = 3_600_000_000
  private let limit: Int
  /// When, in microseconds of CLOCK_MONOTONIC, the oldest first.
  private(set) var times: [UInt64]

  /// - Parameters:
  ///   - limit: How often within an hour.
  ///   - times: When it was recovered before.
  package init(limit: Int, times: [UInt64] = []) {
    self.limit = limit
    self.times = Array(times.sorted().suffix(limit))
  }

  /// When it may be recovered again; a time that is past where it may be now.
  var next: UInt64 { times.count < limit ? 0 : times[0] + Self.hour }

  /// Notes that it is recovered.
  mutating func spend(at time: UInt64) {
    times.append(time)
    if times.count > limit { times.removeFirst() }
  }

  /// Notes that what was noted last does not count.
  mutating func takeBack() { _ = times.popLast() }
}
