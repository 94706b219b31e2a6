/// What a touch device did, in the screen's coordinates: the input of the touch sequencer.
///
/// Events of one device come in the order in which libinput gave them. Nothing is a touch before
/// `frame` says that the device has reported all that happened at that time (rule T2).
public enum DeviceEvent: Equatable, Sendable, BitwiseCopyable {
  /// A contact came down. `location` is in points of the screen and may lie outside it (rule T8).
  case down(DeviceID, slot: Int32, screen: ScreenIndex, location: Point, time: Timestamp)
  /// A contact moved. `location` is in points of the screen.
  case motion(DeviceID, slot: Int32, location: Point, time: Timestamp)
  /// A contact was lifted; devices give no location with it (rule T4).
  case up(DeviceID, slot: Int32, time: Timestamp)
  /// A contact will not be finished (rule T7).
  case cancel(DeviceID, slot: Int32, reason: CancelReason, time: Timestamp)
  /// The device has reported all that happened at this time.
  case frame(DeviceID, time: Timestamp)
  /// The device is gone: what still lives of it is cancelled, once (rule T7).
  case lost(DeviceID, reason: CancelReason, time: Timestamp)

  /// Whose event it is.
  @inlinable
  public var device: DeviceID {
    switch self {
    case .down(let device, _, _, _, _), .motion(let device, _, _, _), .up(let device, _, _),
      .cancel(let device, _, _, _), .frame(let device, _), .lost(let device, _, _):
      device
    }
  }

  /// When it happened.
  @inlinable
  public var time: Timestamp {
    switch self {
    case .down(_, _, _, _, let time), .motion(_, _, _, let time), .up(_, _, let time),
      .cancel(_, _, _, let time), .frame(_, let time), .lost(_, _, let time):
      time
    }
  }
}
