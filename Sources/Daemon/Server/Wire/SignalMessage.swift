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

  /// That a touchscreen has fallen ill, or is well again. Rule N10.
  static func observed(_ change: HealthChange) -> Self {
    let text = clipped(change.sentence, to: Int(TOUCHROUTE_MAX_PATH))
    var fixed = touchroute_observed_signal()
    fixed.time_us = change.time.microseconds
    fixed.device = change.device.rawValue
    fixed.finding = change.finding.rawValue
    fixed.is_over = change.isOver ? 1 : 0
    fixed.screen = TOUCHROUTE_NONE
    fixed.screen_x = .nan
    fixed.screen_y = .nan
    fixed.text_size = UInt32(text.utf8.count)
    return FixedMessage(TOUCHROUTE_OBSERVED_SIGNAL, fixed, text)
  }
}
