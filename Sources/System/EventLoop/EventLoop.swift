import CSystemd
import Glibc

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
/// The sources of priority `input` are not sd-event's: the loop waits for them itself, beside
/// sd-event's own descriptor, and while only they are ready, sd-event sleeps on. That is what
/// sd_event_get_fd is for, and saves each frame sd-event's book-keeping: 2.1 of the 29.2 us that a
/// frame of one finger takes from the kernel to its program, and 10 per cent of the daemon's time.
///
/// Deliberately no sd-event post source: it would run once nothing else is ready, which costs an
/// epoll_wait more each turn and lets a client that never stops writing hold back everybody's
/// output.
public final class EventLoop {
  private let event: OpaquePointer
  /// Every source that lives, by its sd_event_source; this is what owns them.
  private var sources: [OpaquePointer: LoopSource] = [:]
  private var endOfTurn: () -> Void = {}
  private var exitCode: Int32?
  private let inputs = InputSources()
  /// Whether sd-event's sources are next, because they were ready when an input was dispatched.
  private var areOthersNext = false
  /// When the turn at hand, or the latest one, began; nil before the first.
  private var turnTime: UInt64?
  private var clock = SteadyClock()
  /// The time of a loop that does not go by the clock; nil where it does.
  private(set) var ownTime: UInt64?
  /// The present of such a loop, where its handlers have taken time since.
  private var ownPresent: UInt64 = 0
  /// The timers of such a loop, in the order in which they were made.
  private var ownTimers: [TimerSource] = []
  /// By when a turn is to come though no source is ready; never where nobody asks for that.
  private var dueTurn = UInt64.max

  /// A loop of its own. The corresponding C function is sd_event_new.
  ///
  /// - Parameter time: What `now` is, in microseconds, in a loop whose time stands still but for
  ///   `advance(to:)`, so that a test decides what is late; nil for the clock's.
  public init(time: UInt64? = nil) throws(EventLoopError) {
    ownTime = time
    var event: OpaquePointer?
    let result = sd_event_new(&event)
    guard result >= 0, let event else {
      throw EventLoopError(action: "making the event loop", code: -result)
    }
    self.event = event
  }

  deinit {
    for source in sources.values { source.forgetLoop() }
    for (handle, source) in sources {
      source.forgetHandler()
      sd_event_source_disable_unref(handle)
    }
    sd_event_unref(event)
  }

  /// When the turn at hand, or the latest one, began, CLOCK_MONOTONIC, in microseconds; the present
  /// before the first one.
  public var now: UInt64 { ownTime ?? turnTime ?? present }

