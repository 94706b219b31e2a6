/// Finds a window or view of a ``LayoutDescription`` by its path, whatever their order.
///
/// A node is a window or a view of the description: windows come first, then views.
struct PathTable: Sendable {
  let description: LayoutDescription
  /// A power of two of slots, -1 where empty; no slots where every node is in the layout.
  private var slots: [Int32]
  /// What was made of the first nodes, where that is known: there their paths are found.
  private let layout: Layout?

  /// A table of the nodes of which a layout was made: the first ones of a description, or all.
  init(_ description: LayoutDescription, of layout: Layout? = nil) {
    self.description = description
    self.layout = layout
    let nodeCount = description.windows.count + description.views.count
    let restCount = nodeCount - (layout?.viewCount ?? 0)
    var slotCount = restCount == 0 ? 0 : 16
    while slotCount < restCount * 2 { slotCount *= 2 }
    slots = Array(repeating: -1, count: slotCount)
  }

  /// How many nodes were there from the start.
  var knownCount: Int { layout?.viewCount ?? 0 }

  func path(of node: Int32) -> String {
    let windowCount = description.windows.count
    return Int(node) < windowCount
      ? description.windows[Int(node)].name : description.views[Int(node) - windowCount].path
  }

  /// Enters a node under its path; false where another has it already.
  mutating func insert(_ node: Int32) -> Bool {
    let path = path(of: node)
    if find(inLayout: path[...]) != nil { return false }
    var slot = PathTable.hash(path[...]) & (slots.count - 1)
    while slots[slot] >= 0 {
      if self.path(of: slots[slot]) == path { return false }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = node
    return true
  }

  /// The node of that path.
  func find(_ path: Substring) -> Int32? {
    if let node = find(inLayout: path) { return node }
    if slots.isEmpty { return nil }
    var slot = PathTable.hash(path) & (slots.count - 1)
    while slots[slot] >= 0 {
      if self.path(of: slots[slot]) == path { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private func find(inLayout path: Substring) -> Int32? {
    guard let layout else { return nil }
    return layout.names.view(at: path, in: layout.tree).map(layout.viewOrder.node)
  }

  private static func hash(_ path: Substring) -> Int {
    var hasher = Hasher()
    hasher.combine(utf8Of: path)
    return hasher.finalize()
  }
}

extension Hasher {
  /// Takes in a string's bytes as they are, without Unicode's normal forms: names are ASCII.
  mutating func combine(utf8Of string: Substring) {
    let whole: Void? = string.utf8.withContiguousStorageIfAvailable { bytes in
      combine(bytes: UnsafeRawBufferPointer(bytes))
    }
    if whole == nil { for byte in string.utf8 { combine(byte) } }
  }
}
