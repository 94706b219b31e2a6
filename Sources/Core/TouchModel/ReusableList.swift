/// A list that belongs to one owner: emptied and filled again, frame after frame, it keeps its
/// capacity, and allocates nothing.
///
/// Other than an array it is an object that holds its memory by a constant: whoever keeps one in a
/// constant of its own reads and changes it without a check for overlapping access, of which a
/// moved touch would meet one at each step. So nothing may change the list while an element of it
/// is being changed in place.
public final class ReusableList<Element> {
  @usableFromInline
  struct Memory {
    @usableFromInline var elements: UnsafeMutablePointer<Element>
    @usableFromInline var capacity: Int
    @usableFromInline var count = 0

    @usableFromInline
    init(capacity: Int) {
      elements = .allocate(capacity: capacity)
      self.capacity = capacity
    }
  }

  /// Owned.
  @usableFromInline let memory: UnsafeMutablePointer<Memory>

  /// An empty one.
  public init() {
    memory = .allocate(capacity: 1)
    memory.initialize(to: Memory(capacity: 8))
  }

  deinit {
    removeAll()
    memory.pointee.elements.deallocate()
    memory.deallocate()
  }

  /// The element at an index.
  @inlinable
  public subscript(index: Int) -> Element {
    unsafeAddress {
      precondition(index >= 0 && index < count, "there is no such element")
      return UnsafePointer(memory.pointee.elements + index)
    }
    unsafeMutableAddress {
      precondition(index >= 0 && index < count, "there is no such element")
      return memory.pointee.elements + index
    }
  }

  /// Adds an element behind the others.
  @inlinable @inline(__always)
  public func append(_ element: Element) {
    if memory.pointee.count == memory.pointee.capacity { grow() }
    (memory.pointee.elements + memory.pointee.count).initialize(to: element)
    memory.pointee.count += 1
  }

  /// Adds an element before the one at an index.
  @inlinable
  public func insert(_ element: Element, at index: Int) {
    precondition(index >= 0 && index <= count, "there is no such index")
    if memory.pointee.count == memory.pointee.capacity { grow() }
    let pointer = memory.pointee.elements + index
    (pointer + 1).moveInitialize(from: pointer, count: count - index)
    pointer.initialize(to: element)
    memory.pointee.count += 1
  }

  /// Removes the element at an index.
  @inlinable
  public func remove(at index: Int) {
    precondition(index >= 0 && index < count, "there is no such element")
    let pointer = memory.pointee.elements + index
    pointer.deinitialize(count: 1)
    pointer.moveInitialize(from: pointer + 1, count: count - index - 1)
    memory.pointee.count -= 1
  }

  /// Removes the elements that fulfil the condition.
  @inlinable
  public func removeAll(where isMeant: (Element) -> Bool) {
    var kept = 0
    while kept < count, !isMeant(self[kept]) { kept += 1 }
    guard kept < count else { return }
    for index in kept + 1..<count where !isMeant(self[index]) {
      self[kept] = self[index]
      kept += 1
    }
    (memory.pointee.elements + kept).deinitialize(count: count - kept)
    memory.pointee.count = kept
  }

  /// Takes the last element out; nil where there is none.
  @inlinable @inline(__always)
  public func popLast() -> Element? {
    guard memory.pointee.count > 0 else { return nil }
    memory.pointee.count -= 1
    return (memory.pointee.elements + memory.pointee.count).move()
  }

  /// Removes all elements.
  @inlinable
  public func removeAll() {
    if memory.pointee.count == 0 { return }
    memory.pointee.elements.deinitialize(count: memory.pointee.count)
    memory.pointee.count = 0
  }

  @usableFromInline
  func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: memory.pointee.capacity * 2)
    larger.moveInitialize(from: memory.pointee.elements, count: memory.pointee.count)
    memory.pointee.elements.deallocate()
    memory.pointee.elements = larger
    memory.pointee.capacity *= 2
  }
}

extension ReusableList where Element: BitwiseCopyable {
  /// Counts in so many elements more, and returns where they are to be written: all of them, before
  /// anything else is done with the list but to `truncate` it.
  @inlinable @inline(__always)
  public func extend(by count: Int) -> UnsafeMutablePointer<Element> {
    while memory.pointee.capacity - memory.pointee.count < count { grow() }
    defer { memory.pointee.count += count }
    return memory.pointee.elements + memory.pointee.count
  }

  /// Adds the elements of another list behind its own.
  @inlinable
  public func append(contentsOf other: ReusableList) {
    let count = other.count
    extend(by: count).update(from: other.memory.pointee.elements, count: count)
  }

  /// Forgets the elements from an index on.
  @inlinable @inline(__always)
  public func truncate(to count: Int) {
    precondition(count >= 0 && count <= memory.pointee.count, "there are not so many elements")
    memory.pointee.count = count
  }
}

extension ReusableList: RandomAccessCollection {
  /// 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// How many elements there are.
  @inlinable
  public var endIndex: Int { memory.pointee.count }

  /// How many elements there are, as each access asks: what is inherited counts by steps of
  /// generic code, which a debug build does not see through.
  @inlinable
  public var count: Int { memory.pointee.count }

  /// Whether there is no element.
  @inlinable
  public var isEmpty: Bool { memory.pointee.count == 0 }
}
