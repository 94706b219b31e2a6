/// When a touchscreen counts as ill; 0 never. Rule N10.
public struct HealthSettings: Equatable, Sendable {
  /// A finger is down, and the touchscreen has reported nothing for so long, in milliseconds.
  public var silentMilliseconds: UInt64 = 60_000
  /// A contact has been down for so long, in milliseconds, though the touchscreen reports.
  public var heldMilliseconds: UInt64 = 300_000
  /// The rate of its reports has fallen to so many percent of what it was.
  public var ratePercent: UInt64 = 55
  /// So many contacts in a minute were ghosts or too short.
  public var ghostsPerMinute: UInt64 = 20
  /// So many times in a minute the kernel has lost events.
  public var dropsPerMinute: UInt64 = 3
  /// So many times in an hour it was unplugged, or has failed.
  public var lossesPerHour: UInt64 = 5
  /// Taps lie so many points off the middle of what they hit, on average.
  public var driftPoints: UInt64 = 15

  /// The defaults.
  public init() {}
}
