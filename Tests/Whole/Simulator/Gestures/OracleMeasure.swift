import Foundation
import TouchModel

/// What happened to a recognizer's fingers, one thing after the other.
enum OracleHappening {
  case came(TouchID, Point)
  case moved([(TouchID, Point)])
  case left(TouchID)
  /// The frame is over in which fingers left.
  case rested
}

/// What fingers measure, from the first of their samples to the last. Rule G16.
struct OracleMeasure {
  struct Sample {
    var time: Timestamp
    var translation: Point
    var scale: Double
    var rotation: Double
  }

  /// The fingers on the glass, in the order in which they came.
  private(set) var places: [(id: TouchID, place: Point)] = []
  /// In points of the screen.
  private(set) var translation = Point.zero
  /// Of the mean distance to the centroid.
  private(set) var distanceChange = 0.0
  private(set) var scale = 1.0
  /// Degrees, clockwise on the screen.
  private(set) var rotation = 0.0
  private(set) var location = Point.zero
  private(set) var samples: [Sample] = []
  /// Whether they moved while they were measured: without that nothing has gone 0 points either.
  private(set) var hasMoved = false

  private let fewest: Int
  /// What it was when a finger last came or went, and how the fingers lay then.
  private var base: (translation: Point, change: Double, scale: Double, rotation: Double) =
    (.zero, 0, 1, 0)
  private var anchor: (centroid: Point, distance: Double) = (.zero, 0)
  /// How the fingers lay in the frame before.
  private var before: [Point] = []
  /// Where the fingers were before the frame at hand, in which some have left.
  private var lift: Point?
  private var turned = 0.0

  init(_ log: [(time: Timestamp, what: OracleHappening)], fewest: Int) {
    self.fewest = fewest
    for (time, what) in log { take(what, at: time) }
  }

  var isMeasured: Bool { places.count >= fewest }

  var meanDistance: Double { Self.meanDistance(places.map(\.place)) }

  private mutating func take(_ what: OracleHappening, at time: Timestamp) {
    switch what {
    case .came(let id, let place):
      places.append((id, place))
      settle()
      if isMeasured { sample(at: time) }
    case .left(let id):
      lift = lift ?? location
      places.removeAll { $0.id == id }
      settle()
      // Those that are lifted in one frame leave from where they all were.
      if places.isEmpty, let lift { location = lift }
    case .rested: lift = nil
    case .moved(let moves):
      for (id, place) in moves {
        for index in places.indices where places[index].id == id { places[index].place = place }
      }
      location = Self.centroid(places.map(\.place)) ?? location
      guard isMeasured else { return }
      measure()
      sample(at: time)
    }
  }

  /// Goes on from where it is with other fingers.
  private mutating func settle() {
    location = Self.centroid(places.map(\.place)) ?? location
    base = (translation, distanceChange, scale, rotation)
    anchor = (location, meanDistance)
    before = places.map(\.place)
    turned = 0
  }

  private mutating func measure() {
    hasMoved = true
    translation = Point(
      x: base.translation.x + location.x - anchor.centroid.x,
      y: base.translation.y + location.y - anchor.centroid.y)
    distanceChange = base.change + meanDistance - anchor.distance
    if anchor.distance > 0 { scale = base.scale * meanDistance / anchor.distance }
    let now = places.map(\.place)
    turned += Self.turn(from: before, to: now)
    before = now
    rotation = base.rotation + turned
  }

