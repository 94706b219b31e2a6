import Layout
import TouchModel

/// The usual recursion over flat values: views in pre-order, each with its last subview and its
/// previous sibling.
struct PlainRecursion {
  struct Node {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    var alpha: Double
    var lastChild: Int32
    var previousSibling: Int32
    var isHidden: Bool
    var interaction: Bool
  }

  let nodes: [Node]

  init(_ layout: Layout) {
    var nodes: [Node] = []
    nodes.reserveCapacity(layout.viewCount)
    for view in layout.views {
      var previous = Int32(-1)
      if let parent = view.parent {
        let place = Int(parent.rawValue)
        previous = nodes[place].lastChild
        nodes[place].lastChild = Int32(nodes.count)
      }
      nodes.append(
        Node(
          x: view.frame.x, y: view.frame.y, width: view.frame.width, height: view.frame.height,
          alpha: view.alpha, lastChild: -1, previousSibling: previous, isHidden: view.isHidden,
          interaction: view.interaction))
    }
    self.nodes = nodes
  }

  func hitTest(_ point: Point) -> Int32 {
    nodes.withUnsafeBufferPointer { nodes in
      PlainRecursion.hitTest(nodes, 0, point.x, point.y)
    }
  }

  private static func hitTest(
    _ nodes: UnsafeBufferPointer<Node>, _ index: Int32, _ outerX: Double, _ outerY: Double
  ) -> Int32 {
    let node = nodes[Int(index)]
    if node.isHidden || !node.interaction || node.alpha <= 0.01 { return -1 }
    let x = outerX - node.x
    let y = outerY - node.y
    if x < 0 || y < 0 || x >= node.width || y >= node.height { return -1 }
    var child = node.lastChild
    while child >= 0 {
      let found = hitTest(nodes, child, x, y)
      if found >= 0 { return found }
      child = nodes[Int(child)].previousSibling
    }
    return index
  }
}
