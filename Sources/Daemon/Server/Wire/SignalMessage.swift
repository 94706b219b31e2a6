import CTouchroute
import TouchModel

extension OutgoingMessage where Self == FixedMessage<touchroute_observed_signal> {
  /// What a filter did. Rules N1 and F7.
  ///
  /// - Parameter touch: The touch; nil if the contact has not begun.
  static func observed(_ note: SignalNote, of touch: TouchID?, isSecure: Bool) -> Self {
    var fixed = touchroute_observed_signal()
    fixed.time_us = note.time.microseconds
    fixed.touch = touch?.rawValue ?? 0
    fixed.device = note.device.rawValue
    fixed.finding = note.finding.rawValue
    fixed.screen = UInt32(bitPattern: note.screen.rawValue)
    fixed.screen_x = isSecure ? .nan : note.location.x
    fixed.screen_y = isSecure ? .nan : note.location.y
    return FixedMessage(TOUCHROUTE_OBSERVED_SIGNAL, fixed)
  }
}
