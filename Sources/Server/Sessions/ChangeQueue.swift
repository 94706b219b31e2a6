import EventLoop
import Routing
import TouchModel

/// The clients that want views or recognizers changed, and when that may be. Rule F1.
///
/// A change of the layout takes a time that grows with its views, and can't be interrupted. So the
/// requests of all clients are gathered and carried out as one change: at once where the layout was
/// left alone for several times as long as its last change took, else when that time has come.
/// Meanwhile nothing more of these clients is decoded or read, and the other clients are served.
final class ChangeQueue {
  /// Requests that are carried out together.
  struct Change {
    /// Those to set, and by what they are answered: one change of the layout.
    fileprivate(set) var batches: [(token: RequestToken, changes: [ViewChange])] = []
    /// Those to add and remove recognizers and views, which come behind that.
    fileprivate(set) var others: [(token: RequestToken, request: Request)] = []
    /// How many views and recognizers they are about.
    fileprivate var size = 0

    /// How many requests they are.
    fileprivate var count: Int { batches.count + others.count }
  }

  /// Carries requests out, and answers them.
  var carryOut: (Change) -> Void = { _ in }
  /// The session's further requests may be carried out; what was wrong with the one behind those
  /// that were carried out, if anything.
  var resume: (Session, RequestError?) -> Void = { _, _ in }
  /// Whether a change that was asked for is still being made: then no other one is carried out, and
  /// nobody's further requests are.
  var isHeld = false {
    didSet {
      guard oldValue, !isHeld, !isChanging else { return }
      resumeServed()
      carryOutIfDue()
    }
  }

  private let loop: EventLoop
  private var timer: TimerSource?
  /// Those whose next request is a change, in the order in which they came.
  private var waiting: [Session] = []
  /// Whether a change is being carried out, which has others behind it.
  private var isChanging = false
  /// Those whose requests are being carried out; and what was wrong with the one behind them.
  private var served: [(session: Session, error: RequestError?)] = []
  /// When the next change may be, on CLOCK_MONOTONIC, in microseconds.
  private var earliest: UInt64 = 0
  /// Requests that are one change, at most: fewer after changes that took long.
  private var size = mostRequests

  /// How much longer than a change took the layout is left alone after it.
  private static let restFactor: UInt64 = 4
  /// For how long it is left alone after one change at most, and after several, in microseconds.
  private static let longestRest: UInt64 = 50_000
  private static let longestRests: UInt64 = 250_000
  private static let mostRequests = 64
  private static let fewestRequests = 8
  /// The changes of views and recognizers that are one change, for each of its requests: no further
  /// request is taken beyond that.
  private static let partsPerRequest = 4
  /// Where a change took longer than that, in microseconds, the next has fewer requests.
  private static let longChange: UInt64 = 4_000

  init(on loop: EventLoop) throws(EventLoopError) {
    self.loop = loop
    // Behind the clients that ask for little, and before those that flood.
    timer = try loop.addTimer(after: nil, priority: .busy) { [unowned self] in carryOutIfDue() }
  }

  /// A session's next request is a change: it is carried out at once, with those that wait, or
  /// later.
  func add(_ session: Session) {
    session.awaitChange()
    waiting.append(session)
    carryOutIfDue()
  }

  /// A session is over, and what it wanted with it.
  func remove(_ session: Session) {
    if !served.isEmpty { served.removeAll { $0.session === session } }
    guard !waiting.isEmpty else { return }
    waiting.removeAll { $0 === session }
    if waiting.isEmpty { timer?.disarm() }
  }

  /// The layout was changed, which took so long, in microseconds.
  func note(_ microseconds: UInt64) {
    let now = loop.present
    let rest = min(microseconds * Self.restFactor, Self.longestRest)
    earliest = min(max(earliest, now) + rest, now + Self.longestRests)
  }

  /// Stops for good: nothing is carried out from now on.
  func stop() {
    timer?.cancel()
    timer = nil
  }

  private func carryOutIfDue() {
    if isHeld { return }
    if !waiting.isEmpty, loop.present >= earliest { change() }
    guard !waiting.isEmpty, !isHeld else { return }
    timer?.arm(at: earliest)
  }

  /// Makes one change of what is wanted, those who ask for little first.
  private func change() {
    var change = Change()
    let share = max(1, size / waiting.count)
    for level in RequestRate.Level.allCases {
      for session in waiting
      where session.serving.level == level && session.state.awaitsChange {
        if change.count >= size || change.size >= size * Self.partsPerRequest { break }
        session.changeCame()
        served.append((session, take(share, of: session, &change)))
      }
    }
    waiting.removeAll { !$0.state.awaitsChange }
    if change.count > 0 {
      let began = loop.present
      isChanging = true
      carryOut(change)
      isChanging = false
      noteChange(of: change.count, took: loop.present - began)
    }
    if !isHeld { resumeServed() }
  }

  private func resumeServed() {
    let sessions = served
    served.removeAll()
    for (session, error) in sessions { resume(session, error) }
  }

  /// Takes requests that a session has made in a row; what is wrong with the next one. What it
  /// wants to set behind what it wants of recognizers is for the next change.
  private func take(
    _ share: Int, of session: Session, _ change: inout Change
  ) -> RequestError? {
    var isSetting = true
    for _ in 0..<share
    where session.asksForChange && change.size < size * Self.partsPerRequest {
      if !isSetting, session.decoder.nextOpcode == .set { break }
      session.timeout.noteProgress()
      do throws(RequestError) {
        guard let message = try session.decoder.next() else { break }
        let token = session.token(for: message)
        switch message.body {
        case .set(let changes):
          change.batches.append((token, changes))
          change.size += changes.count
        case .request(let request):
          isSetting = false
          change.others.append((token, request))
          change.size += 1
          if case .changeViews(let views) = request {
            // The layout is made anew for each: nothing comes behind it in this change,
            // and so nothing is added to that size.
            change.size += views.addsOrRemoves ? Int.max / 2 : views.steps.count
          }
        case .hello: preconditionFailure("a hello is no change")
        }
      } catch { return error }
    }
    return nil
  }

  private func noteChange(of requests: Int, took microseconds: UInt64) {
    note(microseconds)
    if microseconds <= Self.longChange {
      size = min(Self.mostRequests, size * 2)
    } else if requests > Self.fewestRequests {
      size = max(Self.fewestRequests, min(size, requests) / 2)
    }
  }
}
