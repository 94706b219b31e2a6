import Routing
import EventLoop

/// What sessions are waited for, and for how long: one whose time is over is given up. Nothing
/// wakes the daemon while nobody is waited for. Rules F1 and F5.
final class SessionTimeouts {
  /// What a session may be waited for.
  enum Kind {
    /// Its first message.
    case hello
    /// The rest of a message that it has begun.
    case restOfMessage
    /// That it reads its answers, while it has asked for more.
    case readingAnswers
    /// That it reads its last words.
    case lastWords
  }

  /// What is known here of a session.
  private struct Entry {
    var kind: Kind?
    /// Until when it is waited for, on CLOCK_MONOTONIC, in microseconds.
    var deadline: UInt64 = 0
    var hasProgressed = false
  }

  /// Ends a session that has used up its time.
  var giveUp: (Session, Kind) -> Void = { _, _ in }

  private let entries = SessionEntries<Entry>()
  private let loop: EventLoop
  private var timer: DeadlineTimer?
  /// Those that are waited for.
  private var waiting: [ObjectIdentifier: Session] = [:]

  init(on loop: EventLoop) throws(EventLoopError) {
    self.loop = loop
    timer = try DeadlineTimer(on: loop) { [unowned self] in expire() }
  }

  /// How many sessions are waited for.
  var count: Int { waiting.count }

  /// A new session: nothing is waited for so far.
  func add(_ session: Session) { entries.begin(Entry(), of: session) }

  /// Whether a session is waited for.
  func isWaiting(for session: Session) -> Bool { entries[session].kind != nil }

  /// Something of a session was decoded, or it was sent something: if it is waited for still, its
  /// time begins anew.
  func noteProgress(of session: Session) { entries[session].hasProgressed = true }

  /// Gives a session time for what it is waited for, if for anything: anew where that is something
  /// else than before, or it has done something since.
  func update(_ session: Session, limits: ServerLimits) {
    let kind = session.awaited
    let isNew = kind != entries[session].kind || entries[session].hasProgressed
    entries[session].hasProgressed = false
    guard let kind else { return cancel(session) }
    guard isNew else { return }
    let allowed =
      kind == .lastWords ? limits.lingerMilliseconds : limits.requestTimeoutMilliseconds
    let deadline = loop.now + allowed * 1_000
    waiting[ObjectIdentifier(session)] = session
    entries[session].kind = kind
    entries[session].deadline = deadline
    timer?.include(deadline)
  }

  /// A session is no longer waited for.
  func cancel(_ session: Session) {
    guard entries[session].kind != nil else { return }
    entries[session].kind = nil
    waiting[ObjectIdentifier(session)] = nil
    if waiting.isEmpty { timer?.clear() }
  }

  /// Stops for good: nobody is given up from now on.
  func stop() {
    timer?.stop()
    timer = nil
  }

  private func expire() {
    let now = loop.now
    for session in waiting.values.sorted(by: { $0.id.slot < $1.id.slot }) {
      guard let kind = entries[session].kind else { continue }
      guard entries[session].deadline <= now else {
        timer?.include(entries[session].deadline)
        continue
      }
      cancel(session)
      giveUp(session, kind)
    }
  }
}

extension Session {
  /// What it is waited for.
  fileprivate var awaited: SessionTimeouts.Kind? {
    if state.isOver { return .lastWords }
    if state.isGreeting { return .hello }
    if state.isWaiting { return nil }
    if decoder.hasMessage { return .readingAnswers }
    guard decoder.count > 0 else { return nil }
    // The rest may be in its socket, which is not read while too many of its answers wait.
    return takesRequests ? .restOfMessage : .readingAnswers
  }
}
