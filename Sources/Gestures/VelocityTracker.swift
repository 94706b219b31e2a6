import TouchModel

/// How fast two values change: of the samples of the last 100 ms the slope at the newest. Rule G16.
struct VelocityTracker {
  private struct Sample: BitwiseCopyable {
    let time: Timestamp
    let x: Double
    let y: Double
    /// The slope from the sample before it, a second; 0 of the first.
    let slope: Point
  }

  /// Samples further back than this are forgotten, in microseconds.
  private static let horizon: UInt64 = 100_000
  /// After a gap longer than this samples start anew, and what was measured before it is no
  /// velocity any more, in microseconds.
  private static let longestGap: UInt64 = 40_000

  private var samples: ReusableArray<Sample> = []
  /// Where the oldest that counts is.
  private var first = 0

  /// Takes a sample in. Of several of one time the last one counts.
  mutating func add(_ x: Double, _ y: Double, at time: Timestamp) {
    if let newest = samples.last {
      if newest.time == time {
        samples.truncate(to: samples.count - 1)
      } else if time.microseconds(since: newest.time) > Self.longestGap {
        reset()
      }
    }
    while first < samples.count,
      time.microseconds(since: samples[first].time) > Self.horizon
    {
      first += 1
    }
    if first >= 256 { compact() }
    samples.append(Sample(time: time, x: x, y: y, slope: slope(to: x, y, at: time)))
  }

  private func slope(to x: Double, _ y: Double, at time: Timestamp) -> Point {
    guard let newest = samples.last else { return .zero }
    let seconds = Double(time.microseconds(since: newest.time)) / 1e6
    return Point(x: (x - newest.x) / seconds, y: (y - newest.y) / seconds)
  }

  /// Forgets all samples.
  mutating func reset() {
    samples.removeAll()
    first = 0
  }

  /// The change a second of both values.
  ///
  /// A parabola is fitted to three samples or more by least squares, and its slope is bounded by
  /// those between two samples: where a finger stops, it overshoots. A line is drawn through two
  /// samples; of fewer, or where the newest is too old at `time`, both are 0.
  func velocity(at time: Timestamp) -> Point {
    guard let newest = samples.last, samples.count - first >= 2,
      time.microseconds(since: newest.time) <= Self.longestGap
    else { return .zero }
    let oldest = samples[first]
    // From -1, the oldest, to 0, the newest.
    let span = Double(newest.time.microseconds(since: oldest.time))
    guard samples.count - first > 2 else { return newest.slope }
    let unit = -1 / span
    var sums = Sums()
    // Between any two samples it is a mean of those between neighbours.
    var (least, greatest) = (newest.slope, newest.slope)
    for index in first..<samples.count {
      let sample = samples[index]
      if index > first {
        least = Point(x: min(least.x, sample.slope.x), y: min(least.y, sample.slope.y))
        greatest = Point(x: max(greatest.x, sample.slope.x), y: max(greatest.y, sample.slope.y))
      }
      let moment = Double(newest.time.microseconds(since: sample.time)) * unit
      sums.add(moment, sample.x - newest.x, sample.y - newest.y)
    }
    let slope = sums.slope
    return Point(
      x: min(max(slope.x * 1e6 / span, least.x), greatest.x),
      y: min(max(slope.y * 1e6 / span, least.y), greatest.y))
  }

  private mutating func compact() {
    for index in first..<samples.count { samples[index - first] = samples[index] }
    samples.truncate(to: samples.count - first)
    first = 0
  }
}

/// The normal equations of `v = a + b·t + c·t²`, for two values of v at once.
private struct Sums {
  private var one = 0.0
  private var t = 0.0
  private var t2 = 0.0
  private var t3 = 0.0
  private var t4 = 0.0
  private var v = Point.zero
  private var tv = Point.zero
  private var t2v = Point.zero

  mutating func add(_ moment: Double, _ x: Double, _ y: Double) {
    let square = moment * moment
    one += 1
    t += moment
    t2 += square
    t3 += square * moment
    t4 += square * square
    v = Point(x: v.x + x, y: v.y + y)
    tv = Point(x: tv.x + moment * x, y: tv.y + moment * y)
    t2v = Point(x: t2v.x + square * x, y: t2v.y + square * y)
  }

  /// b, the slope at t = 0, by Cramer's rule.
  var slope: Point {
    let determinant =
      one * (t2 * t4 - t3 * t3) - t * (t * t4 - t3 * t2) + t2 * (t * t3 - t2 * t2)
    guard determinant != 0 else { return .zero }
    return Point(
      x: slope(v.x, tv.x, t2v.x) / determinant, y: slope(v.y, tv.y, t2v.y) / determinant)
  }

  private func slope(_ v: Double, _ tv: Double, _ t2v: Double) -> Double {
    one * (tv * t4 - t3 * t2v) - v * (t * t4 - t3 * t2) + t2 * (t * t2v - tv * t2)
  }
}
