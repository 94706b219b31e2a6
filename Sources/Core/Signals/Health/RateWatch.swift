import TouchModel

/// Whether a touchscreen reports less often than it did. Rule N10.
///
/// The time between its reports is measured while a finger is down. A quarter of the intervals of a
/// touch are at most as long as its measure: a finger that rests makes no reports, and a host that
/// is busy delivers them late.
struct RateWatch {
  /// A touch with fewer intervals is no measure.
  static let leastIntervals = 24
  /// So many touches are compared with so many.
  private static let touchCount = 8

  private var first: [UInt64] = []
  private var latest: [UInt64] = []

  /// Takes the times of reports of one touch, the latest ones at most.
  mutating func take(_ times: ArraySlice<Timestamp>) {
    guard times.count > Self.leastIntervals else { return }
    var intervals = zip(times.dropFirst(), times).map { $0.microseconds(since: $1) }
    intervals.sort()
    let measure = intervals[intervals.count / 4]
    if first.count < Self.touchCount { return first.append(measure) }
    latest.append(measure)
    if latest.count > Self.touchCount { latest.removeFirst() }
  }

  /// Reports a second, then and now, where they have fallen to at most so many percent in all of
  /// the latest touches; nil where not.
  func fall(to percent: UInt64) -> (from: UInt64, to: UInt64)? {
    guard percent > 0, latest.count == Self.touchCount, let fastest = latest.min() else {
      return nil
    }
    let usual = first.sorted()[Self.touchCount / 2]
    guard usual > 0, fastest > 0, usual * 100 <= fastest * percent else { return nil }
    return (1_000_000 / usual, 1_000_000 / fastest)
  }
}
