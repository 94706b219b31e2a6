import TouchModel

/// How fast two values change: of the samples of the last 100 ms the slope at the newest. Rule G16.
///
/// What a frame costs does not depend on how many samples there are: sums of theirs are kept, and
/// are only ever added to. They count from one sample, the pivot, as origin. For each sample up to
/// the pivot there are the sums of it and those behind it, to the pivot; and there are the sums of
/// all that came later. When the pivot itself has become too old, a newer one takes its place. Who
/// never asks how fast it goes pays for no sums.
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
  /// How many are in the sums. The newest never is: another of its time may take its place.
  private var summed = 0
  /// Where the pivot is; less than ``first`` where there is none.
  private var pivot = -1
  /// By how many samples before the pivot: the sums from there to the pivot.
  private var upToPivot: ReusableArray<SampleSums> = []
  /// The sums of those behind the pivot.
  private var behindPivot = SampleSums()

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
    summed = 0
    pivot = -1
  }

  /// The change a second of both values.
  ///
  /// A parabola is fitted to three samples or more by least squares, and its slope is bounded by
  /// those between two samples: where a finger stops, it overshoots. A line is drawn through two
  /// samples; of fewer, or where the newest is too old at `time`, both are 0.
  mutating func velocity(at time: Timestamp) -> Point {
    guard let newest = samples.last, samples.count - first >= 2,
      time.microseconds(since: newest.time) <= Self.longestGap
    else { return .zero }
    guard samples.count - first > 2 else { return newest.slope }
    addNewer()
    var sums = upToPivot[pivot - first]
    sums.add(behindPivot)
    let origin = samples[pivot]
    sums.move(
      by: Self.moment(of: newest, since: origin), newest.x - origin.x, newest.y - origin.y)
    sums.addOrigin()
    sums.bound(by: newest.slope)
    return sums.boundedSlope(unitsPerSecond: 1e6 / Double(Self.horizon))
  }

  /// When a sample was, since another one, in the time that samples count for.
  private static func moment(of sample: Sample, since other: Sample) -> Double {
    sample.time >= other.time
      ? Double(sample.time.microseconds(since: other.time)) / Double(horizon)
      : -Double(other.time.microseconds(since: sample.time)) / Double(horizon)
  }

  /// Adds those to the sums that have come since, but for the newest.
  private mutating func addNewer() {
    if pivot < first { return movePivot(to: samples.count - 2) }
    while summed < samples.count - 1 {
      behindPivot.add(
        Self.moment(of: samples[summed], since: samples[pivot]),
        samples[summed].x - samples[pivot].x, samples[summed].y - samples[pivot].y)
      behindPivot.bound(by: samples[summed].slope)
      summed += 1
    }
  }

  private mutating func movePivot(to index: Int) {
    pivot = index
    summed = index + 1
    behindPivot = SampleSums()
    upToPivot.removeAll()
    var sums = SampleSums()
    sums.addOrigin()
    upToPivot.append(sums)
    // Between any two samples the slope is a mean of those between neighbours.
    for index in stride(from: pivot - 1, through: first, by: -1) {
      sums.bound(by: samples[index + 1].slope)
      sums.add(
        Self.moment(of: samples[index], since: samples[pivot]),
        samples[index].x - samples[pivot].x, samples[index].y - samples[pivot].y)
      upToPivot.append(sums)
    }
  }

  private mutating func compact() {
    for index in first..<samples.count { samples[index - first] = samples[index] }
    samples.truncate(to: samples.count - first)
    summed = max(0, summed - first)
    pivot = max(-1, pivot - first)
    first = 0
  }
}
