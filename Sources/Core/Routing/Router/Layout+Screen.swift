import Layout
import TouchModel

extension Layout {
  /// Whether there is a screen of that number. A finger may still be on one that a reload has taken
  /// away. Rule T11.
  func contains(_ screen: ScreenIndex) -> Bool { screens.indices.contains(Int(screen.rawValue)) }

  /// The name of a screen; nil where a reload has taken it away.
  func screenName(_ screen: ScreenIndex) -> String? {
    contains(screen) ? screens[Int(screen.rawValue)].name : nil
  }

  /// Whether a point lies on a screen, as rule T8 wants of where a touch begins.
  func contains(_ point: Point, on screen: ScreenIndex) -> Bool {
    guard contains(screen) else { return false }
    let size = screens[Int(screen.rawValue)].size
    return Rect(x: 0, y: 0, width: size.width, height: size.height).contains(point)
  }
}
