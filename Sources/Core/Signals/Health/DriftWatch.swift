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
  /// How many of them hit each target, and the sum of their offsets.
  private var targets: [Int32: (count: Int, sum: Point)] = [:]

  /// Takes a touch that was lifted.
  mutating func take(_ tap: TapOffset, lasting microseconds: UInt64) {
    guard microseconds <= Self.longestTap else { return }
    if taps.count == Self.tapCount { count(taps.removeFirst(), -1) }
    taps.append(tap)
    count(tap, 1)
  }

  private mutating func count(_ tap: TapOffset, _ change: Int) {
    var (count, sum) = targets[tap.target] ?? (0, .zero)
    count += change
    sum.x += Double(change) * tap.offset.x
    sum.y += Double(change) * tap.offset.y
    targets[tap.target] = count == 0 ? nil : (count, sum)
  }

  /// How far taps lie off, if that is at least so many points; nil where it is not, or not known.
  func drift(ofAtLeast points: UInt64) -> Point? {
    guard points > 0, taps.count == Self.tapCount else { return nil }
    let means = means
    guard means.count >= Self.leastTargets else { return nil }
    var mean = Point.zero
    for target in means {
      mean.x += target.x / Double(means.count)
      mean.y += target.y / Double(means.count)
    }
    guard mean.distance(to: .zero) >= Double(points),
      means.allSatisfy({ $0.x * mean.x + $0.y * mean.y > 0 })
    else { return nil }
    return mean
  }

  /// Of each target that counts.
  private var means: [Point] {
    let counting = targets.values.filter { $0.count >= Self.leastTaps }
    guard counting.reduce(0, { $0 + $1.count }) > Self.tapCount / 2 else { return [] }
    return counting.map { target in
      Point(x: target.sum.x / Double(target.count), y: target.sum.y / Double(target.count))
    }
  }
}
