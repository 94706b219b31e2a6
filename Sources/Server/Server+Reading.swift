import Wire
import CLinux
import EventLoop
import Logging

/// Who reads what it is sent. Rule F3.
///
/// What a client has read is asked of the kernel now and then while somebody was sent something
/// since it was last seen to have read everything: before a frame that is sent anyway, or, where
/// none comes, when the timer goes off. So a drag costs no wake-up, and a daemon at rest sleeps.
/// Who is unresponsive is looked at when it matters, before touches are routed, and wakes nobody.
extension Server {
  /// Sends a session what waits for it, and takes note that it has something to read.
  func flush(_ session: Session) {
    guard session.stage == .open else { return session.flush() }
    if isLookDue { lookAtReaders() }
    switch session.reading {
    case .everything, .unknown: break
    // Once more is added to what is unread, it does not tell any more what was read.
    case .behind, .nothing: look(at: session)
    }
    guard !session.output.isEmpty else { return }
    session.flush()
    switch session.reading {
    case .everything: watch(session)
    case .unknown where !session.output.isEmpty:
      session.reading = .behind(since: loop.now, unread: unread(of: session))
    case .behind(let since, _):
      session.reading = .behind(since: since, unread: unread(of: session))
    case .unknown, .nothing: break
    }
  }

  /// Finds out which of the unresponsive clients have read everything meanwhile. Belongs before
  /// touches are routed; costs nothing where every client is responsive.
  public func reviewUnresponsive() {
    guard !unresponsive.isEmpty else { return }
    for session in unresponsive { look(at: session) }
  }

  /// Looks at all that may be behind, and again later at those that are.
  func lookAtReaders() {
    isLookDue = false
    swap(&readers, &looked)
    for session in looked {
      look(at: session)
      switch session.reading {
      case .everything, .nothing: session.isWatched = false
      case .unknown, .behind: readers.append(session)
      }
    }
    looked.removeAll(keepingCapacity: true)
    readingTimer?.clear()
    if !readers.isEmpty { awaitLook() }
  }

  private func awaitLook() {
    nextLook = loop.now + lookInterval / 2
    readingTimer?.include(loop.now + lookInterval)
  }

  /// A session ends: it is not looked at any more.
  func forgetReading(of session: Session) {
    readers.removeAll { $0 === session }
    unresponsive.removeAll { $0 === session }
  }

  /// The bytes that a client has not read from its socket. The corresponding C call is ioctl with
  /// SIOCOUTQ.
  func unread(of session: Session) -> Int { max(0, Int(clinux_unread_by_peer(session.descriptor))) }

  private func watch(_ session: Session) {
    session.reading = .unknown
    guard !session.isWatched else { return }
    session.isWatched = true
    if readers.isEmpty { awaitLook() }
    readers.append(session)
  }

  /// Four looks, so that silence is noticed at most a quarter late.
  private var lookInterval: UInt64 { allowed / 4 }

  private var allowed: UInt64 { UInt64(greeting.unresponsiveAfterMilliseconds) * 1_000 }

  private func look(at session: Session) {
    let unread = unread(of: session)
    // What is queued in the turn at hand and goes out behind this look is nothing to have read.
    let hasEverything = unread == 0 && !session.output.isBlocked
    switch session.reading {
    case .nothing:
      if hasEverything { takeBack(session) }
    case .everything, .unknown:
      session.reading = hasEverything ? .everything : .behind(since: loop.now, unread: unread)
    case .behind(let since, let before):
      if hasEverything {
        session.reading = .everything
      } else if unread < before {
        session.reading = .behind(since: loop.now, unread: unread)
      } else if loop.now >= since + allowed {
        passBy(session)
      }
    }
  }

  private func passBy(_ session: Session) {
    session.reading = .nothing
    unresponsive.append(session)
    ownCounters[.unresponsive] += 1
    if session.socket == .control {
      clientLog.write(
        .notice, about: session.peer,
        "\(silence(of: session)) on the control socket: what it observes waits for it")
    } else {
      clientLog.write(
        .warning, about: session.peer,
        """
        \(silence(of: session)): its touches are cancelled, and new ones pass it by until it has \
        read what waits for it
        """)
    }
    handler?(.stoppedReading(session.id))
  }

  private func silence(of session: Session) -> String {
    let seconds = Double(greeting.unresponsiveAfterMilliseconds) / 1000
    return "\(session.process) has read nothing for \(seconds) s (touch.unresponsive_after_ms)"
  }

  private func takeBack(_ session: Session) {
    session.reading = .everything
    unresponsive.removeAll { $0 === session }
    let again = session.socket == .control ? "" : ", and gets touches again"
    clientLog.write(
      .notice, about: session.peer, "\(session.process) has read what waited for it\(again)")
    handler?(.readsAgain(session.id))
  }
}
