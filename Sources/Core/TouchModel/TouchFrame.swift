/// One change of one touch within a frame.
public struct Touch: Equatable, Sendable, BitwiseCopyable {
  /// The touch.
  public var id: TouchID
  /// `began`, `moved`, `ended` or `cancelled`.
  public var phase: TouchPhase
  /// Why, where the phase is `cancelled`.
  public var cancelReason: CancelReason?
  /// Where it is, in points of the screen; with `ended` and `cancelled` the last known place (rule
  /// T4).
  public var location: Point
  /// When it changed.
  public var time: Timestamp

  /// A change of a touch.
  @inlinable
  public init(
    id: TouchID, phase: TouchPhase, cancelReason: CancelReason? = nil, location: Point,
    time: Timestamp
  ) {
    self.id = id
    self.phase = phase
    self.cancelReason = cancelReason
    self.location = location
    self.time = time
  }
}

/// All that one device reported up to its frame mark: lifts first, then moves, then begans. Rules
/// T2 and T3.
public struct TouchFrame: Equatable {
  /// The device.
  public var device: DeviceID
  /// The screen that the device is mapped to.
  public var screen: ScreenIndex
  /// The time of the frame mark.
  public var time: Timestamp
  /// The touches that changed; never more than one change of a touch.
  public var touches: ReusableArray<Touch>

  /// A frame of a device.
  public init(device: DeviceID, screen: ScreenIndex, time: Timestamp, touches: ReusableArray<Touch>)
  {
    self.device = device
    self.screen = screen
    self.time = time
    self.touches = touches
  }
}
