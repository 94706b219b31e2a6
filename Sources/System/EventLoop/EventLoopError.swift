import CLinux

/// What failed in the room EventLoop: a call of systemd's library, and why.
public struct EventLoopError: Error, Equatable, CustomStringConvertible {
  /// What was being done, such as `watching descriptor 7`.
  public var action: String
  /// The errno, positive.
  public var code: Int32

  /// An action, and the errno of its failure.
  public init(action: String, code: Int32) {
    self.action = action
    self.code = code
  }

  /// One sentence.
  public var description: String { "\(action): \(String(cString: clinux_error_text(code)))" }

  /// Passes on the result of a call of sd-event, whose failures are negative errnos.
  @discardableResult
  static func check(
    _ result: Int32, _ action: @autoclosure () -> String
  ) throws(EventLoopError) -> Int32 {
    guard result >= 0 else { throw EventLoopError(action: action(), code: -result) }
    return result
  }
}
