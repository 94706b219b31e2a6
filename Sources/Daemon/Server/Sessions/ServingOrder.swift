import EventLoop

/// Which client is served next: those that ask for little come before those that ask for much,
/// and these share one source of the loop by level. So a quiet client's request waits for the turn
/// at hand, and for other quiet clients, however many others flood. Rule F1.
final class ServingOrder {
  /// What is known here of a session.
  private struct Entry {
    /// The loop's, while it is quiet.
    var source: EventSource?
    /// How it is served beside others.
    var level = RequestRate.Level.quiet
    /// How much of the daemon's time it has had of late.
    var rate: RequestRate
    /// What its socket is watched for now.
    var watchedFor: Readiness = .read
  }

  /// A turn of a session whose socket is ready.
  var serve: (Session, Readiness) -> Void = { _, _ in }
  /// A session's turn is over.
  var onTurn: () -> Void = {}
  /// A session can't be watched.
  var onFailure: (Session, EventLoopError) -> Void = { _, _ in }

  private let entries = SessionEntries<Entry>()
  private let loop: EventLoop
  /// Of each level but the quiet one, whose sessions have sources of their own.
  private let groups: [RequestRate.Level: DescriptorGroup]
  /// Looks after those that have stopped asking, so that they are quiet when they ask again.
  private var review: DeadlineTimer?
  /// Those that are not quiet.
  private var loud: [ObjectIdentifier: Session] = [:]
  /// The turn at hand: whose, and since when on CLOCK_MONOTONIC, in microseconds.
  private var turn: (session: Session, began: UInt64)?

  private static let reviewInterval: UInt64 = 250_000

  init(on loop: EventLoop) throws(EventLoopError) {
    self.loop = loop
    groups = [
      .busy: try DescriptorGroup(on: loop, priority: .busy),
      .flooding: try DescriptorGroup(on: loop, priority: .flooding),
    ]
    review = try DeadlineTimer(on: loop) { [unowned self] in
      for session in loud.values { settle(session) }
      if !loud.isEmpty { awaitReview() }
    }
  }

  deinit { review?.stop() }

  /// Has a new session watched.
  ///
  /// - Parameter level: How it is served at first.
  func add(_ session: Session, as level: RequestRate.Level) {
    let rate = RequestRate(now: loop.now, as: level)
    entries.begin(Entry(rate: rate), of: session)
    watch(session, at: rate.level(at: loop.now))
  }

  /// How a session is served beside others.
  func level(of session: Session) -> RequestRate.Level { entries[session].level }

  /// Whether a session's socket is watched for requests and nothing else.
  func isWatchedForRequestsAlone(_ session: Session) -> Bool {
    entries[session].watchedFor == .read
  }

  /// A session has a turn from now on.
  func turnBegins(of session: Session) { turn = (session, loop.present) }

  /// The turn that has begun, if any, is over, and what came of it is sent.
  func turnEnded() {
    guard let (session, began) = turn else { return }
    turn = nil
    let now = loop.present
    let spent = now > began ? now - began : 0
    entries[session].rate.add(now: now, spent: spent, hasMore: session.decoder.hasMessage)
    settle(session)
    onTurn()
  }

  /// Watches a session for what it is to be watched for by now.
  func updateInterest(of session: Session) {
    let interest = session.interest
    guard interest != entries[session].watchedFor else { return }
    entries[session].watchedFor = interest
    if let group = groups[entries[session].level] {
      group.setInterest(session.descriptor, interest)
    } else {
      entries[session].source?.setInterest(interest)
    }
  }

  /// Watches a session no longer; its socket is open still.
  func remove(_ session: Session) {
    entries[session].source?.cancel()
    entries[session].source = nil
    guard loud.removeValue(forKey: ObjectIdentifier(session)) != nil else { return }
    groups[entries[session].level]?.remove(session.descriptor)
  }

  /// How long a turn of it may be, in microseconds.
  func allowance(of session: Session) -> UInt64 {
    entries[session].level == .quiet
      ? ServerLimits.turnMicroseconds : ServerLimits.busyTurnMicroseconds
  }

  /// Has a session watched at the level that it is at by now.
  private func settle(_ session: Session) {
    let level = entries[session].rate.level(at: loop.present)
    let isWatched = entries[session].source != nil || loud[ObjectIdentifier(session)] != nil
    guard isWatched, level != entries[session].level else { return }
    remove(session)
    watch(session, at: level)
  }

  private func watch(_ session: Session, at level: RequestRate.Level) {
    entries[session].level = level
    let turn: (Readiness) -> Void = { [unowned self, unowned session] readiness in
      serve(session, readiness)
    }
    do throws(EventLoopError) {
      guard let group = groups[level] else {
        entries[session].source = try loop.addDescriptor(
          session.descriptor, interest: entries[session].watchedFor, turn)
        return
      }
      try group.add(session.descriptor, interest: entries[session].watchedFor, turn)
      loud[ObjectIdentifier(session)] = session
      if loud.count == 1 { awaitReview() }
    } catch { onFailure(session, error) }
  }

  private func awaitReview() { review?.include(loop.present + Self.reviewInterval) }
}
