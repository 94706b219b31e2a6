/// How many touchscreens there are.
public struct TouchDeviceCount: Equatable, Sendable {
  /// Those that are read.
  public var used: Int
  /// Those that the configuration leaves alone.
  public var ignored: Int

  /// A count of each.
  public init(used: Int = 0, ignored: Int = 0) {
    self.used = used
    self.ignored = ignored
  }
}
