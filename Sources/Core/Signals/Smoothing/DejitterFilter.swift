import TouchModel

/// A weighted mean of the last four samples, which starts anew where the finger makes a large step.
/// Rule N4.
///
/// Weights and the default distance are those of tslib's dejitter.
struct DejitterFilter {
  /// In sixteenths, of two, three and four samples, the newest first.
  private static let weights: InlineArray<3, InlineArray<4, Double>> = [
    [10, 6, 0, 0], [8, 5, 3, 0], [6, 4, 3, 3],
  ]

  private let distance: Double
  /// The newest first.
  private var samples: InlineArray<4, Point>
  private var count = 1

  init(distance: Double, from first: Point) {
    self.distance = distance
    samples = InlineArray(repeating: first)
  }

  mutating func filter(_ point: Point) -> Point {
    if point.distance(to: samples[0]) > distance { count = 0 }
    for index in stride(from: 3, to: 0, by: -1) { samples[index] = samples[index - 1] }
    samples[0] = point
    count = min(count + 1, 4)
    guard count > 1 else { return point }
    var mean = Point.zero
    for index in 0..<count {
      let weight = Self.weights[count - 2][index] / 16
      mean.x += weight * samples[index].x
      mean.y += weight * samples[index].y
    }
    return mean
  }
}
