import Layout
import TouchModel

extension Layout {
  /// Whether a point lies on a screen, as rule T8 wants of where a touch begins.
  func contains(_ point: Point, on screen: ScreenIndex) -> Bool {
    guard screens.indices.contains(Int(screen.rawValue)) else { return false }
    let size = screens[Int(screen.rawValue)].size
    return Rect(x: 0, y: 0, width: size.width, height: size.height).contains(point)
  }
}
