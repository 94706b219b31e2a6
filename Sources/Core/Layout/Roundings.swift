import TouchModel

/// How far the two ways may be apart by which a view's place on its screen is computed: forward for
/// its box, and backward, view by view, for a touch.
///
/// A coordinate of 1e9 is rounded to 1e-7, which a transform of 1e9 makes 100 points on the screen.
struct Roundings {
  /// Ulps that one step may be off; ten times that for safety.
  private static let ulps = 60.0

  /// The largest coordinates of points of the screen in the view at hand.
  private var range: Double
  /// In ulps of 1, on the screen.
  private var error = 0.0

  /// On the screen itself.
  init(_ screen: Size) { range = screen.width + screen.height }

  /// Takes in a step from a superview's coordinates to a view's, or from the screen's to a root's.
  ///
  /// - Parameter toScreen: From the view's coordinates to the screen's.
  mutating func take(_ step: ViewTree.Step, _ toScreen: AffineTransform) {
    let center = abs(step.center.x) + abs(step.center.y)
    let offset = abs(step.offset.x) + abs(step.offset.y)
    let inverse = AffineTransform(a: step.a, b: step.b, c: step.c, d: step.d, tx: 0, ty: 0)
    range = inverse.growth * (range + center) + offset
    error += range * toScreen.growth
  }

  /// Whether both ways come to the same place, but for what areas leave aside.
  var areSmall: Bool { Self.ulps * .ulpOfOne * error <= WindowReach.tolerance }
}

extension AffineTransform {
  /// By how much it makes a distance larger at most.
  fileprivate var growth: Double { abs(a) + abs(b) + abs(c) + abs(d) }
}
