import Signals
package import TouchModel

/// A touchscreen that is in use, for those who ask.
package struct TouchDeviceStatus: Sendable {
  /// The device's number in events.
  package var id: DeviceID
  /// What is known of it.
  package var description: DeviceDescription
  /// What the configuration says of it, as it is in force.
  package var assignment: DeviceAssignment
  /// Whether other programs may read it for now, whatever the configuration says.
  var isUngrabbed: Bool
  /// Whether it is grabbed.
  package var isGrabbed: Bool { assignment.grab && !isUngrabbed }
  /// Whether a change of that waits for the fingers to be lifted. Rule T11.
  package var isChangePending: Bool
  /// The fingers that are down.
  package var liveTouches: Int
  /// How often its filters have done something; nil where it has none. Rule N1.
  var counts: SignalCounts?

  /// What its filters have done, and how often. Rule N1.
  package var filterCounts: [(finding: SignalFinding, count: UInt64)] {
    guard let counts else { return [] }
    return SignalFinding.filters.filter { counts[$0] > 0 }.map { ($0, counts[$0]) }
  }

  /// What is wrong with it, since when, and in words. Rule N10.
  package var faults: [(finding: SignalFinding, since: Timestamp, sentence: String)] = []
}
