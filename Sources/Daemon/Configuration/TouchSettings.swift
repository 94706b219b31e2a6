/// The `[touch]` of the configuration.
package struct TouchSettings: Equatable, Sendable {
  /// How long a client may take to decline a touch, in milliseconds. Rule R5.
  package var decisionTimeoutMilliseconds = 250
  /// How long a client may leave unread what waits for it, in milliseconds. Rule F3.
  package var unresponsiveAfterMilliseconds = 2000
  /// For how long a recognizer may hold back touches of which other clients than its own may hear,
  /// in milliseconds. Rule G17.
  package var holdLimitMilliseconds = 1000
  /// The longest time from the end of a tap to the next that counts with it, in milliseconds. Rule
  /// T10.
  package var tapIntervalMilliseconds = 350
  /// The farthest that a tap may be from the last one to count with it, in points. Rule T10.
  package var tapDistance = 45.0

  /// Every setting at its default.
  package init() {}
}
