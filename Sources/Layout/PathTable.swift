/// Finds a window or view of a ``LayoutDescription`` by its path, whatever their order.
struct PathTable {
  /// A power of two of slots; -1 where empty.
  private var slots: [Int32]

  init(capacity: Int) {
    var slotCount = 16
    while slotCount < capacity * 2 { slotCount *= 2 }
    slots = Array(repeating: -1, count: slotCount)
  }

  /// Enters a node under its path, or returns the one that has it already.
  mutating func insert(_ node: Int32, path: String, pathOf: (Int32) -> String) -> Int32? {
    var slot = PathTable.hash(path[...]) & (slots.count - 1)
    while slots[slot] >= 0 {
      if pathOf(slots[slot]) == path { return slots[slot] }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = node
    return nil
  }

  /// The node of that path.
  func find(_ path: Substring, pathOf: (Int32) -> String) -> Int32? {
    var slot = PathTable.hash(path) & (slots.count - 1)
    while slots[slot] >= 0 {
      if pathOf(slots[slot]) == path { return slots[slot] }
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
