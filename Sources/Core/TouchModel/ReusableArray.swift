/// An array that is emptied and filled again, frame after frame: emptying it keeps its capacity and
/// costs nothing, and filling it again allocates nothing. A value like any array.
///
/// Its elements are plain bytes: those that are no longer counted are only written over.
@frozen
public struct ReusableArray<Element: BitwiseCopyable>: RandomAccessCollection, MutableCollection,
  ExpressibleByArrayLiteral
{
  /// The memory, shared by copies until one of them is written to.
  @usableFromInline
  final class Storage {
    @usableFromInline let elements: UnsafeMutablePointer<Element>
    @usableFromInline let capacity: Int

    @usableFromInline
    init(capacity: Int) {
      elements = .allocate(capacity: capacity)
      self.capacity = capacity
    }

    deinit { elements.deallocate() }
  }

  @usableFromInline var storage: Storage
  /// How many elements there are.
  @usableFromInline var filled: Int

  /// An empty one.
  public init() {
    storage = Storage(capacity: 8)
    filled = 0
  }

  /// One with these elements.
  public init(_ elements: some Sequence<Element>) {
    self.init()
    for element in elements { append(element) }
  }

  /// One with these elements.
  public init(arrayLiteral elements: Element...) { self.init(elements) }

  /// 0.
  @inlinable
  public var startIndex: Int { 0 }

  /// How many elements there are.
  @inlinable
  public var endIndex: Int { filled }

  /// How many elements there are.
  @inlinable
  public var count: Int { filled }

  /// Whether there is no element.
  @inlinable
  public var isEmpty: Bool { filled == 0 }

  /// The last element; nil where there is none.
  @inlinable
  public var last: Element? { filled == 0 ? nil : storage.elements[filled - 1] }

  /// The element at an index.
  @inlinable
  public subscript(index: Int) -> Element {
    _read {
      precondition(index >= 0 && index < filled, "there is no such element")
      yield storage.elements[index]
    }
    _modify {
      precondition(index >= 0 && index < filled, "there is no such element")
      if !isKnownUniquelyReferenced(&storage) { moveOut(capacity: storage.capacity) }
      yield &storage.elements[index]
    }
  }

  /// Adds an element after the others.
  @inlinable @inline(__always)
  public mutating func append(_ element: Element) {
    reserve(1)
    storage.elements[filled] = element
    filled += 1
  }

  /// Counts in so many elements more, and returns where they are to be written: all of them, before
  /// anything else is done with the array but to `truncate` it.
  @inlinable @inline(__always)
  public mutating func extend(by count: Int) -> UnsafeMutablePointer<Element> {
    reserve(count)
    defer { filled += count }
    return storage.elements + filled
  }

  /// Forgets the elements from an index on.
  @inlinable
  public mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= filled, "there are not so many elements")
    filled = count
  }

  /// Forgets all elements.
  @inlinable
  public mutating func removeAll() { filled = 0 }

  @inlinable @inline(__always)
  mutating func reserve(_ count: Int) {
    if !isKnownUniquelyReferenced(&storage) || storage.capacity < filled + count {
      moveOut(capacity: Swift.max(storage.capacity, (filled + count) * 2))
    }
  }

  /// Takes other memory, with the elements in it.
  @usableFromInline
  mutating func moveOut(capacity: Int) {
    let other = Storage(capacity: capacity)
    other.elements.initialize(from: storage.elements, count: filled)
    storage = other
  }
}

extension ReusableArray: Equatable where Element: Equatable {
  /// Whether both have the same elements.
  public static func == (left: ReusableArray, right: ReusableArray) -> Bool {
    left.elementsEqual(right)
  }
}
