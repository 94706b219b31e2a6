/// Finds a subview by its superview and name: open addressing over view indices, with no string of
/// its own, so that a million views cost 8 MB. Layouts with the same views in the same order share
/// one.
final class ChildTable: Sendable {
  /// A power of two of slots; -1 where empty.
  private let slots: [Int32]

  init(_ views: [Layout.View], _ paths: ViewPaths) {
    var capacity = 16
    while capacity < views.count * 2 { capacity *= 2 }
    var slots = Array(repeating: Int32(-1), count: capacity)
    for (index, view) in views.enumerated() {
      let hash = paths.withName(at: view.path) { ChildTable.hash(parent: view.rawParent, $0) }
      var slot = hash & (capacity - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (capacity - 1) }
      slots[slot] = Int32(index)
    }
    self.slots = slots
  }

  /// The view of that name under that superview; a window has the superview -1.
  func find(
    parent: Int32, name: UnsafeRawBufferPointer, in views: PagedArray<Layout.View>,
    _ paths: ViewPaths
  ) -> Int32? {
    var slot = ChildTable.hash(parent: parent, name) & (slots.count - 1)
    while slots[slot] >= 0 {
      let view = views[Int(slots[slot])]
      if view.rawParent == parent,
        paths.withName(at: view.path, { $0.elementsEqual(name) })
      {
        return slots[slot]
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private static func hash(parent: Int32, _ name: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(parent)
    hasher.combine(bytes: name)
    return hasher.finalize()
  }
}
