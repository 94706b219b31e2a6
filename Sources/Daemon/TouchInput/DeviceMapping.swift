package import TouchModel

/// Where a touchscreen's own coordinates lie on its screen.
///
/// The device's coordinates are normalised: (0, 0) is the top left of the panel as it was made, 1
/// the far edge. The digitizer's rotation turns them, then they fill the region.
package struct DeviceMapping: Equatable, Sendable {
  /// The screen.
  package let screen: ScreenIndex
  /// The part of the screen that the device covers, in points of the screen.
  package let region: Rect
  /// From normalised coordinates to points of the screen.
  package let transform: AffineTransform

  /// Where in the region its far edge is put.
  private let last: Point

  /// How far inside that is, in points: the wire has points in single precision, which keeps it
  /// inside up to 65,536 points, wherever a view's own coordinates begin.
  private static let inset = 1.0 / 128

  /// The mapping of a device that covers `region` of the screen, nil for all of it, and is mounted
  /// as `rotation` says, nil where as the screen's panel is.
  package init(
    index: ScreenIndex, screen: Screen, rotation: Screen.Rotation? = nil, region: Rect? = nil
  ) {
    let region =
      region ?? Rect(x: 0, y: 0, width: screen.size.width, height: screen.size.height)
    self.screen = index
    self.region = region
    self.transform = Self.turn(rotation ?? screen.rotation).concatenating(
      AffineTransform(
        a: region.width, b: 0, c: 0, d: region.height, tx: region.x, ty: region.y))
    self.last = Point(
      x: max(region.maxX - Self.inset, region.x), y: max(region.maxY - Self.inset, region.y))
  }

  /// The point of normalised coordinates on the screen, in points.
  ///
  /// Coordinates beyond the panel, as a calibration can make them, are beyond the region too. But
  /// the far edge itself is inside: a device's least coordinate, turned around, lies exactly on it,
  /// and half-open bounds (rule H3) would discard touches at the very edge (rule T8).
  package func location(x: Double, y: Double) -> Point {
    var point = transform.apply(Point(x: x, y: y))
    if point.x == region.maxX { point.x = last.x }
    if point.y == region.maxY { point.y = last.y }
    return point
  }

  /// The unit square turned clockwise, as its viewer sees it: a quarter turn brings the panel's top
  /// edge to the viewer's right.
  private static func turn(_ rotation: Screen.Rotation) -> AffineTransform {
    switch rotation {
    case .none: .identity
    case .quarter: AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 1, ty: 0)
    case .half: AffineTransform(a: -1, b: 0, c: 0, d: -1, tx: 1, ty: 1)
    case .threeQuarters: AffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 1)
    }
  }
}
