import Wire
import CTouchroute
import EventLoop

/// What a session may be waited for, and for how long.
extension Server {
  /// Gives a session time for what it is waited for, anew where it has done something since.
  func watchPatience(with session: Session) {
    let matter = session.matter
    let isNew = matter != session.patience?.matter || session.hasProgressed
    session.hasProgressed = false
    guard let matter else {
      if session.patience != nil { settlePatience(of: session) }
      return
    }
    guard isNew else { return }
    let allowed =
      matter == .lastWords ? limits.lingerMilliseconds : limits.requestTimeoutMilliseconds
    let deadline = loop.now + allowed * 1_000
    if session.patience == nil { waitedFor += 1 }
    session.patience = Session.Patience(matter: matter, deadline: deadline)
    patience?.include(deadline)
  }

  /// A session is not waited for any more. Without any that is, nothing wakes the daemon.
  func settlePatience(of session: Session) {
    guard session.patience != nil else { return }
    session.patience = nil
    waitedFor -= 1
    if waitedFor == 0 { patience?.clear() }
  }

  /// Ends the sessions that have used up their time.
  func endPatience() {
    for session in sessions.all {
      guard let patience = session.patience else { continue }
      guard patience.deadline <= loop.now else {
        self.patience?.include(patience.deadline)
        continue
      }
      settlePatience(of: session)
      giveUp(on: session, patience.matter)
      touch(session)
    }
  }

  private func giveUp(on session: Session, _ matter: Session.Matter) {
    let seconds = Double(limits.requestTimeoutMilliseconds) / 1000
    switch matter {
    case .hello:
      refuse(.malformed("no hello within \(seconds) s"), of: session)
    case .restOfMessage:
      let announced = session.decoder.announcedSize.map { " of \($0) bytes" } ?? ""
      let text =
        "a message\(announced) stopped after \(session.decoder.count), and no more came within "
        + "\(seconds) s"
      refuse(.malformed(text), of: session)
    case .readingAnswers:
      session.end(
        .queueFull,
        "it has asked for more and has read none of its answers for \(seconds) s")
    case .lastWords:
      session.lose("it did not read its last words")
    }
  }
}
