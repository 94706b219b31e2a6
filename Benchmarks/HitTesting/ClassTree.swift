import Layout
import TouchModel

/// UIKit's shape: a tree of objects whose hitTest and pointInside can be overridden.
class TreeView {
  let index: Int32
  var frame: Rect
  var alpha: Double
  var isHidden: Bool
  var isUserInteractionEnabled: Bool
  var subviews: [TreeView] = []
  weak var superview: TreeView?

  init(_ index: Int32, _ view: Layout.View) {
    self.index = index
    frame = view.frame
    alpha = view.alpha
    isHidden = view.isHidden
    isUserInteractionEnabled = view.interaction
  }

  func convert(_ point: Point, to subview: TreeView) -> Point {
    Point(x: point.x - subview.frame.x, y: point.y - subview.frame.y)
  }

  func pointInside(_ point: Point) -> Bool {
    point.x >= 0 && point.y >= 0 && point.x < frame.width && point.y < frame.height
  }

  func hitTest(_ point: Point) -> TreeView? {
    if isHidden || !isUserInteractionEnabled || alpha <= 0.01 { return nil }
    guard pointInside(point) else { return nil }
    for subview in subviews.reversed() {
      if let found = subview.hitTest(convert(point, to: subview)) { return found }
    }
    return self
  }
}

/// A subclass, as an application's views are, so that the calls stay virtual.
class TreeButton: TreeView {
  override func pointInside(_ point: Point) -> Bool { super.pointInside(point) }
}

/// The tree of a layout's first window.
func makeClassTree(_ layout: Layout) -> TreeView {
  var views: [TreeView] = []
  for (index, view) in layout.views.enumerated() {
    let made =
      view.end.rawValue == Int32(index + 1)
      ? TreeButton(Int32(index), view) : TreeView(Int32(index), view)
    if let parent = view.parent {
      made.superview = views[Int(parent.rawValue)]
      views[Int(parent.rawValue)].subviews.append(made)
    }
    views.append(made)
  }
  return views[0]
}
