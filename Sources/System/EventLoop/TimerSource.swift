import CSystemd

/// A one-shot timer that can be armed again and again; made by `EventLoop.addTimer`.
///
/// Arming and disarming allocate nothing.
public final class TimerSource: LoopSource {
  /// When it goes off, in a loop that has a time of its own; never while it is not armed.
  private(set) var ownDeadline = UInt64.max

  /// Whether the handler will be called unless the timer is disarmed.
  public var isArmed: Bool {
    guard let handle else { return false }
    if loop?.ownTime != nil { return ownDeadline != .max }
    return sd_event_source_get_enabled(handle, nil) > 0
  }

  /// Calls the handler once, that many microseconds after the loop's `now`; an earlier arming is
  /// forgotten.
  public func arm(after microseconds: UInt64) {
    guard let now else { return }
    let (deadline, overflow) = now.addingReportingOverflow(microseconds)
    arm(at: overflow ? .max : deadline)
  }

  /// Calls the handler once at that moment of CLOCK_MONOTONIC, in microseconds, or in the next turn
  /// where it has passed; an earlier arming is forgotten. The corresponding C functions are
  /// sd_event_source_set_time and sd_event_source_set_enabled.
  public func arm(at microseconds: UInt64) {
    guard let handle else { return }
    if loop?.ownTime != nil {
      ownDeadline = microseconds
      return
    }
    let result = sd_event_source_set_time(handle, microseconds)
    precondition(result >= 0, "a timer's own handle was refused")
    enable(handle, Int32(SD_EVENT_ONESHOT))
  }

  /// Forgets the arming, if there is one.
  public func disarm() {
    guard let handle else { return }
    ownDeadline = .max
    enable(handle, Int32(SD_EVENT_OFF))
  }

  /// Calls the handler, in a loop that has a time of its own.
  func goOff() {
    ownDeadline = .max
    fire([])
  }

  func start(on event: OpaquePointer, accuracy: UInt64) throws(EventLoopError) -> OpaquePointer {
    let handle = try start("making a timer") { handle, context in
      // An accuracy of 0 would be sd-event's default, a quarter of a second.
      sd_event_add_time(
        event, &handle, CLOCK_MONOTONIC, UInt64.max, max(accuracy, 1),
        { _, _, context in LoopSource.fire(context, []) }, context)
    }
    enable(handle, Int32(SD_EVENT_OFF))
    return handle
  }

  private func enable(_ handle: OpaquePointer, _ mode: Int32) {
    let result = sd_event_source_set_enabled(handle, mode)
    precondition(result >= 0, "a timer's own handle was refused")
    loop?.timersChanged()
  }
}
