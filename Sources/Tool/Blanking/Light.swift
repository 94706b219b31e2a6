/// The light of a screen. Its owner asks it after each event, and at its deadlines, whether it is
/// as bright as it was to be. Times are of CLOCK_MONOTONIC, in nanoseconds.
package protocol Light: AnyObject {
  /// How bright it is to be.
  var level: LightLevel { get }
  /// Whether it is that.
  var isSettled: Bool { get }
  /// When it must be told the time; nil while it waits for no time.
  var nextDeadline: UInt64? { get }

  /// Has it be so bright, in time.
  func set(_ level: LightLevel, at now: UInt64)
  /// Takes in that it is that time.
  func advance(to now: UInt64)
  /// Has it be on again before the process ends.
  func restore(at now: UInt64)
}
