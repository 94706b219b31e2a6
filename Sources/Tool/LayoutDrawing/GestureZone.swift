package import Layout
package import TouchModel

/// Where the fingers of a gesture must come down, where that is not all of its view: the margin
/// along an edge.
package struct GestureZone {
  /// The recognizer's path.
  let path: String
  /// Its view; nil of a screen's.
  let view: ViewIndex?
  let screen: ScreenIndex
  /// In the view's coordinates, or the screen's.
  let area: Rect

  /// The zone of a recognizer, in the coordinates of its view, or of its screen.
  package init(path: String, view: ViewIndex?, screen: ScreenIndex, area: Rect) {
    self.path = path
    self.view = view
    self.screen = screen
    self.area = area
  }
}
