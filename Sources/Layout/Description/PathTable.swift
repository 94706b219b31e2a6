/// Finds a window or view of a ``LayoutDescription`` by its path, whatever their order.
///
/// A node is a window or a view of the description: windows come first, then views.
struct PathTable: Sendable {
  let description: LayoutDescription
  /// A power of two of slots; -1 where empty.
  private var slots: [Int32]
  /// What was made of the description, where that is known: there the paths are found.
  private let layout: Layout?

  /// The paths of nodes of a description of which a layout was made.
  init(_ description: LayoutDescription, of layout: Layout) {
    self.description = description
    self.layout = layout
    slots = []
  }

  /// A table without nodes.
  init(_ description: LayoutDescription) {
    self.description = description
    layout = nil
    var slotCount = 16
    let nodeCount = description.windows.count + description.views.count
    while slotCount < nodeCount * 2 { slotCount *= 2 }
    slots = Array(repeating: -1, count: slotCount)
  }

  func path(of node: Int32) -> String {
    let windowCount = description.windows.count
    return Int(node) < windowCount
      ? description.windows[Int(node)].name : description.views[Int(node) - windowCount].path
  }

  /// Enters a node under its path; false where another has it already.
  mutating func insert(_ node: Int32) -> Bool {
    let path = path(of: node)
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
    if let layout {
      return layout.names.view(at: path, in: layout.tree).map(layout.places.node)
    }
    var slot = PathTable.hash(path) & (slots.count - 1)
    while slots[slot] >= 0 {
      if self.path(of: slots[slot]) == path { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
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
