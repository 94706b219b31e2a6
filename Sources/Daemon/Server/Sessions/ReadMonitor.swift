import CLinux
import EventLoop

/// Who reads what it is sent. Rule F3.
///
/// While a client was sent something since it was last seen to have read everything, the kernel is
/// asked now and then what it has read: behind a frame that was sent anyway, or, without one, in a
/// turn that this asks the loop for. So a drag costs no wake-up and no frame comes later by it, and
/// a daemon at rest sleeps. Whether an unresponsive client has caught up is asked when it matters,
/// before touches are routed, and wakes nobody.
///
/// It has no timer: each tap would arm and disarm it, which costs more than the rest of this type.
final class ReadMonitor {
  /// What is known here of a session.
  private struct Entry {
    enum Progress: Equatable {
      /// It has read all that it was sent.
      case caughtUp
      /// It was sent something since it was last polled.
      case unknown
      /// It had not read all at that moment of CLOCK_MONOTONIC, in microseconds, when so much was
      /// unread in its socket as the kernel counts it. Each message counts for something there: if
      /// it was sent more since, and no more is unread, it has read.
      case reading(at: UInt64, unread: Int, wasSentMore: Bool)
      /// It has read nothing since that moment of CLOCK_MONOTONIC, in microseconds, when so much
      /// was unread in its socket as the kernel counts it.
      case stalled(since: UInt64, unread: Int)
      /// It has read nothing for so long that it is passed by.
      case unresponsive
    }

    var progress = Progress.caughtUp
    /// Whether it is among those that are polled.
    var isPolled = false

    /// Whether it has read nothing for so long that it is passed by.
    var isUnresponsive: Bool { progress == .unresponsive }
  }

  /// A session has become unresponsive, or is responsive again.
  var onChange: (Session, _ isUnresponsive: Bool) -> Void = { _, _ in }
  /// How long a client may read nothing of what waits for it, in microseconds.
  var timeout: UInt64

  /// For so many readers nothing is allocated.
  private static let usual = 64

  private let entries = SessionEntries<Entry>()
  private let loop: EventLoop
  /// Those that may have something to read, each once.
  private var readers: [Session] = []
  /// Those of them that are being polled; kept for the capacity.
  private var polled: [Session] = []
  private var unresponsive: [Session] = []
  /// How many those are, for who looks in every turn.
  private var unresponsiveCount = 0
  /// From when on they are polled behind a frame, on CLOCK_MONOTONIC, in microseconds; never while
  /// there are none.
  private var nextPoll = UInt64.max
  /// When they are polled though no frame comes, likewise.
  private var latestPoll = UInt64.max

  init(on loop: EventLoop, timeout: UInt64) {
    self.loop = loop
    self.timeout = timeout
    readers.reserveCapacity(Self.usual)
    polled.reserveCapacity(Self.usual)
  }

  /// Whether everybody has read all that it was sent, as far as is known.
  var isIdle: Bool { readers.isEmpty && unresponsive.isEmpty }

  /// A new session: it was sent nothing.
  func add(_ session: Session) { entries.begin(Entry(), of: session) }

  /// Whether a client has read nothing for so long that it is passed by.
  func isUnresponsive(_ session: Session) -> Bool { entries[session].isUnresponsive }

  /// The bytes that a client has not read from its socket. The corresponding C call is ioctl with
  /// SIOCOUTQ.
  static func unread(of session: Session) -> Int {
    max(0, Int(clinux_unread_by_peer(session.descriptor)))
  }

  /// A session is about to be sent what waits for it.
  func willSend(to session: Session) {
    switch entries[session].progress {
    case .caughtUp, .unknown, .reading: break
    // Once more is added to what is unread, it no longer tells what was read.
    case .stalled, .unresponsive: poll(session)
    }
  }

  /// A session was sent something, and so many bytes wait for it still.
  func hasSent(to session: Session, left: Int) {
    switch entries[session].progress {
    case .caughtUp: watch(session)
    case .unknown where left > 0, .reading where left > 0:
      entries[session].progress = .stalled(since: loop.now, unread: Self.unread(of: session))
    case .reading(let moment, let unread, wasSentMore: false):
      entries[session].progress = .reading(at: moment, unread: unread, wasSentMore: true)
    case .stalled(let since, _):
      entries[session].progress = .stalled(since: since, unread: Self.unread(of: session))
    case .unknown, .reading, .unresponsive: break
    }
  }

