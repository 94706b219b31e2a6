package import TouchModel

/// How a digitizer can be mounted: one of the eight ways to lay a rectangle onto itself.
package struct Orientation: Equatable, Sendable, CaseIterable {
  /// Whether x is inverted, before x and y are swapped.
  package var invertsX: Bool
  /// Whether y is inverted, before x and y are swapped.
  package var invertsY: Bool
  /// Whether x and y are swapped.
  package var swaps: Bool

  /// A way.
  package init(invertsX: Bool = false, invertsY: Bool = false, swaps: Bool = false) {
    self.invertsX = invertsX
    self.invertsY = invertsY
    self.swaps = swaps
  }

  /// All eight.
  package static var allCases: [Orientation] {
    [false, true].flatMap { swaps in
      [false, true].flatMap { y in
        [false, true].map { Orientation(invertsX: $0, invertsY: y, swaps: swaps) }
      }
    }
  }

  /// The map of normalised coordinates.
  package var transform: AffineTransform {
    let x = invertsX ? (-1.0, 1.0) : (1.0, 0.0)
    let y = invertsY ? (-1.0, 1.0) : (1.0, 0.0)
    return swaps
      ? AffineTransform(a: 0, b: x.0, c: y.0, d: 0, tx: y.1, ty: x.1)
      : AffineTransform(a: x.0, b: 0, c: 0, d: y.0, tx: x.1, ty: y.1)
  }

  /// The turn that it is, as `rotation` has it; nil where it is a mirror image.
  package var rotation: Screen.Rotation? {
    switch (invertsX, invertsY, swaps) {
    case (false, false, false): Screen.Rotation.none
    case (false, true, true): .quarter
    case (true, true, false): .half
    case (true, false, true): .threeQuarters
    default: nil
    }
  }
}

extension Screen.Rotation {
  /// This turn and then another one.
  package func followed(by other: Screen.Rotation) -> Screen.Rotation {
    Screen.Rotation(rawValue: (rawValue + other.rawValue) % 360) ?? .none
  }
}
