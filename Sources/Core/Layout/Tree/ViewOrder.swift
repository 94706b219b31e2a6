/// The order of a layout's views, in terms of the nodes that they are made of.
struct ViewOrder: Sendable {
  /// For each view its node: the nodes in pre-order.
  let nodes: [Int32]
  /// For each node the index of its view.
  let indices: [Int32]

  /// Of all nodes, in pre-order.
  init(_ nodes: [Int32]) {
    self.nodes = nodes
    var indices = Array(repeating: Int32(-1), count: nodes.count)
    for (index, node) in nodes.enumerated() { indices[Int(node)] = Int32(index) }
    self.indices = indices
  }

  func view(_ node: Int32) -> ViewIndex { ViewIndex(indices[Int(node)]) }

  func node(_ view: ViewIndex) -> Int32 { nodes[Int(view.rawValue)] }
}
