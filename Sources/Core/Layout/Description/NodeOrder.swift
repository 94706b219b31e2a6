/// The order of a description's nodes: as they are described, but for those that were given another
/// index among their siblings.
struct NodeOrder: Sendable {
  private var placements: [Int32: ViewOverrides.Placement] = [:]

  /// The index that a node was given among its siblings.
  subscript(node: Int32) -> ViewOverrides.Placement? {
    get { placements[node] }
    set { placements[node] = newValue }
  }

  /// The nodes in pre-order, windows from back to front. Asks for nodes that are all linked.
  func preorder(_ nodes: LayoutNodes) -> [Int32] {
    var firstChild = Array(repeating: Int32(-1), count: nodes.count)
    var lastChild = firstChild
    var nextSibling = firstChild
    for node in siblings(nodes) {
      let parent = Int(nodes.parents[Int(node)])
      if lastChild[parent] < 0 {
        firstChild[parent] = node
      } else {
        nextSibling[Int(lastChild[parent])] = node
      }
      lastChild[parent] = node
    }
    var order: [Int32] = []
    order.reserveCapacity(nodes.count)
    for window in windows(nodes) {
      var node = window
      descent: while true {
        order.append(node)
        if firstChild[Int(node)] >= 0 {
          node = firstChild[Int(node)]
          continue
        }
        while nextSibling[Int(node)] < 0 {
          if nodes.parents[Int(node)] < 0 { break descent }
          node = nodes.parents[Int(node)]
        }
        node = nextSibling[Int(node)]
      }
    }
    return order
  }

  /// The views of the description so that those of one superview lie in their order, back to front.
  private func siblings(_ nodes: LayoutNodes) -> [Int32] {
    let windowCount = nodes.windowCount
    var views = Array(Int32(windowCount)..<Int32(nodes.count))
    let moved = Set(placements.keys.map { nodes.parents[Int($0)] }.filter { $0 >= 0 })
    guard !moved.isEmpty else { return views }
    var siblings: [Int32: [Int32]] = [:]
    for node in views where moved.contains(nodes.parents[Int(node)]) {
      siblings[nodes.parents[Int(node)], default: []].append(node)
    }
    for group in siblings.values {
      for (slot, node) in zip(group, arranged(group)) { views[Int(slot) - windowCount] = node }
    }
    return views
  }

  /// The windows from back to front: by level, and within a level in their order.
  private func windows(_ nodes: LayoutNodes) -> [Int32] {
    let levels = (0..<Int32(nodes.windowCount)).map(nodes.level(ofWindow:))
    var windows = levels.indices.sorted { (levels[$0], $0) < (levels[$1], $1) }.map(Int32.init)
    for level in Set(placements.keys.filter { $0 < levels.count }.map { levels[Int($0)] }) {
      let group = windows.filter { levels[Int($0)] == level }
      guard let first = windows.firstIndex(of: group[0]) else { continue }
      windows.replaceSubrange(first..<first + group.count, with: arranged(group))
    }
    return windows
  }

  /// Puts those that were given an index there, and leaves the others as they are. Of two at one
  /// index the later has it, and the earlier the next that is free: above, else below. An index
  /// beyond the last is the last. Rule L6.
  private func arranged(_ group: [Int32]) -> [Int32] {
    let placed = group.compactMap { node in placements[node].map { (node, $0) } }
      .sorted { ($0.1.index, $0.1.number) < ($1.1.index, $1.1.number) }
    var slots = [Int32?](repeating: nil, count: group.count)
    // Those whose index another one has; of two the last one comes first.
    var displaced: [Int32] = []
    var next = 0
    for slot in slots.indices {
      while next < placed.count, min(placed[next].1.index, slots.count - 1) == slot {
        if let earlier = slots[slot] { displaced.append(earlier) }
        slots[slot] = placed[next].0
        next += 1
      }
      if slots[slot] == nil { slots[slot] = displaced.popLast() }
    }
    for slot in slots.indices.reversed() where slots[slot] == nil {
      slots[slot] = displaced.popLast()
    }
    var others = group.filter { placements[$0] == nil }.makeIterator()
    return slots.compactMap { $0 ?? others.next() }
  }
}
