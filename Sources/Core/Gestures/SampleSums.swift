import TouchModel

/// What a least-squares fit of `v = a + b·t + c·t²` wants to know of samples, for two values of v,
/// and the bounds of their slopes. Rule G16.
struct SampleSums: BitwiseCopyable {
  private var one = 0.0
  private var t = 0.0
  private var t2 = 0.0
  private var t3 = 0.0
  private var t4 = 0.0
  private var v = Point.zero
  private var tv = Point.zero
  private var t2v = Point.zero
  private var least = Point(x: .infinity, y: .infinity)
  private var greatest = Point(x: -.infinity, y: -.infinity)

  /// Adds a sample.
  ///
  /// - Parameters:
  ///   - moment: Its t.
  ///   - x: Its first v, as y is its second.
  @inline(__always)
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

  /// Adds a sample at the origin.
  @inline(__always)
  mutating func addOrigin() { one += 1 }

  /// Adds the samples of others, with the same origin.
  @inline(__always)
  mutating func add(_ others: SampleSums) {
    one += others.one
    t += others.t
    t2 += others.t2
    t3 += others.t3
    t4 += others.t4
    v = Point(x: v.x + others.v.x, y: v.y + others.v.y)
    tv = Point(x: tv.x + others.tv.x, y: tv.y + others.tv.y)
    t2v = Point(x: t2v.x + others.t2v.x, y: t2v.y + others.t2v.y)
    bound(from: others.least, to: others.greatest)
  }

  /// Takes in the slope between two samples.
  @inline(__always)
  mutating func bound(by slope: Point) { bound(from: slope, to: slope) }

  @inline(__always)
  private mutating func bound(from low: Point, to high: Point) {
    least = Point(x: Swift.min(least.x, low.x), y: Swift.min(least.y, low.y))
    greatest = Point(x: Swift.max(greatest.x, high.x), y: Swift.max(greatest.y, high.y))
  }

  /// Moves the origin to that moment and those values.
  @inline(__always)
  mutating func move(by moment: Double, _ x: Double, _ y: Double) {
    let square = moment * moment
    t4 +=
      moment * (-4 * t3 + moment * (6 * t2 + moment * (-4 * t + moment * one)))
    t3 += moment * (-3 * t2 + moment * (3 * t - moment * one))
    t2 += moment * (-2 * t + moment * one)
    t -= moment * one
    t2v = Point(
      x: t2v.x - 2 * moment * tv.x + square * v.x - x * t2,
      y: t2v.y - 2 * moment * tv.y + square * v.y - y * t2)
    tv = Point(x: tv.x - moment * v.x - x * t, y: tv.y - moment * v.y - y * t)
    v = Point(x: v.x - one * x, y: v.y - one * y)
  }

  /// b, the slope at the origin, by Cramer's rule, but not beyond the bounds.
  ///
  /// - Parameter unitsPerSecond: How many of the moments are a second; bounds count by seconds.
  @inline(__always)
  func boundedSlope(unitsPerSecond: Double) -> Point {
    let determinant =
      one * (t2 * t4 - t3 * t3) - t * (t * t4 - t3 * t2) + t2 * (t * t3 - t2 * t2)
    let scale = determinant == 0 ? 0 : unitsPerSecond / determinant
    return Point(
      x: min(max(slope(v.x, tv.x, t2v.x) * scale, least.x), greatest.x),
      y: min(max(slope(v.y, tv.y, t2v.y) * scale, least.y), greatest.y))
  }

  private func slope(_ v: Double, _ tv: Double, _ t2v: Double) -> Double {
    one * (tv * t4 - t3 * t2v) - v * (t * t4 - t3 * t2) + t2 * (t * t2v - tv * t2)
  }
}
