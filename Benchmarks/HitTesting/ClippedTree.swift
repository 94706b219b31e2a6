import CBoostTree
import Layout
import TouchModel

/// boost::geometry's R-tree over every view's rectangle on the screen, cut by its superviews'.
final class ClippedTree {
  private let tree: OpaquePointer

  init(_ layout: Layout) {
    var rectangles: [boost_rectangle] = []
    var origins: [Point] = []
    for view in layout.views {
      let parent = view.parent.map { Int($0.rawValue) }
      let outer = parent.map { origins[$0] } ?? .zero
      let origin = Point(x: outer.x + view.frame.x, y: outer.y + view.frame.y)
      var clipped = boost_rectangle(
        x0: origin.x, y0: origin.y, x1: origin.x + view.frame.width,
        y1: origin.y + view.frame.height)
      if let parent {
        clipped.x0 = max(clipped.x0, rectangles[parent].x0)
        clipped.y0 = max(clipped.y0, rectangles[parent].y0)
        clipped.x1 = max(clipped.x0, min(clipped.x1, rectangles[parent].x1))
        clipped.y1 = max(clipped.y0, min(clipped.y1, rectangles[parent].y1))
      }
      origins.append(origin)
      rectangles.append(clipped)
    }
    guard let tree = boost_tree_new(rectangles, rectangles.count) else {
      fatalError("this was built without Boost: touch Benchmarks/CBoostTree/cboosttree.cpp")
    }
    self.tree = tree
  }

  deinit { boost_tree_free(tree) }

  func hitTest(_ point: Point) -> Int32 { boost_tree_frontmost(tree, point.x, point.y) }
}