  /// The angle in degrees by which arms about the centroid are to be turned, so that the squares of
  /// what is left between them and those now sum up to the least.
  ///
  /// In polar coordinates: each arm, turned by an angle, adds a cosine as high as both its lengths
  /// multiplied and shifted by its own change of angle; the sum of cosines is highest where their
  /// phasors' sum points.
  private static func turn(from old: [Point], to new: [Point]) -> Double {
    guard let start = centroid(old), let end = centroid(new) else { return 0 }
    var (x, y, largest) = (0.0, 0.0, 0.0)
    for (from, to) in zip(old, new) {
      let height = distance(from, start) * distance(to, end)
      let shift =
        atan2(to.y - end.y, to.x - end.x) - atan2(from.y - start.y, from.x - start.x)
      x += height * cos(shift)
      y += height * sin(shift)
      largest = max(largest, height)
    }
    // No angle is better than another, but for what is rounded off.
    let sum = (x * x + y * y).squareRoot()
    let longest = zip(old, new).map { max(distance($0, start), distance($1, end)) }.max() ?? 0
    guard largest > 1e-7, sum > 1e-9 * longest * longest else { return 0 }
    let angle = atan2(y, x) * 180 / .pi
    // Half a turn has no shorter way: it is clockwise, but for what angles round off.
    return angle <= -180 + 1e-8 ? angle + 360 : angle
  }

  private mutating func sample(at time: Timestamp) {
    if let last = samples.last {
      if last.time == time { samples.removeLast() }
      if time.microseconds - last.time.microseconds > 40_000 { samples.removeAll() }
    }
    samples.append(
      Sample(time: time, translation: translation, scale: scale, rotation: rotation))
  }

  /// The slope of a value at the newest sample, a second; 0 where that is too old. Rule G16.
  func slope(at time: Timestamp, _ value: (Sample) -> Double) -> Double {
    guard let newest = samples.last?.time,
      time.microseconds <= newest.microseconds + 40_000
    else { return 0 }
    let recent = samples.filter { $0.time.microseconds + 100_000 >= newest.microseconds }
    let times = recent.map {
      (Double($0.time.microseconds) - Double(newest.microseconds)) / 1_000_000
    }
    let values = recent.map(value)
    switch recent.count {
    case ...1: return 0
    case 2: return (values[1] - values[0]) / (times[1] - times[0])
    default:
      let pairs = Self.pairSlopes(times, values)
      let fitted = Self.quadraticSlope(times, values)
      return max(pairs.min() ?? fitted, min(pairs.max() ?? fitted, fitted))
    }
  }

  /// The slopes of the lines through any two.
  private static func pairSlopes(_ times: [Double], _ values: [Double]) -> [Double] {
    times.indices.flatMap { later in
      (0..<later).map { (values[later] - values[$0]) / (times[later] - times[$0]) }
    }
  }

  /// The slope at time 0 of the parabola with the least squares, by Gram and Schmidt.
  private static func quadraticSlope(_ times: [Double], _ values: [Double]) -> Double {
    let count = Double(times.count)
    let mean = times.reduce(0, +) / count
    let linear = times.map { $0 - mean }
    func dot(_ left: [Double], _ right: [Double]) -> Double {
      zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
    }
    let squares = linear.map { $0 * $0 }
    let tilt = dot(squares, linear) / dot(linear, linear)
    let level = squares.reduce(0, +) / count
    let square = zip(squares, linear).map { $0 - tilt * $1 - level }
    let first = dot(values, linear) / dot(linear, linear)
    let second = dot(values, square) / dot(square, square)
    // At time 0 the linear part has the slope 1, and the square one 2 (0 - mean) - tilt.
    return first + second * (-2 * mean - tilt)
  }

  static func centroid(_ places: [Point]) -> Point? {
    guard !places.isEmpty else { return nil }
    let count = Double(places.count)
    return Point(
      x: places.reduce(0) { $0 + $1.x } / count, y: places.reduce(0) { $0 + $1.y } / count)
  }

  static func distance(_ left: Point, _ right: Point) -> Double {
    let (x, y) = (left.x - right.x, left.y - right.y)
    return (x * x + y * y).squareRoot()
  }

  private static func meanDistance(_ places: [Point]) -> Double {
    guard let centroid = centroid(places) else { return 0 }
    return places.reduce(0) { $0 + distance($1, centroid) } / Double(places.count)
  }
}
