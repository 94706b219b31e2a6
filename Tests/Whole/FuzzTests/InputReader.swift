/// Takes an input apart, byte by byte; past its end there are no more.
struct InputReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// The next byte; nil at the end.
  mutating func next() -> UInt8? { rest.popFirst() }

  /// The next bytes, fewer where there are not as many.
  mutating func next(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }
}
