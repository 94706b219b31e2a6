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

  /// Whose it is.
  let fingers: FingerSet
  /// The mean of where they are.
  private(set) var centroid = Point.zero
  /// The furthest that one of them is from where it came down.
  private(set) var farthest = 0.0
  /// The mean distance to the centroid; 0 where nobody asked for it.
  private(set) var meanDistance = 0.0
  /// The mean of the changes of angle about the centroid, in degrees, from x to y; 0 where nobody
  /// asked for it.
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

  /// A finger on the centroid has no angle, and does not turn.
  ///
  /// Angles add up where complex numbers are multiplied: of fingers that each turned but little, so
  /// that all of them together are less than half a turn, the sum is the angle of one product.
  private mutating func addTurns(
    _ all: Span<TrackedTouches.Finger>, from before: Point, _ count: Double
  ) {
    var distances = 0.0
    var turns = 0.0
    var product = Point(x: 1, y: 0)
    fingers.forEach { index in
      let x0 = all[index].previous.x - before.x
      let y0 = all[index].previous.y - before.y
      let x1 = all[index].location.x - centroid.x
      let y1 = all[index].location.y - centroid.y
      distances += (x1 * x1 + y1 * y1).squareRoot()
      // The angle between the two arms, from -180 to 180 degrees. Of an arm without length both
      // are 0, of which atan2 asks the sign.
      let (across, along) = (x0 * y1 - y0 * x1, x0 * x1 + y0 * y1)
      if along > 0, across.magnitude * count <= 3 * along {
        // Of at most 3 / count, as no angle is more than its tangent; and 3 are less than π.
        let tangent = across / along
        product = Point(
          x: product.x - product.y * tangent, y: product.y + product.x * tangent)
      } else if along < 0, across.magnitude <= -along * Self.rounding {
        // Half a turn has no shorter way. Rounding must not choose one.
        turns += .pi
      } else if across != 0 || along != 0 {
        turns += atan2(across, along)
      }
    }
    turns += atan2(product.y, product.x)
    meanDistance = distances / count
    turn = turns / count * 180 / .pi
  }
}
