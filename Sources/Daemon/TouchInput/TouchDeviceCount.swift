/// How many touchscreens there are.
package struct TouchDeviceCount: Equatable, Sendable {
  /// Those that are read.
  package var used: Int
  /// Those that the configuration leaves alone.
  package var ignored: Int

  /// A count of each.
  package init(used: Int = 0, ignored: Int = 0) {
    self.used = used
    self.ignored = ignored
  }
}
