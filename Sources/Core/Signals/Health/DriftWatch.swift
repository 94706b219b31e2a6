import TouchModel

/// Whether taps lie off the middle of what they hit, all to one side. Rule N10.
///
/// People tap beside a middle too, where a label is. So the means of several targets are looked at:
/// each must lie to that side.
struct DriftWatch {
  /// A longer touch is no tap, in microseconds.
  private static let longestTap: UInt64 = 250_000
  /// As many taps are looked at.
  private static let tapCount = 120
  /// So many taps make a target count.
  private static let leastTaps = 6
  /// So many targets must count, with more than half of the taps.
  private static let leastTargets = 4

  private var taps: [TapOffset] = []

  /// Takes a touch that was lifted.
  mutating func take(_ tap: TapOffset, lasting microseconds: UInt64) {
    guard microseconds <= Self.longestTap else { return }
    if taps.count == Self.tapCount { taps.removeFirst() }
    taps.append(tap)
  }

  /// How far taps lie off, if that is at least so many points; nil where it is not, or not known.
  func drift(ofAtLeast points: UInt64) -> Point? {
    guard points > 0, taps.count == Self.tapCount else { return nil }
    let means = means
    guard means.count >= Self.leastTargets else { return nil }
    let mean = Self.mean(means)
    guard mean.distance(to: .zero) >= Double(points),
      means.allSatisfy({ $0.x * mean.x + $0.y * mean.y > 0 })
    else { return nil }
    return mean
  }

  /// Of each target that counts.
  private var means: [Point] {
    var offsets: [Int32: [Point]] = [:]
    for tap in taps { offsets[tap.target, default: []].append(tap.offset) }
    let counting = offsets.values.filter { $0.count >= Self.leastTaps }
    guard counting.reduce(0, { $0 + $1.count }) > Self.tapCount / 2 else { return [] }
    return counting.map(Self.mean)
  }

  private static func mean(_ points: [Point]) -> Point {
    let sum = points.reduce(Point.zero) { Point(x: $0.x + $1.x, y: $0.y + $1.y) }
    return Point(x: sum.x / Double(points.count), y: sum.y / Double(points.count))
  }
}
