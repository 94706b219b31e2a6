import TouchModel

/// A low pass of the first order: each sample moves the point by 1 - weight of the way. Rule N4.
///
/// As tslib's iir with N / D = weight, but for its rounding to the device's units.
struct IIRFilter {
  private let weight: Double
  /// What it last made; a test rounds it as tslib does.
  var point: Point

  init(weight: Double, from first: Point) {
    self.weight = weight
    point = first
  }

  mutating func filter(_ new: Point) -> Point {
    point.x = weight * point.x + (1 - weight) * new.x
    point.y = weight * point.y + (1 - weight) * new.y
    return point
  }
}
