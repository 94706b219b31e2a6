import CTouchroute

/// How long frames took from the kernel's timestamp to their send, as a count of each power of two.
public struct LatencyHistogram: Equatable, Sendable {
  private var numbers = InlineArray<24, UInt64>(repeating: 0)

  /// No frame yet.
  public init() { assert(numbers.count == Int(TOUCHROUTE_LATENCIES), "the protocol's number") }

  /// At i the frames of less than 2^i microseconds and not less than 2^(i-1); at the last index all
  /// that took longer.
  public var counts: [UInt64] { numbers.indices.map { numbers[$0] } }

  /// Counts a frame that took so long, in microseconds.
  public mutating func add(_ microseconds: UInt64) {
    let bits = UInt64.bitWidth - microseconds.leadingZeroBitCount
    numbers[min(bits, numbers.count - 1)] += 1
  }

  /// Whether both have the same counts.
  public static func == (left: LatencyHistogram, right: LatencyHistogram) -> Bool {
    left.counts == right.counts
  }
}
