import CTouchroute
public import TouchModel

/// What a filter of a device did, for observers on the control socket. It comes before the
/// ``Observation`` of the frame that the filter changed. Rule N1.
public struct ObservedSignal: Equatable, Sendable {
  /// When.
  public var time: Timestamp
  /// The device.
  public var device: DeviceID
  /// What its filter did.
  public var finding: SignalFinding
  /// The touch; nil if the contact has not begun.
  public var touch: TouchID?
  /// An index into ``Welcome/screens``.
  public var screen: UInt32
  /// Where the device says that the contact is, in points of the screen; nil in a secure view. Of a
  /// contact that never began it is where it landed.
  public var screenLocation: Point?

  /// The message as the C library shows it; nil where it is of a newer daemon.
  init?(_ signal: touchroute_observed_signal) {
    guard let finding = SignalFinding(rawValue: signal.finding) else { return nil }
    self.finding = finding
    time = Timestamp(microseconds: signal.time_us)
    device = DeviceID(signal.device)
    touch = signal.touch == 0 ? nil : TouchID(signal.touch)
    screen = signal.screen
    screenLocation =
      signal.screen_x.isNaN || signal.screen_y.isNaN
      ? nil : Point(x: signal.screen_x, y: signal.screen_y)
  }
}
