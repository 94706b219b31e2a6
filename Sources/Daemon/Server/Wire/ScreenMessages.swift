import CTouchroute
import Routing
import TouchModel

// What clients are told of screens, and of what nobody touches.

extension OutgoingMessage where Self == FixedMessage<touchroute_screen_state> {
  /// A screen's state. Rule D2.
  static func screen(_ notice: ScreenStateNotice) -> Self {
    let fixed = touchroute_screen_state(
      header: touchroute_header(), screen: UInt32(bitPattern: notice.screen.rawValue),
      power: notice.state.rawValue, cause: notice.cause?.rawValue ?? 0,
      name_size: UInt32(notice.name.utf8.count), reserved: 0)
    return FixedMessage(TOUCHROUTE_SCREEN_STATE, fixed, notice.name)
  }
}

extension OutgoingMessage where Self == FixedMessage<touchroute_idle> {
  /// Nobody has touched what a client watches for so long, or somebody does again. Rule D7.
  static func idle(_ change: IdleWatches.Change) -> Self {
    FixedMessage(
      TOUCHROUTE_IDLE,
      touchroute_idle(
        header: touchroute_header(), watch: change.watch, is_idle: change.isIdle ? 1 : 0))
  }
}

extension OutgoingMessage where Self == FixedMessage<touchroute_status_screen> {
  /// An item of `status`: a screen.
  ///
  /// - Parameters:
  ///   - pid: The process of its blanker; 0 where it has none.
  ///   - blanker: What that calls itself.
  static func status(
    of screen: ScreenStatus, pid: Int32, blanker: String, serial: UInt32
  ) -> Self {
    let fixed = touchroute_status_screen(
      header: touchroute_header(), serial: serial,
      screen: UInt32(bitPattern: screen.screen.rawValue), power: screen.state.rawValue,
      reserved: 0, pid: pid, name_size: UInt32(screen.name.utf8.count),
      blanker_size: UInt32(blanker.utf8.count))
    return FixedMessage(TOUCHROUTE_STATUS_SCREEN, fixed, screen.name, blanker)
  }
}

extension OutgoingMessage where Self == FixedMessage<touchroute_lock_state> {
  /// A screen's lock. Rule D9.
  static func lock(_ notice: LockNotice) -> Self {
    let fixed = touchroute_lock_state(
      header: touchroute_header(), screen: UInt32(bitPattern: notice.screen.rawValue),
      remaining_ms: notice.remainingMilliseconds, cause: notice.cause?.rawValue ?? 0, reserved: 0,
      name_size: UInt32(notice.name.utf8.count))
    return FixedMessage(TOUCHROUTE_LOCK_STATE, fixed, notice.name)
  }
}

extension OutgoingMessage where Self == FixedMessage<touchroute_status_lock> {
  /// An item of `status`: a screen's lock.
  ///
  /// - Parameter pid: The process of who asked for it; 0 where that was an administrator who has
  ///   gone.
  static func status(of lock: LockStatus, pid: Int32, serial: UInt32) -> Self {
    let fixed = touchroute_status_lock(
      header: touchroute_header(), serial: serial,
      screen: UInt32(bitPattern: lock.screen.rawValue), remaining_ms: lock.remainingMilliseconds,
      pid: pid, name_size: UInt32(lock.name.utf8.count), reserved: 0)
    return FixedMessage(TOUCHROUTE_STATUS_LOCK, fixed, lock.name)
  }
}

extension OutgoingMessage where Self == FixedMessage<touchroute_feedback> {
  /// Something was hit. Rules D10 and D12.
  static func feedback(_ feedback: Feedback) -> Self {
    let flags = feedback.target == nil ? TOUCHROUTE_FEEDBACK_SECURE.rawValue : 0
    let target = feedback.target ?? ""
    let fixed = touchroute_feedback(
      header: touchroute_header(), time_us: feedback.time.microseconds,
      screen: UInt32(bitPattern: feedback.screen.rawValue), cause: feedback.cause.rawValue,
      flags: UInt16(flags), name_size: UInt32(feedback.name.utf8.count),
      target_size: UInt32(target.utf8.count))
    return FixedMessage(TOUCHROUTE_FEEDBACK, fixed, feedback.name, target)
  }
}
