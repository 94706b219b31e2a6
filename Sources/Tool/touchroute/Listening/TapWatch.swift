import Configuration
import TouchClient
import TouchModel

/// Tells taps among the touches that a program gets. Rule T10.
struct TapWatch {
  /// Where the touches that are live began, in points of the screen.
  private var beginnings: [TouchID: Point] = [:]

  /// The daemon counts taps by a distance that it does not tell; this is its default.
  private static let distance = TouchSettings().tapDistance

  /// The touches of a frame that end with it as taps: lifted, not cancelled, and near where they
  /// began.
  mutating func taps(in frame: RoutedFrame) -> [RoutedTouch] {
    for touch in frame.touches where touch.phase == .began {
      beginnings[touch.id] = touch.screenLocation
    }
    let taps = frame.touches.filter { touch in
      guard touch.phase == .ended, let start = beginnings[touch.id] else { return false }
      let (dx, dy) = (touch.screenLocation.x - start.x, touch.screenLocation.y - start.y)
      return (dx * dx + dy * dy).squareRoot() <= Self.distance
    }
    for touch in frame.touches where touch.phase == .ended || touch.phase == .cancelled {
      beginnings[touch.id] = nil
    }
    return taps
  }
}