  /// The present, however long the turn at hand has taken, in microseconds. It never goes back: an
  /// earlier one can be subtracted. The corresponding C function is clock_gettime.
  public var present: UInt64 {
    if let ownTime { return max(ownTime, ownPresent) }
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return clock.take(UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000)
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
    if priority == .input {
      sd_event_source_set_enabled(handle, Int32(SD_EVENT_OFF))
      try inputs.add(source, beside: sd_event_get_fd(event))
    }
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
    if ownTime != nil { ownTimers.append(source) }
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
  public func atEndOfTurn(_ handler: @escaping () -> Void) {
    let before = endOfTurn
    let all = {
      before()
      handler()
    }
    _ = exchange(&endOfTurn, with: all)
  }

  /// Sees to it that a turn begins by that moment of CLOCK_MONOTONIC, in microseconds, or a
  /// millisecond later, even if no source is ready: for what its end does. Any turn that comes
  /// before then forgets it, and may ask anew.
  ///
  /// It is no timer: the loop only sleeps no longer. So it costs nothing while turns come anyway.
  public func turn(by time: UInt64) { dueTurn = min(dueTurn, time) }

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
  /// was in that time, or a signal came. The corresponding C functions are epoll_wait and, for
  /// what sd-event has, sd_event_run.
  @discardableResult
  public func runTurn(timeoutMicroseconds: UInt64? = nil) throws(EventLoopError) -> Bool {
    let timeout = timeoutMicroseconds ?? UInt64.max
    guard dueTurn != .max, ownTime == nil else { return try runReadyTurn(within: timeout) }
    let now = present
    let untilDue = dueTurn > now ? dueTurn - now : 0
    if try runReadyTurn(within: min(timeout, untilDue)) { return true }
    guard present >= dueTurn else { return false }
    turnTime = present
    endTurn()
    return true
  }

  /// The turn of a source that is ready within that time, in microseconds; false where none is.
  private func runReadyTurn(within timeout: UInt64) throws(EventLoopError) -> Bool {
    if inputs.isEmpty { return try runOtherTurn(timeoutMicroseconds: timeout) }
    if areOthersNext {
      areOthersNext = false
      if try runOtherTurn(timeoutMicroseconds: 0) { return true }
    }
    let isOtherPending = try prepareOthers()
    let ready = inputs.wait(timeoutMicroseconds: isOtherPending ? 0 : timeout)
    if ready < 0, errno != EINTR { throw EventLoopError(action: "waiting for input", code: errno) }
    if ready > 0, let input = inputs.first {
      // What has waited while an input was dispatched comes before the next input.
      areOthersNext = isOtherPending || inputs.areOthersReady
      turnTime = present
      _ = LoopSource.fire(input.source, input.readiness)
      endTurn()
      return true
    }
    return isOtherPending || ready > 0 ? try runOtherTurn(timeoutMicroseconds: 0) : false
  }

  /// Lets time pass in a loop that has its own: every timer that is due by then goes off at its
  /// moment, in a turn of its own. So do turns that are asked for by then.
  public func advance(to time: UInt64) {
    precondition(ownTime != nil, "the time of a loop that goes by the clock can't be set")
    while true {
      let timer = ownTimers.min { $0.ownDeadline < $1.ownDeadline }
      let next = min(timer?.ownDeadline ?? .max, dueTurn)
      guard next <= time, next != .max else { break }
      ownTime = max(now, next)
      if let timer, timer.ownDeadline == next { timer.goOff() }
      endTurn()
    }
    ownTime = max(now, time)
  }

  /// Has the turn at hand take so long, in microseconds, in a loop that has its own time: `present`
  /// goes by it, and `now` stays.
  public func spend(_ microseconds: UInt64) {
    precondition(ownTime != nil, "a loop that goes by the clock takes what it takes")
    ownPresent = present + microseconds
  }

  /// Has sd-event prepare its sleep, where it has not; whether it has a source to dispatch. The
  /// corresponding C function is sd_event_prepare.
  private func prepareOthers() throws(EventLoopError) -> Bool {
    let state = sd_event_get_state(event)
    guard state == SD_EVENT_INITIAL else { return state == SD_EVENT_PENDING }
    return try EventLoopError.check(sd_event_prepare(event), "preparing the event loop") > 0
  }

  /// One turn of sd-event's. The corresponding C functions are sd_event_prepare, sd_event_wait and
  /// sd_event_dispatch, which sd_event_run calls in this order.
  private func runOtherTurn(timeoutMicroseconds timeout: UInt64) throws(EventLoopError) -> Bool {
    if try !prepareOthers() {
      guard try EventLoopError.check(sd_event_wait(event, timeout), "running the event loop") > 0
      else { return false }
    }
    turnTime = present
    try EventLoopError.check(sd_event_dispatch(event), "running the event loop")
    // Here sd-event has dispatched and not yet prepared its next sleep: timers armed and interests
    // changed by these handlers are seen by it without a further system call.
    endTurn()
    return true
  }

  private func endTurn() {
    dueTurn = .max
    let handlers = endOfTurn
    handlers()
  }

  /// Ends `run()` once this turn, its end included, is over.
  public func exit(code: Int32) { exitCode = code }

  /// Ends a source: its handler is never called again. The handler that is running, this source's
  /// own or another's, runs on to its end.
  func remove(_ handle: OpaquePointer) {
    sd_event_source_disable_unref(handle)
    guard let source = sources.removeValue(forKey: handle) else { return }
    inputs.remove(source)
    ownTimers.removeAll { $0 === source }
  }

  /// An input's interest has changed.
  func inputChanged(_ source: EventSource) throws(EventLoopError) { try inputs.update(source) }

  /// A timer was armed or disarmed. Where sd-event is prepared for its sleep, and an input had the
  /// turn, it has to prepare anew: only then does it set its timers.
  func timersChanged() {
    guard sd_event_get_state(event) == SD_EVENT_ARMED else { return }
    let result = sd_event_wait(event, 0)
    precondition(result >= 0, "sd-event can't be asked what is ready: errno \(-result)")
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
