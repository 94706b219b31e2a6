/// An array of which copies share what they have in common: to change an element of a copy costs a
/// page of it and the list of its pages, however many elements there are.
public struct PagedArray<Element: Sendable>: RandomAccessCollection, Sendable {
  /// All but the last are full.
  @usableFromInline private(set) var pages: [ContiguousArray<Element>]
  /// One past the index of the last element.
  public private(set) var endIndex: Int

  @usableFromInline static var pageBits: Int { 6 }
  @usableFromInline static var pageMask: Int { 1 << pageBits - 1 }

  init(_ elements: [Element] = []) {
    endIndex = elements.count
    pages = stride(from: 0, to: elements.count, by: 1 << Self.pageBits).map {
      ContiguousArray(elements[$0..<Swift.min($0 + 1 << Self.pageBits, elements.count)])
    }
  }

  /// The index of the first element.
  @inlinable public var startIndex: Int { 0 }

  /// The element at an index; one that there is not is a mistake of ours, and traps.
  @inlinable
  public subscript(index: Int) -> Element {
    _read { yield pages[index >> Self.pageBits][index & Self.pageMask] }
  }

  /// Puts another element at an index, in this copy alone.
  mutating func replace(at index: Int, with element: Element) {
    pages[index >> Self.pageBits][index & Self.pageMask] = element
  }

  /// Adds an element, to this copy alone.
  mutating func append(_ element: Element) {
    if endIndex & Self.pageMask == 0 { pages.append([]) }
    pages[pages.count - 1].append(element)
    endIndex += 1
  }
}
