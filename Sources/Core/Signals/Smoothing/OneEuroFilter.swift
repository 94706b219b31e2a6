import TouchModel

/// The One Euro filter (Casiez, Roussel and Vogel, CHI 2012): a low pass whose cutoff grows with
/// the speed, so that a finger at rest is calm and a fast one hardly lags. Rule N4.
struct OneEuroFilter {
  /// Hz. The authors' constant.
  static let derivativeCutoff = 1.0

  /// The filter of one coordinate.
  struct Axis {
    private(set) var value: Double
    private var speed = 0.0

    init(_ first: Double) { value = first }

    mutating func filter(
      _ new: Double, seconds: Double, minimumCutoff: Double, beta: Double
    ) -> Double {
      let raw = (new - value) / seconds
      speed += Self.alpha(OneEuroFilter.derivativeCutoff, seconds) * (raw - speed)
      value += Self.alpha(minimumCutoff + beta * speed.magnitude, seconds) * (new - value)
      return value
    }

    private static func alpha(_ cutoff: Double, _ seconds: Double) -> Double {
      1 / (1 + 1 / (2 * Double.pi * cutoff * seconds))
    }
  }

  private let minimumCutoff: Double
  private let beta: Double
  private var x: Axis
  private var y: Axis
  private var time: Timestamp
  /// The latest time between two samples: reports of one time share it.
  private var seconds = 1.0 / 120

  init(minimumCutoff: Double, beta: Double, from first: Point, at time: Timestamp) {
    self.minimumCutoff = minimumCutoff
    self.beta = beta
    x = Axis(first.x)
    y = Axis(first.y)
    self.time = time
  }

  mutating func filter(_ point: Point, at now: Timestamp) -> Point {
    if now > time { seconds = Double(now.microseconds(since: time)) / 1_000_000 }
    time = max(time, now)
    return Point(
      x: x.filter(point.x, seconds: seconds, minimumCutoff: minimumCutoff, beta: beta),
      y: y.filter(point.y, seconds: seconds, minimumCutoff: minimumCutoff, beta: beta))
  }
}
