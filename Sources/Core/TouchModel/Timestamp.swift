/// A moment of CLOCK_MONOTONIC, in microseconds. Rule T1.
public struct Timestamp: Comparable, Hashable, Sendable, BitwiseCopyable {
  /// Microseconds since the clock's own beginning.
  public var microseconds: UInt64

  /// The moment so many microseconds after the clock's own beginning.
  @inlinable
  public init(microseconds: UInt64) {
    self.microseconds = microseconds
  }

  /// Whether the left moment is the earlier.
  @inlinable
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.microseconds < right.microseconds
  }

  /// The moment so many milliseconds later.
  public func adding(milliseconds: UInt64) -> Timestamp {
    let (more, isTooMuch) = milliseconds.multipliedReportingOverflow(by: 1000)
    let (sum, isBeyond) = microseconds.addingReportingOverflow(more)
    return Timestamp(microseconds: isTooMuch || isBeyond ? .max : sum)
  }

  /// The microseconds from an earlier moment to this one; 0 where `earlier` is not earlier.
  @inlinable
  public func microseconds(since earlier: Timestamp) -> UInt64 {
    microseconds > earlier.microseconds ? microseconds - earlier.microseconds : 0
  }
}
