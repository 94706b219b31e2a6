/// One thing that a filter did, for observers. Rule N1.
public struct SignalNote: Equatable, Sendable, BitwiseCopyable {
  /// Whose filter.
  public var device: DeviceID
  /// When.
  public var time: Timestamp
  /// What it did.
  public var finding: SignalFinding
  /// The slot that the contact has in the filtered events; nil if it has not begun.
  public var slot: Int32?
  /// The screen of the contact.
  public var screen: ScreenIndex
  /// Where the device says that the contact is; of one that never began, where it landed.
  public var location: Point

  /// A note of a filter.
  public init(
    device: DeviceID, time: Timestamp, finding: SignalFinding, slot: Int32?, screen: ScreenIndex,
    location: Point
  ) {
    self.device = device
    self.time = time
    self.finding = finding
    self.slot = slot
    self.screen = screen
    self.location = location
  }
}
