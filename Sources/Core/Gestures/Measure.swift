import TouchModel

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// How some fingers lie, and what they did since the frame before, in points of the screen. Rule
/// G16.
struct Measure: BitwiseCopyable {
  /// Far less than a touchscreen can tell of an angle, and more than is rounded off.
  private static let rounding = 1e-9
  /// Where all arms are shorter than this, in points, they are but what sums round off.
  private static let shortestArm = 1e-6

  /// Whose it is.
  let fingers: FingerSet
  /// The mean of where they are.
  private(set) var centroid = Point.zero
  /// The furthest that one of them is from where it came down.
  private(set) var farthest = 0.0
  /// The mean distance to the centroid; 0 where nobody asked for it.
  private(set) var meanDistance = 0.0
  /// How far they turned about the centroid, in degrees, from x to y; 0 where nobody asked for it.
  private(set) var turn = 0.0

  /// Measures one finger or more.
  ///
  /// - Parameter withTurns: Whether their distances and angles are asked for.
  init(_ fingers: FingerSet, _ all: Span<TrackedTouches.Finger>, withTurns: Bool) {
    self.fingers = fingers
    var sum = Point.zero
    var before = Point.zero
    var farthest = 0.0
    var count = 0.0
    fingers.forEach { index in
      let location = all[index].location
      let x = location.x - all[index].beginning.x
      let y = location.y - all[index].beginning.y
      farthest = max(farthest, x * x + y * y)
      sum = Point(x: sum.x + location.x, y: sum.y + location.y)
      before = Point(x: before.x + all[index].previous.x, y: before.y + all[index].previous.y)
      count += 1
    }
    centroid = Point(x: sum.x / count, y: sum.y / count)
    self.farthest = farthest.squareRoot()
    guard withTurns, count > 1 else { return }
    before = Point(x: before.x / count, y: before.y / count)
    addTurns(all, from: before, count)
  }

  /// Adds the rotation about the centroid that takes the arms before best to those now, by least
  /// squares: an arm counts as long as it is, and one without length not at all.
  private mutating func addTurns(
    _ all: Span<TrackedTouches.Finger>, from before: Point, _ count: Double
  ) {
    var distances = 0.0
    var (across, along) = (0.0, 0.0)
    var (squares0, squares1) = (0.0, 0.0)
    fingers.forEach { index in
      let x0 = all[index].previous.x - before.x
      let y0 = all[index].previous.y - before.y
      let x1 = all[index].location.x - centroid.x
      let y1 = all[index].location.y - centroid.y
      let square = x1 * x1 + y1 * y1
      distances += square.squareRoot()
      squares0 += x0 * x0 + y0 * y0
      squares1 += square
      across += x0 * y1 - y0 * x1
      along += x0 * x1 + y0 * y1
    }
    meanDistance = distances / count
    turn = Self.angle(across, along, squares0, squares1) * 180 / .pi
  }

  /// The angle of the rotation that fits best; 0 where rounding would choose one.
  ///
  /// - Parameters:
  ///   - across: The sum of the cross products of the arms before and now.
  ///   - along: The sum of their dot products.
  ///   - squares0: The sum of the squares of the arms before, as squares1 is of those now.
  private static func angle(
    _ across: Double, _ along: Double, _ squares0: Double, _ squares1: Double
  ) -> Double {
    let shortest = shortestArm * shortestArm
    guard squares0 > shortest, squares1 > shortest else { return 0 }
    let least = squares0 * squares1 * rounding * rounding
    guard across * across + along * along > least else { return 0 }
    // Half a turn has no shorter way. Rounding must not choose one.
    if along < 0, across.magnitude <= -along * rounding { return .pi }
    return atan2(across, along)
  }
}
