public import TouchModel

/// A touchscreen that is in use, for those who ask.
public struct TouchDeviceStatus: Equatable, Sendable {
  /// The device's number in events.
  public var id: DeviceID
  /// What is known of it.
  public var description: DeviceDescription
  /// What the configuration says of it, as it is in force.
  public var assignment: DeviceAssignment
  /// Whether a change of that waits for the fingers to be lifted. Rule T11.
  public var isChangePending: Bool
  /// The fingers that are down.
  public var liveTouches: Int
}
