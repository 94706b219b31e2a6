import CTouchroute

/// The answers of a ``HostileDaemon`` to one request, made of the wire's structs.
struct HostileMessages {
  /// What every request begins with, behind its header.
  private let serial: UInt32
  /// In describe, where to begin.
  private let first: UInt32
  private let manner: HostileDaemon.Manner
  /// What everything is called.
  private let words: [UInt8]
  private let attachment: UInt32 = 1

  /// - Parameter request: what follows its header.
  init(to request: [UInt8], _ manner: HostileDaemon.Manner) {
    self.manner = manner
    // A layout of other names is no layout.
    words = Array((manner == .strays ? "home" : HostileDaemon.words).utf8)
    func number(at offset: Int) -> UInt32 {
      guard request.count >= offset + 4 else { return 0 }
      return request.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }
    (serial, first) = (number(at: 0), number(at: 4))
  }

  func answer(to opcode: UInt16) -> [UInt8] {
    if opcode == TOUCHROUTE_HELLO.rawValue { return welcome() }
    switch (manner, UInt32(opcode)) {
    case (.waits, TOUCHROUTE_ATTACH.rawValue): return waiting() + detached()
    case (.attaches, TOUCHROUTE_ATTACH.rawValue):
      return attached() + tap() + gesture() + holder() + closing()
    case (.describes, TOUCHROUTE_DESCRIBE.rawValue) where first > 0: return done(total: 1)
    case (.describes, TOUCHROUTE_DESCRIBE.rawValue), (.repeats, TOUCHROUTE_DESCRIBE.rawValue):
      return view() + details() + done(total: 1)
    case (.describes, TOUCHROUTE_STATUS.rawValue), (.repeats, TOUCHROUTE_STATUS.rawValue),
      (.knots, TOUCHROUTE_STATUS.rawValue):
      return daemon() + client() + attachments() + device() + signal() + screen() + lock()
        + done(total: 7)
    case (.knots, TOUCHROUTE_DESCRIBE.rawValue): return view(in: 0) + details() + done(total: 1)
    case (.strays, TOUCHROUTE_DESCRIBE.rawValue) where first > 0: return done(total: 1)
    case (.strays, TOUCHROUTE_DESCRIBE.rawValue):
      return view(origin: 4.6e15) + details() + done(total: 1)
    case (.multiplies, TOUCHROUTE_DESCRIBE.rawValue) where first > 0:
      return [[UInt8]](repeating: gestureItem(), count: 1000).flatMap { $0 } + done(total: 1)
    case (.multiplies, TOUCHROUTE_DESCRIBE.rawValue): return view() + details() + done(total: 1)
    case (.strays, TOUCHROUTE_STATUS.rawValue), (.multiplies, TOUCHROUTE_STATUS.rawValue),
      (.floods, TOUCHROUTE_STATUS.rawValue), (.losesScreens, TOUCHROUTE_STATUS.rawValue):
      return done(total: 0)
    case (.floods, TOUCHROUTE_OBSERVE.rawValue):
      let signals = [[UInt8]](repeating: observedSignal(), count: 10_000)
      return done(total: 0) + signals.flatMap { $0 } + closing()
    case (.losesScreens, TOUCHROUTE_OBSERVE.rawValue):
      return done(total: 0) + welcome(screens: 0)
    case (.breaksOff, TOUCHROUTE_OBSERVE.rawValue), (.knots, TOUCHROUTE_OBSERVE.rawValue):
      return done(total: 0)
    case (.breaksOff, TOUCHROUTE_STATUS.rawValue): return device() + signal()
    case (.describes, TOUCHROUTE_RELOAD.rawValue): return done(total: 0, words)
    case (.hits, TOUCHROUTE_WATCH_FEEDBACK.rawValue): return done(total: 0) + feedback()
    default: return refusal()
    }
  }

  private func welcome(screens: UInt32 = 1) -> [UInt8] {
    var welcome = touchroute_welcome()
    welcome.serial = serial
    welcome.version = TOUCHROUTE_VERSION
    welcome.max_request = TOUCHROUTE_MAX_REQUEST
    welcome.max_attachments = 64
    welcome.is_control = 1
    welcome.screen_count = screens
    guard screens > 0 else { return message(TOUCHROUTE_WELCOME, welcome) }
    var screen = touchroute_screen()
    (screen.width, screen.height) = (800, 480)
    screen.name_size = UInt32(words.count)
    return message(TOUCHROUTE_WELCOME, welcome, bytes(screen) + padded(words))
  }

  private func refusal() -> [UInt8] {
    var error = touchroute_error()
    error.serial = serial
    error.code = TOUCHROUTE_ERROR_NOT_ALLOWED.rawValue
    error.text_size = UInt32(words.count)
    return message(TOUCHROUTE_ERROR, error, padded(words))
  }

