import CTouchroute
public import TouchModel

/// What a filter of a device did, before the ``Observation`` of the frame that it changed (rule
/// N1); or that a device has fallen ill, or is well again (rule N10). For observers.
public struct ObservedSignal: Equatable, Sendable {
  /// When.
  public var time: Timestamp
  /// The device.
  public var device: DeviceID
  /// What its filter did, or what is wrong with it.
  public var finding: SignalFinding
  /// The touch; nil if the contact has not begun.
  public var touch: TouchID?
  /// An index into ``Welcome/screens``.
  public var screen: UInt32?
  /// Where the device says that the contact is, in points of the screen; nil in a secure view. Of a
  /// contact that never began it is where it landed.
  public var screenLocation: Point?
  /// Whether this is no longer wrong.
  public var isOver: Bool
  /// What is wrong, in words that follow the device's name; empty of a filter.
  public var text: String

  /// The message as the C library shows it; nil where it is of a newer daemon.
  init?(_ signal: touchroute_observed_signal, text: String) {
    guard let finding = SignalFinding(rawValue: signal.finding) else { return nil }
    self.finding = finding
    time = Timestamp(microseconds: signal.time_us)
    device = DeviceID(signal.device)
    touch = signal.touch == 0 ? nil : TouchID(signal.touch)
    screen = signal.screen == TOUCHROUTE_NONE ? nil : signal.screen
    isOver = signal.is_over != 0
    self.text = text
    screenLocation =
      signal.screen_x.isNaN || signal.screen_y.isNaN
      ? nil : Point(x: signal.screen_x, y: signal.screen_y)
  }
}
