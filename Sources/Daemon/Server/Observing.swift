/// What a client of the control socket is told of all touches; the raw values are the wire's
/// `enum touchroute_observing`. Rule F7.
public enum Observing: UInt8, Sendable {
  /// Nothing.
  case nothing = 0
  /// Each frame as it was routed, and what recognizers come to.
  case touches = 1
  /// The same, and what else decides where touches go. What it does not read is dropped.
  case changes = 2
  /// What is wrong with touchscreens, and nothing of touches. Rule N10.
  case health = 4

  /// Whether it is told of touches.
  var seesTouches: Bool { self == .touches || self == .changes }
}
