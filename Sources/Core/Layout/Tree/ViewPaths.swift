/// The paths of all views, one behind the other: a view itself is plain bytes, so that looking at
/// one counts no reference, and a touch that begins takes its target's path as it lies here.
struct ViewPaths: Sendable {
  /// The bytes of a view's path.
  struct Span: Sendable, BitwiseCopyable {
    fileprivate let start: Int
    fileprivate let count: UInt32
    fileprivate let nameCount: UInt32

    /// The bytes of the path in UTF-8.
    var byteCount: Int { Int(count) }
  }

  private var bytes: [UInt8] = []

  /// Takes a view's path in.
  mutating func add(_ path: String) -> Span {
    let start = bytes.count
    bytes.append(contentsOf: path.utf8)
    let name = bytes[start...].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? start
    return Span(
      start: start, count: UInt32(bytes.count - start), nameCount: UInt32(bytes.count - name))
  }

  /// The path as text.
  func path(at span: Span) -> String {
    withPath(at: span) { String(decoding: $0, as: UTF8.self) }
  }

  /// The last part of the path, the view's name, as text.
  func name(at span: Span) -> String {
    withName(at: span) { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a name is the same as one of other paths.
  func isSameName(at span: Span, as other: Span, of others: ViewPaths) -> Bool {
    withName(at: span) { name in
      others.withName(at: other) { name.elementsEqual($0) }
    }
  }

  /// The bytes of the path, for the call.
  @inline(__always)
  func withPath<Result>(at span: Span, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    with(span.start, Int(span.count), body)
  }

  /// The bytes of the view's name, for the call.
  @inline(__always)
  func withName<Result>(at span: Span, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    with(span.start + Int(span.count) - Int(span.nameCount), Int(span.nameCount), body)
  }

  @inline(__always)
  private func with<Result>(
    _ start: Int, _ count: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    bytes.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[start..<start + count]))
    }
  }
}
