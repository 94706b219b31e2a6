/// Names one touch; never used again while the daemon runs. Rule T1.
public struct TouchID: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The number itself; the first touch has 1.
  public var rawValue: UInt64

  /// The touch of that number.
  @inlinable
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// Whether the left touch began before the right one.
  public static func < (left: TouchID, right: TouchID) -> Bool { left.rawValue < right.rawValue }
}

/// Names one device from its arrival to its removal; a device that comes back gets another.
public struct DeviceID: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The number itself; the first device has 1.
  public var rawValue: UInt32

  /// The device of that number.
  @inlinable
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// Whether the left device came before the right one.
  public static func < (left: DeviceID, right: DeviceID) -> Bool { left.rawValue < right.rawValue }
}

/// A screen, by its index in the configuration. Rule L1.
public struct ScreenIndex: Hashable, Sendable, BitwiseCopyable {
  /// The index, from 0.
  public var rawValue: Int32

  /// The screen at that index.
  @inlinable
  public init(_ rawValue: Int32) { self.rawValue = rawValue }
}
