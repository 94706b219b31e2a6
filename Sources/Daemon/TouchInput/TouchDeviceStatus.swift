package import TouchModel

/// A touchscreen that is in use, for those who ask.
package struct TouchDeviceStatus: Equatable, Sendable {
  /// The device's number in events.
  package var id: DeviceID
  /// What is known of it.
  package var description: DeviceDescription
  /// What the configuration says of it, as it is in force.
  package var assignment: DeviceAssignment
  /// Whether a change of that waits for the fingers to be lifted. Rule T11.
  package var isChangePending: Bool
  /// The fingers that are down.
  package var liveTouches: Int
}