  private func waiting() -> [UInt8] {
    var waiting = touchroute_waiting()
    (waiting.serial, waiting.attachment) = (serial, attachment)
    waiting.text_size = UInt32(words.count)
    return message(TOUCHROUTE_WAITING, waiting, padded(words))
  }

  private func detached() -> [UInt8] {
    var detached = touchroute_detached()
    detached.attachment = attachment
    detached.reason = TOUCHROUTE_DETACH_REMOVED.rawValue
    detached.text_size = UInt32(words.count)
    return message(TOUCHROUTE_DETACHED, detached, padded(words))
  }

  private func attached() -> [UInt8] {
    var attached = touchroute_attached()
    (attached.serial, attached.attachment, attached.view_count) = (serial, attachment, 1)
    attached.frame = (0, 0, 800, 480)
    attached.bounds = (0, 0, 800, 480)
    attached.transform = (1, 0, 0, 1, 0, 0)
    return message(TOUCHROUTE_ATTACHED, attached)
  }

  /// A finger goes down and up.
  private func tap() -> [UInt8] {
    [TOUCHROUTE_PHASE_BEGAN, TOUCHROUTE_PHASE_ENDED].enumerated().flatMap { number, phase in
      let path = number == 0 ? words : []
      var touch = touchroute_touch()
      (touch.id, touch.attachment, touch.tap_count) = (1, attachment, 1)
      touch.phase = UInt8(phase.rawValue)
      touch.path_size = UInt16(path.count)
      var frame = touchroute_touches()
      (frame.sequence, frame.device, frame.touch_count) = (UInt64(number + 1), 1, 1)
      return message(TOUCHROUTE_TOUCHES, frame, bytes(touch) + padded(path))
    }
  }

  private func gesture() -> [UInt8] {
    var gesture = touchroute_gesture()
    (gesture.attachment, gesture.recognizer, gesture.touches, gesture.taps) = (attachment, 1, 1, 1)
    gesture.kind = UInt8(TOUCHROUTE_GESTURE_TAP.rawValue)
    gesture.state = UInt8(TOUCHROUTE_GESTURE_RECOGNIZED.rawValue)
    gesture.path_size = UInt32(words.count)
    return message(TOUCHROUTE_GESTURE, gesture, padded(words))
  }

  private func feedback() -> [UInt8] {
    var feedback = touchroute_feedback()
    feedback.cause = UInt16(TOUCHROUTE_FEEDBACK_TOUCH.rawValue)
    (feedback.name_size, feedback.target_size) = (UInt32(words.count), UInt32(words.count))
    return message(TOUCHROUTE_FEEDBACK, feedback, padded(words) + padded(words))
  }

  private func holder() -> [UInt8] {
    var holder = touchroute_holder()
    (holder.attachment, holder.is_held, holder.pid) = (attachment, 1, 7)
    (holder.path_size, holder.name_size) = (UInt32(words.count), UInt32(words.count))
    return message(TOUCHROUTE_HOLDER, holder, padded(words) + padded(words))
  }

  private func closing() -> [UInt8] {
    // Of a daemon that is stopping the words are the library's own.
    var closing = touchroute_closing()
    closing.reason = TOUCHROUTE_CLOSE_LIMIT.rawValue
    closing.text_size = UInt32(words.count)
    return message(TOUCHROUTE_CLOSING, closing, padded(words))
  }

  private func view(
    in superview: UInt32 = TOUCHROUTE_NONE, origin: Double = 0
  ) -> [UInt8] {
    var view = touchroute_view()
    view.bounds_origin = (origin, 0)
    (view.serial, view.parent, view.holder) = (serial, superview, 7)
    view.frame = (0, 0, 800, 480)
    view.transform = (1, 0, 0, 1, 0, 0)
    view.alpha = 1
    (view.path_size, view.controller_size) = (UInt32(words.count), UInt32(words.count))
    return message(TOUCHROUTE_VIEW, view, padded(words) + padded(words), hasMore: true)
  }

  private func details() -> [UInt8] {
    var details = touchroute_view_details()
    (details.serial, details.application_size) = (serial, UInt32(words.count))
    return message(TOUCHROUTE_VIEW_DETAILS, details, padded(words), hasMore: true)
  }

  private func gestureItem() -> [UInt8] {
    var gesture = touchroute_described_gesture()
    (gesture.serial, gesture.recognizer, gesture.index, gesture.view) = (serial, 1, first, 0)
    gesture.screen = TOUCHROUTE_NONE
    gesture.kind = UInt8(TOUCHROUTE_GESTURE_TAP.rawValue)
    (gesture.fewest, gesture.most, gesture.taps) = (1, 1, 1)
    gesture.path_size = UInt32(words.count)
    return message(TOUCHROUTE_DESCRIBED_GESTURE, gesture, padded(words), hasMore: true)
  }

