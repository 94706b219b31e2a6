/// The paths of all views, one behind the other: a view itself is plain bytes, so that looking at
/// one counts no reference, and a touch that begins takes its target's path as it lies here.
struct ViewPaths: Sendable {
  /// Where a view's path is.
  struct Place: Sendable, BitwiseCopyable {
    fileprivate let start: Int
    fileprivate let count: UInt32
    fileprivate let nameCount: UInt32

    /// The bytes of the path in UTF-8.
    var byteCount: Int { Int(count) }
  }

  private var bytes: [UInt8] = []

  /// Takes a view's path in.
  mutating func add(_ path: String) -> Place {
    let start = bytes.count
    bytes.append(contentsOf: path.utf8)
    let name = bytes[start...].lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? start
    return Place(
      start: start, count: UInt32(bytes.count - start), nameCount: UInt32(bytes.count - name))
  }

  /// The path as text.
  func path(at place: Place) -> String {
    withPath(at: place) { String(decoding: $0, as: UTF8.self) }
  }

  /// The last part of the path, the view's name, as text.
  func name(at place: Place) -> String {
    withName(at: place) { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a name is the same as one of other paths.
  func isSameName(at place: Place, as other: Place, of others: ViewPaths) -> Bool {
    withName(at: place) { name in
      others.withName(at: other) { name.elementsEqual($0) }
    }
  }

  /// The bytes of the path, for the call.
  @inline(__always)
  func withPath<Result>(at place: Place, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    with(place.start, Int(place.count), body)
  }

  /// The bytes of the view's name, for the call.
  @inline(__always)
  func withName<Result>(at place: Place, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    with(place.start + Int(place.count) - Int(place.nameCount), Int(place.nameCount), body)
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
