extension LayoutBuilder {
  /// The views of the description so that those of one superview lie in their order, back to front:
  /// as described, but for those with a place of their own.
  func siblingOrder() -> [Int32] {
    var nodes = Array(Int32(windowCount)..<Int32(nodeCount))
    let moved = Set(placements.keys.map { parents[Int($0)] }.filter { $0 >= 0 })
    guard !moved.isEmpty else { return nodes }
    var siblings: [Int32: [Int32]] = [:]
    for node in nodes where moved.contains(parents[Int(node)]) {
      siblings[parents[Int(node)], default: []].append(node)
    }
    for group in siblings.values {
      for (place, node) in zip(group, arranged(group)) { nodes[Int(place) - windowCount] = node }
    }
    return nodes
  }

  /// The windows from back to front: by level, and within a level as described, but for those with
  /// a place of their own.
  func windowOrder() -> [Int32] {
    let levels = description.windows.map(\.level)
    var windows = levels.indices.sorted { (levels[$0], $0) < (levels[$1], $1) }.map(Int32.init)
    for level in Set(placements.keys.filter { $0 < windowCount }.map { levels[Int($0)] }) {
      let group = windows.filter { levels[Int($0)] == level }
      guard let first = windows.firstIndex(of: group[0]) else { continue }
      windows.replaceSubrange(first..<first + group.count, with: arranged(group))
    }
    return windows
  }

  /// Puts those that have a place of their own there, and leaves the others as they are.
  private func arranged(_ group: [Int32]) -> [Int32] {
    var order = group.filter { placements[$0] == nil }
    let placed = group.compactMap { node in placements[node].map { (node, $0) } }
    // From the back, so that no later one moves an earlier one off its place.
    for (node, placement) in placed.sorted(by: {
      ($0.1.place, $0.1.number) < ($1.1.place, $1.1.number)
    }) {
      order.insert(node, at: min(placement.place, order.count))
    }
    return order
  }
}
