package import TouchModel

/// What presses on crosses say of how a touchscreen lies on its screen.
package struct Calibration {
  /// What mends it.
  package enum Remedy: Equatable, Sendable {
    /// Nothing: presses are where they should be.
    case none
    /// It is mounted another way.
    case orientation(Orientation)
    /// libinput's matrix.
    case matrix([Double])
  }

  /// Why presses give no calibration.
  package enum Failure: Error, Equatable, Sendable {
    /// There is no map for them.
    case fit(AffineFit.Failure)
    /// They are too far from where the best map puts them. `worst` is the one whose absence helps
    /// most, from 0, if without it the others fit.
    case badFit(residual: Double, limit: Double, worst: Int?)
  }

  /// What is to be done.
  package let remedy: Remedy
  /// How far presses are from their crosses now, in points: on average, and at most.
  package let before: Distances
  /// How far they are from them with the remedy.
  package let after: Distances
  /// What the device's coordinates have to go through: a matrix of libinput's as the configuration
  /// has it.
  package let matrix: [Double]

  /// Distances between presses and crosses, in points.
  package struct Distances: Equatable, Sendable {
    /// The square root of the mean of their squares. A map that was fitted to the presses lies
    /// nearer to them than it should, since it follows their errors: that is taken off.
    package var rms: Double
    /// The largest.
    package var most: Double
  }

  /// Of the diagonal: a residual beyond this is no calibration. On a panel of 7 inches it is 2.7
  /// mm.
  package static let residualShare = 0.015
  /// Of the diagonal: presses that are as near as this to their crosses on average need no further
  /// calibration, nor those that are hardly farther than with the best map.
  package static let goodShare = 0.004
  /// What is hardly farther.
  private static let goodFactor = 1.5

  /// What to do about a touchscreen.
  ///
  /// - Parameters:
  ///   - pairs: The presses in the device's own coordinates, with no matrix in force, and the
  ///     crosses where the device would have them if it lay on the panel as it should.
  ///   - present: The matrix that is in force.
  ///   - size: The part of the screen that the device covers, in points, along the device's axes.
  package init(
    _ pairs: [AffineFit.Pair], present: AffineTransform, size: Size
  ) throws(Failure) {
    let fit: AffineFit
    do throws(AffineFit.Failure) { fit = try AffineFit(pairs) } catch { throw .fit(error) }
    let diagonal = (size.width * size.width + size.height * size.height).squareRoot()
    let limit = diagonal * Self.residualShare
    let residual = Self.distances(pairs, fit.transform, size, isFitted: true)
    guard residual.rms <= limit else {
      throw .badFit(
        residual: residual.rms, limit: limit, worst: Self.worst(pairs, size, limit: limit))
    }
    before = Self.distances(pairs, present, size)
    let good = max(diagonal * Self.goodShare, residual.rms * Self.goodFactor)
    let turned = Orientation.allCases
      .map { ($0, Self.distances(pairs, $0.transform, size)) }.min { $0.1.rms < $1.1.rms }
    if before.rms <= good {
      remedy = .none
      after = before
      matrix = Self.numbers(present)
    } else if let turned, turned.1.rms <= good {
      remedy = .orientation(turned.0)
      after = turned.1
      matrix = Self.numbers(turned.0.transform)
    } else {
      let numbers = Self.numbers(fit.transform)
      remedy = .matrix(numbers)
      after = residual
      matrix = numbers
    }
  }

  /// As libinput has them: x' = m0 x + m1 y + m2, y' = m3 x + m4 y + m5.
  private static func numbers(_ map: AffineTransform) -> [Double] {
    [map.a, map.c, map.tx, map.b, map.d, map.ty]
  }

  private static func distances(
    _ pairs: [AffineFit.Pair], _ map: AffineTransform, _ size: Size, isFitted: Bool = false
  ) -> Distances {
    let squares = pairs.map { pair in
      let point = map.apply(pair.pressed)
      let dx = (point.x - pair.wanted.x) * size.width
      let dy = (point.y - pair.wanted.y) * size.height
      return dx * dx + dy * dy
    }
    // Each press gives two numbers, and the map has six.
    let count = Double(max(1, isFitted ? squares.count - 3 : squares.count))
    let mean = squares.reduce(0, +) / count
    return Distances(rms: mean.squareRoot(), most: (squares.max() ?? 0).squareRoot())
  }

  /// The press without which the others fit best, if they then fit.
  private static func worst(_ pairs: [AffineFit.Pair], _ size: Size, limit: Double) -> Int? {
    // Four presses and six numbers leave two to tell by.
    guard pairs.count >= 5 else { return nil }
    let fits = pairs.indices.compactMap { index -> (index: Int, rms: Double)? in
      var others = pairs
      others.remove(at: index)
      guard let fit = try? AffineFit(others) else { return nil }
      return (index, distances(others, fit.transform, size, isFitted: true).rms)
    }
    guard let best = fits.min(by: { $0.rms < $1.rms }), best.rms <= limit / 2 else { return nil }
    return best.index
  }
}
