/// What the numbers of a description may be. Rule F5.
package enum GestureRange {
  /// How many fingers.
  package static let fingers = 1...10
  /// How many taps; a tap asks for one at least.
  package static let taps = 0...10
  /// Distances, in points of the screen.
  package static let distances = 0.0...100_000
  /// Times, in milliseconds.
  package static let times = 0...60_000
  /// Angles, in degrees.
  package static let degrees = 0.0...3600
}
