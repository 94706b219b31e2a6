import Glibc

/// Memory that lookups read at random, for elements without references. Whoever makes it owns it
/// and deallocates it.
///
/// An array would do, but for two things: its use may count references, and its elements lie across
/// lines of the cache.
struct LookupMemory<Element: BitwiseCopyable> {
  let base: UnsafeMutablePointer<Element>
  let count: Int

  /// Memory for elements that the caller has yet to fill in.
  init(count: Int) {
    let byteCount = max(count, 1) * MemoryLayout<Element>.stride
    let hugePage = 1 << 21
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: byteCount, alignment: byteCount < hugePage ? 64 : hugePage)
    if byteCount >= hugePage {
      // Huge pages spare a lookup the walk through the page table. This is advice only: a kernel
      // without them gives small ones.
      madvise(memory, byteCount, MADV_HUGEPAGE)
    }
    base = memory.bindMemory(to: Element.self, capacity: max(count, 1))
    self.count = count
  }

  /// Memory of which every byte is 0; what is not touched costs nothing.
  init(zeros count: Int) {
    guard let memory = calloc(max(count, 1), MemoryLayout<Element>.stride) else {
      preconditionFailure("no memory for \(count) elements")
    }
    base = memory.bindMemory(to: Element.self, capacity: max(count, 1))
    self.count = count
  }

  init(_ elements: [Element]) {
    self.init(count: elements.count)
    for (index, element) in elements.enumerated() { (base + index).initialize(to: element) }
  }

  func deallocate() { base.deallocate() }

  var byteCount: Int { count * MemoryLayout<Element>.stride }

  @inline(__always)
  subscript(index: Int) -> Element { base[index] }
}
