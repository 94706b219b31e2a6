package import TouchModel

/// The map that brings presses nearest to where they should have been, by least squares.
package struct AffineFit {
  /// A press, and where it should have been.
  package struct Pair: Equatable, Sendable {
    /// Where the device says that it was, in normalised coordinates: 0 to 1 across the device.
    package var pressed: Point
    /// Where the cross was, in the same coordinates.
    package var wanted: Point

    /// A pair of those two.
    package init(pressed: Point, wanted: Point) {
      self.pressed = pressed
      self.wanted = wanted
    }
  }

  /// Why there is no map.
  package enum Failure: Error, Equatable, Sendable {
    /// Three numbers of each row can't be had of fewer presses.
    case tooFew
    /// All presses were within a small part of the device.
    case onePlace(Point)
    /// All presses lie on one line, or nearly: it has no width to tell the other axis by.
    case oneLine
  }

  /// The map, of normalised coordinates.
  package let transform: AffineTransform

  /// So many widths of the device presses must be spread in every direction, as their standard
  /// deviation. Five crosses near the corners and in the middle have a third.
  private static let leastSpread = 0.02

  /// A fit of at least three presses.
  package init(_ pairs: [Pair]) throws(Failure) {
    guard pairs.count >= 3 else { throw .tooFew }
    let count = Double(pairs.count)
    let mean = Point(
      x: pairs.map(\.pressed.x).reduce(0, +) / count,
      y: pairs.map(\.pressed.y).reduce(0, +) / count)
    // About their middle the constants are independent of the rest, and the sums are small.
    var (xx, xy, yy) = (0.0, 0.0, 0.0)
    var x = Row()
    var y = Row()
    for pair in pairs {
      let u = pair.pressed.x - mean.x
      let v = pair.pressed.y - mean.y
      xx += u * u
      xy += u * v
      yy += v * v
      x.add(u, v, pair.wanted.x)
      y.add(u, v, pair.wanted.y)
    }
    let spread = Self.spread(xx / count, xy / count, yy / count)
    guard spread.most >= Self.leastSpread else { throw .onePlace(mean) }
    guard spread.least >= Self.leastSpread else { throw .oneLine }
    let determinant = xx * yy - xy * xy
    func solve(_ row: Row) -> (u: Double, v: Double, constant: Double) {
      let u = (row.u * yy - row.v * xy) / determinant
      let v = (row.v * xx - row.u * xy) / determinant
      return (u, v, row.sum / count - u * mean.x - v * mean.y)
    }
    let (first, second) = (solve(x), solve(y))
    transform = AffineTransform(
      a: first.u, b: second.u, c: first.v, d: second.v, tx: first.constant, ty: second.constant)
  }

  /// The sums of one of the two rows.
  private struct Row {
    var u = 0.0
    var v = 0.0
    var sum = 0.0

    mutating func add(_ u: Double, _ v: Double, _ wanted: Double) {
      self.u += u * wanted
      self.v += v * wanted
      sum += wanted
    }
  }

  /// The standard deviations along the two axes of a covariance.
  private static func spread(
    _ xx: Double, _ xy: Double, _ yy: Double
  ) -> (least: Double, most: Double) {
    let middle = (xx + yy) / 2
    let radius = (((xx - yy) / 2) * ((xx - yy) / 2) + xy * xy).squareRoot()
    return (max(0, middle - radius).squareRoot(), (middle + radius).squareRoot())
  }
}
