import CTouchroute

/// How long frames took from the kernel's timestamp to their send, as a count of each power of two.
public struct LatencyHistogram: Equatable, Sendable {
  /// At i the frames of less than 2^i microseconds and not less than 2^(i-1); at the last index all
  /// that took longer.
  public private(set) var counts = [UInt64](repeating: 0, count: Int(TOUCHROUTE_LATENCIES))

  /// No frame yet.
  public init() {}

  /// Counts a frame that took so long, in microseconds.
  public mutating func add(_ microseconds: UInt64) {
    let bits = UInt64.bitWidth - microseconds.leadingZeroBitCount
    counts[min(bits, counts.count - 1)] += 1
  }
}
