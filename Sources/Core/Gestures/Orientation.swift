package import TouchModel

/// How the view of a recognizer, or its screen, lies on the screen: what directions, edges and
/// values are told by. Rule G16.
package struct Orientation: BitwiseCopyable, Equatable, Sendable {
  /// From points of the screen to the view's own coordinates.
  private let toView: AffineTransform
  /// The view's bounds, in its own coordinates, without its outset.
  private let bounds: Rect
  /// How many points of the screen one along x, and along y, of the view is.
  private let unit: Point

  /// That of a view.
  ///
  /// - Parameters:
  ///   - toView: From points of the screen to the view's own coordinates.
  ///   - bounds: Its bounds, in its own coordinates.
  package init(toView: AffineTransform, bounds: Rect) {
    self.toView = toView
    self.bounds = bounds
    let toScreen = toView.inverted() ?? .identity
    unit = Point(
      x: (toScreen.a * toScreen.a + toScreen.b * toScreen.b).squareRoot(),
      y: (toScreen.c * toScreen.c + toScreen.d * toScreen.d).squareRoot())
  }

  /// That of a screen of that size.
  package init(screenOf size: Size) {
    self.init(
      toView: .identity, bounds: Rect(x: 0, y: 0, width: size.width, height: size.height))
  }

  /// A point of the screen in the view's coordinates.
  func point(_ point: Point) -> Point { toView.apply(point) }

  /// A displacement on the screen in the view's coordinates.
  func vector(_ vector: Point) -> Point {
    Point(
      x: toView.a * vector.x + toView.c * vector.y, y: toView.b * vector.x + toView.d * vector.y)
  }

  /// A displacement on the screen, along the view's axes, in points of the screen: turned as the
  /// view is, not scaled.
  func turned(_ vector: Point) -> Point {
    let inView = self.vector(vector)
    return Point(x: inView.x * unit.x, y: inView.y * unit.y)
  }

  /// Whether what is clockwise on the screen is so in the view.
  var isMirrored: Bool { toView.determinant < 0 }

  /// How far inside of an edge of the view's bounds a point of the screen lies, in points of the
  /// screen; negative outside of it.
  func depth(of point: Point, insideOf edge: Edge) -> Double {
    let inView = toView.apply(point)
    switch edge {
    case .left: return (inView.x - bounds.x) * unit.x
    case .right: return (bounds.x + bounds.width - inView.x) * unit.x
    case .top: return (inView.y - bounds.y) * unit.y
    case .bottom: return (bounds.y + bounds.height - inView.y) * unit.y
    }
  }
}