  /// Polls the readers if no frame was sent for too long, and tells what has changed. Belongs at
  /// the end of a turn, before its messages are sent.
  @inline(__always)
  func pollOverdue() {
    if loop.now >= latestPoll { poll() }
  }

  /// Asks the loop for a turn in which the readers are polled. Belongs behind all that a turn
  /// sends.
  @inline(__always)
  func awaitPoll() {
    if latestPoll != .max { loop.turn(by: latestPoll) }
  }

  /// The turn's frames are sent; it is now so late, in microseconds. Tells of no change, as the
  /// turn is over.
  func framesSent(at present: UInt64) {
    if present >= nextPoll { poll(isTelling: false) }
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

  private func watch(_ session: Session) {
    entries[session].progress = .unknown
    guard !entries[session].isPolled else { return }
    entries[session].isPolled = true
    if readers.isEmpty { setPoll() }
    readers.append(session)
  }

  /// Polls all that may have something to read, and again later those that have.
  ///
  /// - Parameter isTelling: Whether changes may be told; otherwise the next turn tells them.
  private func poll(isTelling: Bool = true) {
    (nextPoll, latestPoll) = (.max, .max)
    swap(&readers, &polled)
    var isChangeDue = false
    for session in polled {
      if isTelling { poll(session) } else if hasStalledTooLong(session) { isChangeDue = true }
      switch entries[session].progress {
      case .caughtUp, .unresponsive: entries[session].isPolled = false
      case .unknown, .reading, .stalled: readers.append(session)
      }
    }
    polled.removeAll(keepingCapacity: true)
    if !readers.isEmpty { setPoll() }
    if isChangeDue { latestPoll = loop.now }
  }

  private func setPoll() {
    // Eight polls in the time allowed: the first one behind a frame only tells what was unread.
    let interval = timeout / 8
    nextPoll = loop.now + interval / 2
    latestPoll = loop.now + interval
  }

  private func poll(_ session: Session) {
    if entries[session].isUnresponsive {
      if hasReadAll(session, Self.unread(of: session)) { markResponsive(session) }
    } else if hasStalledTooLong(session) {
      markUnresponsive(session)
    }
  }

  /// Takes note of what a responsive client has read; whether it is to be unresponsive by that.
  private func hasStalledTooLong(_ session: Session) -> Bool {
    if entries[session].isUnresponsive { return false }
    let unread = Self.unread(of: session)
    guard !hasReadAll(session, unread) else {
      entries[session].progress = .caughtUp
      return false
    }
    switch entries[session].progress {
    case .unresponsive: break
    case .caughtUp, .unknown:
      entries[session].progress = .reading(at: loop.now, unread: unread, wasSentMore: false)
    case .reading(_, let before, let wasSentMore)
    where unread < before || wasSentMore && unread == before:
      entries[session].progress = .reading(at: loop.now, unread: unread, wasSentMore: false)
    case .reading(let moment, _, let wasSentMore):
      // It may have read a small message and been sent a large one: only from now on is it sure.
      entries[session].progress = .stalled(since: wasSentMore ? loop.now : moment, unread: unread)
    case .stalled(let since, let before):
      if unread >= before { return loop.now >= since + timeout }
      entries[session].progress = .stalled(since: loop.now, unread: unread)
    }
    return false
  }

  /// What is queued in the turn at hand and goes out behind a poll is nothing to have read.
  private func hasReadAll(_ session: Session, _ unread: Int) -> Bool {
    unread == 0 && !session.isBlocked
  }

  private func markUnresponsive(_ session: Session) {
    entries[session].progress = .unresponsive
    unresponsive.append(session)
    unresponsiveCount = unresponsive.count
    onChange(session, true)
  }

  private func markResponsive(_ session: Session) {
    entries[session].progress = .caughtUp
    unresponsive.removeAll { $0 === session }
    unresponsiveCount = unresponsive.count
    onChange(session, false)
  }
}