  private func observedSignal() -> [UInt8] {
    var signal = touchroute_observed_signal()
    (signal.device, signal.screen) = (1, TOUCHROUTE_NONE)
    signal.finding = UInt8(TOUCHROUTE_SIGNAL_SILENT.rawValue)
    signal.text_size = UInt32(words.count)
    return message(TOUCHROUTE_OBSERVED_SIGNAL, signal, padded(words))
  }

  private func daemon() -> [UInt8] {
    var daemon = touchroute_status_daemon()
    (daemon.serial, daemon.pid) = (serial, 7)
    (daemon.version_size, daemon.configuration_size) = (UInt32(words.count), UInt32(words.count))
    daemon.counter_count = UInt32(TOUCHROUTE_COUNTERS.rawValue)
    daemon.latency_count = TOUCHROUTE_LATENCIES
    // Each the largest there is.
    (daemon.started_us, daemon.live_touches) = (.max, .max)
    let numbers = [UInt8](
      repeating: .max, count: 8 * Int(daemon.counter_count + daemon.latency_count))
    return message(
      TOUCHROUTE_STATUS_DAEMON, daemon, numbers + padded(words) + padded(words), hasMore: true)
  }

  private func client() -> [UInt8] {
    var client = touchroute_status_client()
    (client.serial, client.client, client.pid, client.name_size) = (
      serial, 1, 7, UInt32(words.count)
    )
    (client.queued, client.unread, client.live_touches) = (.max, .max, .max)
    (client.messages, client.coalesced, client.dropped) = (.max, .max, .max)
    return message(TOUCHROUTE_STATUS_CLIENT, client, padded(words), hasMore: true)
  }

  private func attachments() -> [UInt8] {
    var held = touchroute_status_attachment()
    (held.serial, held.client, held.attachment) = (serial, 1, 1)
    held.handles = UInt16(TOUCHROUTE_HANDLES_ALL.rawValue)
    held.path_size = UInt32(words.count)
    return message(TOUCHROUTE_STATUS_ATTACHMENT, held, padded(words), hasMore: true)
  }

  private func device() -> [UInt8] {
    var device = touchroute_status_device()
    (device.serial, device.device, device.touch_count) = (serial, 1, 10)
    (device.name_size, device.node_size, device.phys_size) = (
      UInt32(words.count), UInt32(words.count), UInt32(words.count)
    )
    return message(
      TOUCHROUTE_STATUS_DEVICE, device, padded(words) + padded(words) + padded(words),
      hasMore: true)
  }

  private func signal() -> [UInt8] {
    var signal = touchroute_status_signal()
    (signal.serial, signal.device) = (serial, 1)
    signal.finding = UInt8(TOUCHROUTE_SIGNAL_SILENT.rawValue)
    (signal.count, signal.since_us, signal.text_size) = (.max, .max, UInt32(words.count))
    return message(TOUCHROUTE_STATUS_SIGNAL, signal, padded(words), hasMore: true)
  }

  private func screen() -> [UInt8] {
    var screen = touchroute_status_screen()
    (screen.serial, screen.pid) = (serial, 7)
    screen.power = UInt16(TOUCHROUTE_SCREEN_DARK.rawValue)
    (screen.name_size, screen.blanker_size) = (UInt32(words.count), UInt32(words.count))
    return message(TOUCHROUTE_STATUS_SCREEN, screen, padded(words) + padded(words), hasMore: true)
  }

  private func lock() -> [UInt8] {
    var lock = touchroute_status_lock()
    (lock.serial, lock.remaining_ms, lock.pid) = (serial, .max, 7)
    lock.name_size = UInt32(words.count)
    return message(TOUCHROUTE_STATUS_LOCK, lock, padded(words), hasMore: true)
  }

  private func done(total: UInt32, _ text: [UInt8] = []) -> [UInt8] {
    var done = touchroute_done()
    (done.serial, done.total, done.text_size) = (serial, total, UInt32(text.count))
    return message(TOUCHROUTE_DONE, done, padded(text))
  }

  /// A message: its struct, whose header is made here, and what follows.
  private func message(
    _ event: touchroute_event, _ body: some BitwiseCopyable, _ rest: [UInt8] = [],
    hasMore: Bool = false
  ) -> [UInt8] {
    let body = bytes(body)
    let header = touchroute_header(
      size: UInt32(body.count + rest.count), opcode: UInt16(event.rawValue),
      flags: hasMore ? UInt16(TOUCHROUTE_MORE) : 0)
    return bytes(header) + Array(body.dropFirst(bytes(header).count)) + rest
  }

  private func bytes(_ value: some BitwiseCopyable) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }

  private func padded(_ text: [UInt8]) -> [UInt8] {
    text + [UInt8](repeating: 0, count: (8 - text.count % 8) % 8)
  }
}
