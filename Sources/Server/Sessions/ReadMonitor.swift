import CLinux
import EventLoop

/// Who reads what it is sent. Rule F3.
///
/// What a client has read is asked of the kernel now and then while somebody was sent something
/// since it was last seen to have read everything: before a frame that is sent anyway, or, where
/// none comes, when the timer goes off. So a drag costs no wake-up, and a daemon at rest sleeps.
/// Whether an unresponsive one has caught up is asked when it matters, before touches are routed,
/// and wakes nobody.
final class ReadMonitor {
  /// What is known here of a session.
  struct Entry {
    fileprivate enum Progress: Equatable {
      /// It has read all that it was sent.
      case caughtUp
      /// It was sent something since it was last polled.
      case unknown
      /// It has read nothing since that moment of CLOCK_MONOTONIC, in microseconds, when so much
      /// was unread in its socket as the kernel counts it.
      case stalled(since: UInt64, unread: Int)
      /// It has read nothing for so long that it is passed by.
      case unresponsive
    }

    fileprivate var progress = Progress.caughtUp
    /// Whether it is among those that are polled.
    fileprivate var isPolled = false

    /// Whether it has read nothing for so long that it is passed by.
    var isUnresponsive: Bool { progress == .unresponsive }
  }

  /// A session has become unresponsive, or is responsive again.
  var onChange: (Session, _ isUnresponsive: Bool) -> Void = { _, _ in }
  /// How long a client may read nothing of what waits for it, in microseconds.
  var timeout: UInt64

  private let loop: EventLoop
  private var timer: DeadlineTimer?
  /// Those that may have something to read, each once.
  private var readers: [Session] = []
  /// Those of them that are being polled; kept for the capacity.
  private var polled: [Session] = []
  private var unresponsive: [Session] = []
  /// How many those are, for who looks in every turn.
  private var unresponsiveCount = 0
  /// From when on they are polled before something is sent, on CLOCK_MONOTONIC, in microseconds;
  /// never while there are none.
  private var nextPoll = UInt64.max
  /// Whether that time has come.
  private var isPollDue = false

  init(on loop: EventLoop, timeout: UInt64) throws(EventLoopError) {
    self.loop = loop
    self.timeout = timeout
    timer = try DeadlineTimer(on: loop) { [unowned self] in poll() }
  }

  /// Whether everybody has read all that it was sent, as far as is known.
  var isIdle: Bool { readers.isEmpty && unresponsive.isEmpty }

  /// The bytes that a client has not read from its socket. The corresponding C call is ioctl with
  /// SIOCOUTQ.
  static func unread(of session: Session) -> Int {
    max(0, Int(clinux_unread_by_peer(session.descriptor)))
  }

  /// A session is about to be sent what waits for it.
  func willSend(to session: Session) {
    if isPollDue { poll() }
    switch session.reading.progress {
    case .caughtUp, .unknown: break
    // Once more is added to what is unread, it no longer tells what was read.
    case .stalled, .unresponsive: poll(session)
    }
  }

  /// A session was sent something, and so many bytes wait for it still.
  func hasSent(to session: Session, left: Int) {
    switch session.reading.progress {
    case .caughtUp: watch(session)
    case .unknown where left > 0:
      session.reading.progress = .stalled(since: loop.now, unread: Self.unread(of: session))
    case .stalled(let since, _):
      session.reading.progress = .stalled(since: since, unread: Self.unread(of: session))
    case .unknown, .unresponsive: break
    }
  }

  /// The turn's frames are sent; it is now so late, in microseconds.
  func framesSent(at present: UInt64) {
    isPollDue = present >= nextPoll
  }

  /// Finds out which of the unresponsive clients have read everything meanwhile; costs nothing
  /// where every client is responsive.
  @inline(__always)
  func review() {
    if unresponsiveCount > 0 { pollUnresponsive() }
  }

  private func pollUnresponsive() {
    for session in unresponsive { poll(session) }
  }

  /// A session ends: it is no longer polled.
  func remove(_ session: Session) {
    readers.removeAll { $0 === session }
    unresponsive.removeAll { $0 === session }
    unresponsiveCount = unresponsive.count
  }

  /// Stops for good: nobody is polled from now on.
  func stop() {
    timer?.stop()
    timer = nil
  }

  private func watch(_ session: Session) {
    session.reading.progress = .unknown
    guard !session.reading.isPolled else { return }
    session.reading.isPolled = true
    if readers.isEmpty { awaitPoll() }
    readers.append(session)
  }

  /// Polls all that may have something to read, and again later those that have.
  private func poll() {
    isPollDue = false
    nextPoll = .max
    swap(&readers, &polled)
    for session in polled {
      poll(session)
      switch session.reading.progress {
      case .caughtUp, .unresponsive: session.reading.isPolled = false
      case .unknown, .stalled: readers.append(session)
      }
    }
    polled.removeAll(keepingCapacity: true)
    timer?.clear()
    if !readers.isEmpty { awaitPoll() }
  }

  private func awaitPoll() {
    // Four polls in the time allowed, so that silence is noticed at most a quarter late.
    let interval = timeout / 4
    nextPoll = loop.now + interval / 2
    timer?.include(loop.now + interval)
  }

  private func poll(_ session: Session) {
    let unread = Self.unread(of: session)
    // What is queued in the turn at hand and goes out behind this poll is nothing to have read.
    let hasEverything = unread == 0 && !session.isBlocked
    switch session.reading.progress {
    case .unresponsive:
      if hasEverything { markResponsive(session) }
    case .caughtUp, .unknown:
      session.reading.progress =
        hasEverything ? .caughtUp : .stalled(since: loop.now, unread: unread)
    case .stalled(let since, let before):
      if hasEverything {
        session.reading.progress = .caughtUp
      } else if unread < before {
        session.reading.progress = .stalled(since: loop.now, unread: unread)
      } else if loop.now >= since + timeout {
        markUnresponsive(session)
      }
    }
  }

  private func markUnresponsive(_ session: Session) {
    session.reading.progress = .unresponsive
    unresponsive.append(session)
    unresponsiveCount = unresponsive.count
    onChange(session, true)
  }

  private func markResponsive(_ session: Session) {
    session.reading.progress = .caughtUp
    unresponsive.removeAll { $0 === session }
    unresponsiveCount = unresponsive.count
    onChange(session, false)
  }
}
