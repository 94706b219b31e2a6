import TouchModel

/// The One Euro filter (Casiez, Roussel and Vogel, CHI 2012): a low pass whose cutoff grows with
/// the speed, so that a finger at rest is calm and a fast one hardly lags. Rule N4.
///
/// The authors take the speed through a low pass of 1 Hz. So a finger that starts to move would be
/// ahead by ten points, and noise passes for speed. Both are mended by what is known of the noise:
/// - A sample that is further off than noise explains gives the speed at once, as trackers notice a
///   manoeuvre by the innovation (Bar-Shalom, Li and Kirubarajan, 2001, chapter 11).
/// - Speed that noise alone would make is no speed.
struct OneEuroFilter {
  /// Hz. The authors' constant.
  static let derivativeCutoff = 1.0
  /// So many deviations of the noise from the filtered point is a movement, and so many points at
  /// least.
  private static let gate = (deviations: 3.5, points: NoiseEstimate.least * 3.5)
  /// So many deviations of the speed that noise makes are no speed.
  private static let stillness = 2.0

  /// The filter of one coordinate.
  struct Axis {
    private(set) var value: Double
    private var speed = 0.0

    init(_ first: Double) { value = first }

    /// - Parameter noise: The standard deviation of the samples at rest; nil filters as the authors
    ///   do.
    mutating func filter(
      _ new: Double, seconds: Double, minimumCutoff: Double, beta: Double, noise: Double? = nil
    ) -> Double {
      let innovation = new - value
      let raw = innovation / seconds
      let weight = Self.alpha(OneEuroFilter.derivativeCutoff, seconds)
      speed += weight * (raw - speed)
      var moving = speed.magnitude
      if let noise {
        let (deviations, points) = OneEuroFilter.gate
        let gate = min(max(deviations * noise, points), Smoother.bound)
        if innovation.magnitude > gate, raw.magnitude > moving {
          speed = raw
          moving = raw.magnitude
        }
        let ofNoise = noise / seconds * (weight / 2).squareRoot()
        moving = max(0, moving - OneEuroFilter.stillness * ofNoise)
      }
      value += Self.alpha(minimumCutoff + beta * moving, seconds) * innovation
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
  private var noise: (x: NoiseEstimate, y: NoiseEstimate)
  private var time: Timestamp
  /// The latest time between two samples: reports of one time share it.
  private var seconds = 1.0 / 120

  init(minimumCutoff: Double, beta: Double, from first: Point, at time: Timestamp) {
    self.minimumCutoff = minimumCutoff
    self.beta = beta
    x = Axis(first.x)
    y = Axis(first.y)
    noise = (NoiseEstimate(first.x), NoiseEstimate(first.y))
    self.time = time
  }

  mutating func filter(_ point: Point, at now: Timestamp) -> Point {
    if now > time { seconds = Double(now.microseconds(since: time)) / 1_000_000 }
    time = max(time, now)
    return Point(
      x: x.filter(
        point.x, seconds: seconds, minimumCutoff: minimumCutoff, beta: beta,
        noise: noise.x.take(point.x)),
      y: y.filter(
        point.y, seconds: seconds, minimumCutoff: minimumCutoff, beta: beta,
        noise: noise.y.take(point.y)))
  }
}

/// How much one coordinate trembles, whether the finger rests or moves evenly: by second
/// differences (von Neumann, 1941).
struct NoiseEstimate {
  /// What is taken for its standard deviation at first, in points.
  static let least = 2.0 / 3.5
  /// The mean second difference of noise whose standard deviation is 1: √6 × √(2/π).
  private static let ratio = 1.954
  /// Of each sample so much.
  private static let weight = 0.05

  private var last: Double
  private var beforeLast: Double?
  private var meanDifference = least * ratio

  init(_ first: Double) { last = first }

  /// Takes a sample; the standard deviation as it is known with it.
  mutating func take(_ new: Double) -> Double {
    if let beforeLast {
      let difference = (new - 2 * last + beforeLast).magnitude
      // A start or a stop is no noise: it counts for little.
      let counted = min(difference, 4 * meanDifference + 1)
      meanDifference += Self.weight * (counted - meanDifference)
    }
    (beforeLast, last) = (last, new)
    return meanDifference / Self.ratio
  }
}
