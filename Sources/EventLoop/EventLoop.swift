import CSystemd

/// One thread's loop: descriptors, timers and signals call their handlers, one at a time.
///
/// sd-event as a small Swift face. The loop and its sources are plain objects of one thread;
/// nothing here is Sendable. The loop owns its sources from their making until `cancel()` or its
/// own end, so a source need not be kept by whoever never cancels it.
///
/// A **turn** is one dispatched source and all that its handler did; then the handlers of
/// `atEndOfTurn(_:)` run, then the loop sleeps or takes the next ready source. libinput has one
/// descriptor for all devices, so whatever all of them reported is one turn.
///
/// Deliberately no sd-event post source: it would run once nothing else is ready, which costs an
/// epoll_wait more each turn and lets a client that never stops writing hold back everybody's
/// output.
public final class EventLoop {
  private let event: OpaquePointer
  /// Every source that lives, by its sd_event_source; this is what owns them.
  private var sources: [OpaquePointer: LoopSource] = [:]
  private var endOfTurn: [() -> Void] = []
  private var exitCode: Int32?

  /// A loop of its own. The corresponding C function is sd_event_new.
  public init() throws(EventLoopError) {
    var event: OpaquePointer?
    let result = sd_event_new(&event)
    guard result >= 0, let event else {
      throw EventLoopError(action: "making the event loop", code: -result)
    }
    self.event = event
  }

  deinit {
    for source in sources.keys { sd_event_source_disable_unref(source) }
    sd_event_unref(event)
  }

  /// The time of the wake-up that is being handled, CLOCK_MONOTONIC, in microseconds; the present
  /// before the first one. Costs no system call. The corresponding C function is sd_event_now.
  public var now: UInt64 {
    var microseconds: UInt64 = 0
    sd_event_now(event, CLOCK_MONOTONIC, &microseconds)
    return microseconds
  }

  /// Calls the handler whenever the descriptor is ready for any of `interest`, and when it hangs up
  /// or fails, until the source is cancelled. Level-triggered.
  ///
  /// The descriptor stays the caller's: cancel the source before closing it. The corresponding C
  /// function is sd_event_add_io.
  @discardableResult
  public func addDescriptor(
    _ descriptor: Int32, interest: Readiness, priority: SourcePriority = .normal,
    _ handler: @escaping (Readiness) -> Void
  ) throws(EventLoopError) -> EventSource {
    let source = EventSource(loop: self, descriptor: descriptor, handler)
    let handle = try source.start(on: event, interest: interest)
    try adopt(source, handle, priority)
    return source
  }

  /// Calls the handler once, `microseconds` from now, CLOCK_MONOTONIC; the timer can be armed
  /// again, within its handler too. Nil makes a timer that is not armed yet.
  ///
  /// `accuracy` is by how many microseconds the loop may be late to wake up once for several
  /// timers. The corresponding C function is sd_event_add_time.
  @discardableResult
  public func addTimer(
    after microseconds: UInt64?, accuracy: UInt64 = 1_000, priority: SourcePriority = .normal,
    _ handler: @escaping () -> Void
  ) throws(EventLoopError) -> TimerSource {
    let source = TimerSource(loop: self) { _ in handler() }
    let handle = try source.start(on: event, accuracy: accuracy)
    try adopt(source, handle, priority)
    if let microseconds { source.arm(after: microseconds) }
    return source
  }

  /// Calls the handler for each signal of that number, and blocks the signal in this thread as long
  /// as the source lives. Other threads must block it themselves: make the signal sources before
  /// any thread. The corresponding C function is sd_event_add_signal.
  @discardableResult
  public func addSignal(
    _ number: Int32, priority: SourcePriority = .normal, _ handler: @escaping () -> Void
  ) throws(EventLoopError) -> SignalSource {
    let source = SignalSource(loop: self) { _ in handler() }
    let handle = try source.start(on: event, number: number)
    try adopt(source, handle, priority)
    return source
  }

  /// Calls the handler at the end of every turn, after those that were added before it, as long as
  /// the loop lives: the place to send what the turn has brought. It runs after the last turn too.
  public func atEndOfTurn(_ handler: @escaping () -> Void) { endOfTurn.append(handler) }

  /// Tells the service manager's watchdog, from now on and as often as it asks, that the loop
  /// turns; whether it asks at all. The corresponding C function is sd_event_set_watchdog.
  @discardableResult
  public func enableWatchdog() throws(EventLoopError) -> Bool {
    try EventLoopError.check(sd_event_set_watchdog(event, 1), "enabling the watchdog") > 0
  }

  /// Turns until `exit(code:)`, and returns its code.
  public func run() throws(EventLoopError) -> Int32 {
    while true {
      if let code = exitCode {
        exitCode = nil
        return code
      }
      try runTurn()
    }
  }

  /// One turn: waits for a source to be ready, nil for ever, and dispatches it; false where none
  /// was in that time. The corresponding C function is sd_event_run.
  @discardableResult
  public func runTurn(timeoutMicroseconds: UInt64? = nil) throws(EventLoopError) -> Bool {
    let timeout = timeoutMicroseconds ?? UInt64.max
    guard try EventLoopError.check(sd_event_run(event, timeout), "running the event loop") > 0
    else { return false }
    // Here, between two runs, sd-event has dispatched and not yet prepared its next sleep: timers
    // armed and interests changed by these handlers are seen by it without a further system call.
    for handler in endOfTurn { handler() }
    return true
  }

  /// Ends `run()` once this turn, its end included, is over.
  public func exit(code: Int32) { exitCode = code }

  /// Ends a source: its handler is never called again. The handler that is running, this source's
  /// own or another's, runs on to its end.
  func remove(_ handle: OpaquePointer) {
    sd_event_source_disable_unref(handle)
    sources[handle] = nil
  }

  private func adopt(
    _ source: LoopSource, _ handle: OpaquePointer, _ priority: SourcePriority
  ) throws(EventLoopError) {
    sources[handle] = source
    guard priority != .normal else { return }
    let result = sd_event_source_set_priority(handle, priority.rawValue)
    guard result < 0 else { return }
    source.cancel()
    throw EventLoopError(action: "giving a source its priority", code: -result)
  }
}
