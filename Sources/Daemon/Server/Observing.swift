/// What a client of the control socket is told of all touches; the raw values are the wire's
/// `enum touchroute_observing`. Rule F7.
public enum Observing: UInt8, Sendable, Comparable {
  /// Nothing.
  case nothing = 0
  /// Each frame as it was routed, and what recognizers come to.
  case touches = 1
  /// The same, and what else decides where touches go. What it does not read is dropped.
  case changes = 2

  /// Whether one is told less than another.
  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
