import DaemonSupport
import TestSupport

extension DaemonProcess {
  /// Starts one with the layout that the tests ask about, without waiting for anything.
  convenience init(
    in directory: TemporaryDirectory? = nil, arguments: [String] = [], prelude: String = ":"
  ) throws {
    try self.init(panel, in: directory, arguments: arguments, prelude: prelude)
  }

  /// Starts one with the layout that the tests ask about, and waits until it is up.
  static func started(
    in directory: TemporaryDirectory? = nil, arguments: [String] = [], prelude: String = ":",
    passing passed: [Int32] = []
  ) throws -> DaemonProcess {
    try started(
      panel, in: directory, arguments: arguments, prelude: prelude, passing: passed)
  }
}
