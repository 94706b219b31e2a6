import TouchModel

/// Holds back a contact that begins at the panel's edge until it has moved away. Rule N7.
///
/// Chromium's edge filter holds it until it has moved at all, with an edge of 1 unit; this asks for
/// a way as long as the edge is wide, which is the same for 1.
struct EdgeHold {
  private let edge: Double
  private let inner: Rect

  /// - Parameters:
  ///   - edge: How wide the edge is, in points.
  ///   - region: The part of the screen that the device covers.
  init(_ edge: Double, of region: Rect) {
    self.edge = edge
    inner = Rect(
      x: region.x + edge, y: region.y + edge, width: region.width - 2 * edge,
      height: region.height - 2 * edge)
  }

  func isAtEdge(_ point: Point) -> Bool { edge > 0 && !inner.contains(point) }

  func isFree(_ point: Point, from start: Point) -> Bool { start.distance(to: point) >= edge }
}
