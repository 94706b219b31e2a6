import EventLoop

/// Which client is served next: those that ask for little come before those that ask for much,
/// and these share one source of the loop by level. So a quiet client's request waits for the turn
/// at hand, and for other quiet clients, however many others flood. Rule F1.
final class ServingOrder {
  private let loop: EventLoop
  /// Of each level but the quiet one, whose sessions have sources of their own.
  private let groups: [RequestRate.Level: DescriptorGroup]
  /// Looks after those that have stopped asking, so that they are quiet when they ask again.
  private var review: DeadlineTimer?
  /// Those that are not quiet.
  private var loud: [ObjectIdentifier: Session] = [:]
  /// The turn at hand: whose, and since when on CLOCK_MONOTONIC, in microseconds.
  private var turn: (session: Session, began: UInt64)?
  private let serve: (Session, Readiness) -> Void
  private let lose: (Session, EventLoopError) -> Void

  private static let reviewInterval: UInt64 = 250_000

  /// - Parameters:
  ///   - serve: A turn of a session whose socket is ready.
  ///   - lose: The end of one that can't be watched.
  init(
    on loop: EventLoop, serve: @escaping (Session, Readiness) -> Void,
    lose: @escaping (Session, EventLoopError) -> Void
  ) throws(EventLoopError) {
    self.loop = loop
    self.serve = serve
    self.lose = lose
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
  func add(_ session: Session) { watch(session, at: session.rate.level(at: loop.now)) }

  /// A session has a turn from now on.
  func turnBegins(of session: Session) { turn = (session, loop.present) }

  /// The turn that has begun, if any, is over, and what came of it is sent.
  func turnEnded() {
    guard let (session, began) = turn else { return }
    turn = nil
    let now = loop.present
    let spent = now > began ? now - began : 0
    session.rate.add(now: now, spent: spent, hasMore: session.decoder.hasMessage)
    settle(session)
  }

  /// Watches a session for what it is to be watched for.
  func setInterest(_ interest: Readiness, of session: Session) {
    if let group = groups[session.level] {
      group.setInterest(session.descriptor, interest)
    } else {
      session.source?.setInterest(interest)
    }
  }

  /// Watches a session no longer; its socket is open still.
  func remove(_ session: Session) {
    session.source?.cancel()
    session.source = nil
    guard loud.removeValue(forKey: ObjectIdentifier(session)) != nil else { return }
    groups[session.level]?.remove(session.descriptor)
  }

  /// How long a turn of it may be, in microseconds.
  func allowance(of session: Session) -> UInt64 {
    session.level == .quiet
      ? ServerLimits.turnMicroseconds : ServerLimits.busyTurnMicroseconds
  }

  /// Has a session watched at the level that it is at by now.
  private func settle(_ session: Session) {
    let level = session.rate.level(at: loop.present)
    let isWatched = session.source != nil || loud[ObjectIdentifier(session)] != nil
    guard isWatched, level != session.level else { return }
    remove(session)
    watch(session, at: level)
  }

  private func watch(_ session: Session, at level: RequestRate.Level) {
    session.level = level
    let turn: (Readiness) -> Void = { [unowned self, unowned session] readiness in
      serve(session, readiness)
    }
    do throws(EventLoopError) {
      guard let group = groups[level] else {
        session.source = try loop.addDescriptor(
          session.descriptor, interest: session.watchedFor, turn)
        return
      }
      try group.add(session.descriptor, interest: session.watchedFor, turn)
      loud[ObjectIdentifier(session)] = session
      if loud.count == 1 { awaitReview() }
    } catch { lose(session, error) }
  }

  private func awaitReview() { review?.include(loop.present + Self.reviewInterval) }
}
