/// Eight words of a cell's list, as they are looked through: one line of the cache.
///
/// A word has codes of a region's four edges within the cell, and a payload that says what the
/// region leads to. The codes are bytes, left, top, right, bottom: 0 where the edge lies outside
/// the cell; else for left and top the edge's step in the cell plus 1, for right and bottom 64
/// minus that step. So for each byte a point whose code is greater is on the inner side, one whose
/// code is less is not, and where they are equal the edge itself decides.
struct HitLine {
  var codes: SIMD8<UInt32>
  var payloads: SIMD8<UInt32>

  static let wordCount = 8

  /// Memory, the caller's to deallocate, with words as lines.
  static func lines(of words: [UInt64]) -> LookupMemory<HitLine> {
    let memory = LookupMemory<HitLine>(count: words.count / wordCount)
    let halves = UnsafeMutableRawPointer(memory.base)
    for (index, word) in words.enumerated() {
      let line = index / wordCount * MemoryLayout<HitLine>.stride
      let lane = index % wordCount * MemoryLayout<UInt32>.stride
      halves.storeBytes(
        of: UInt32(truncatingIfNeeded: word), toByteOffset: line + lane, as: UInt32.self)
      halves.storeBytes(
        of: UInt32(truncatingIfNeeded: word >> 32), toByteOffset: line + payloadOffset + lane,
        as: UInt32.self)
    }
    return memory
  }

  /// Where the payloads lie in a line, in bytes.
  static let payloadOffset = 32

  /// The top bits of four codes.
  static let tops: UInt32 = 0x8080_8080

  /// The words of which a point with these codes may be on the inner side of all edges: a byte for
  /// each, all ones or 0.
  @inline(__always)
  static func met(_ codes: SIMD8<UInt32>, by point: UInt32) -> UInt64 {
    // In arithmetic alone, as comparisons of vectors come out as loops over their lanes.
    let unmet = ~(SIMD8(repeating: point) &- codes) & SIMD8(repeating: tops)
    let isMet = SIMD8<Int32>(truncatingIfNeeded: (unmet &>> 1) &- 1) &>> 31
    return unsafeBitCast(SIMD8<UInt8>(truncatingIfNeeded: isMet), to: UInt64.self)
  }

  /// One of its words.
  struct Word {
    var codes: UInt32
    var payload: UInt32

    /// Whether it leads a point of its cell to a view for sure.
    @inline(__always)
    func leads(_ position: HitGrid.Position) -> Bool {
      payload < HitWord.firstSpecial && HitLine.isInside(codes, position.codes)
    }
  }

  /// Whether a point with these codes is on the inner side of all edges of a word's region for
  /// sure.
  @inline(__always)
  static func isInside(_ codes: UInt32, _ point: UInt32) -> Bool {
    (point &- codes &- 0x0101_0101) & tops == tops
  }
}

/// A word in the making: codes in the low half, payload in the high half.
enum HitWord {
  /// Payloads below are views; from here on they are specials.
  static let firstSpecial: UInt32 = 0x8000_0000
  /// Payloads from here on are the index of a grid that replaces the list.
  static let firstGrid: UInt32 = 0xC000_0000
  /// Payloads from here on are the line where the list goes on.
  static let firstRun: UInt32 = 0xD000_0000
  /// Payloads from here on are parts.
  static let firstPart: UInt32 = 0xE000_0000
  /// The list is over. Its codes are 0, so that it is met by every point.
  static let end: UInt64 = 0xFFFF_FFFF_0000_0000
  /// The payload of `end`.
  static let endPayload: UInt32 = 0xFFFF_FFFF
}
