/// A set of fingers of one device, by the index that ``TrackedTouches`` keeps them at.
///
/// Plain bytes: recognizers that share a touch are told by one instruction or two.
struct FingerSet: Equatable, BitwiseCopyable {
  /// How many fingers there can be: those on the glass, and those of taps that a further one may
  /// follow.
  static let capacity = 128

  private var bits: UInt128 = 0

  var isEmpty: Bool { bits == 0 }

  var count: Int { bits.nonzeroBitCount }

  /// The lowest index that is not in it; nil where it is full.
  var firstAbsent: Int? {
    let index = (~bits).trailingZeroBitCount
    return index < Self.capacity ? index : nil
  }

  @inline(__always)
  func contains(_ index: Int) -> Bool { bits & Self.bit(index) != 0 }

  func intersects(_ other: FingerSet) -> Bool { bits & other.bits != 0 }

  @inline(__always)
  mutating func insert(_ index: Int) { bits |= Self.bit(index) }

  @inline(__always)
  mutating func remove(_ index: Int) { bits &= ~Self.bit(index) }

  func inserting(_ index: Int) -> FingerSet {
    var set = self
    set.insert(index)
    return set
  }

  func removing(_ index: Int) -> FingerSet {
    var set = self
    set.remove(index)
    return set
  }

  mutating func formUnion(_ other: FingerSet) { bits |= other.bits }

  @inline(__always)
  private static func bit(_ index: Int) -> UInt128 {
    precondition(index >= 0 && index < capacity, "there are not so many fingers")
    return 1 &<< UInt128(truncatingIfNeeded: index)
  }

  /// Calls `body` with each index, from the lowest.
  @inline(__always)
  func forEach(_ body: (Int) -> Void) {
    var low = UInt64(truncatingIfNeeded: bits)
    while low != 0 {
      body(low.trailingZeroBitCount)
      low &= low - 1
    }
    var high = UInt64(truncatingIfNeeded: bits >> 64)
    while high != 0 {
      body(64 + high.trailingZeroBitCount)
      high &= high - 1
    }
  }
}
