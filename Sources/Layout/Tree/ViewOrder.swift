/// Which node of a description is which view of a layout, both ways.
struct NodePlaces: Sendable {
  /// The nodes in pre-order: for each view its node.
  let order: [Int32]
  /// For each node the index of its view.
  let indices: [Int32]

  /// The places of all nodes, which are given in pre-order.
  init(order: [Int32]) {
    self.order = order
    var indices = Array(repeating: Int32(-1), count: order.count)
    for (index, node) in order.enumerated() { indices[Int(node)] = Int32(index) }
    self.indices = indices
  }

  func view(_ node: Int32) -> ViewIndex { ViewIndex(indices[Int(node)]) }

  func node(_ view: ViewIndex) -> Int32 { order[Int(view.rawValue)] }
}
