/// Where a session is in its life, from the accept until its last words are sent. What happens to
/// it is put in; what can't happen to it where it is, is a bug, and traps with a name.
///
/// It is plain bytes, so that looking at it costs nothing on a touch's way.
struct SessionState: BitwiseCopyable {
  private enum Stage: Equatable, BitwiseCopyable {
    /// It has not said hello.
    case greeting
    /// It may ask for anything.
    case open
    /// Nothing more of it is carried out before it is told to go on.
    case waiting
    /// It is over for everybody but its socket, which gets its last words.
    case ending(isTold: Bool)
    /// Nothing can reach it: the peer is gone, or the socket has failed.
    case lost(isTold: Bool)
  }

  private var stage = Stage.greeting

  /// Whether it has not said hello.
  var isGreeting: Bool { stage == .greeting }

  /// Whether it has said hello, and is not over.
  var isOpen: Bool { stage == .open || stage == .waiting }

  /// Whether its further requests wait until it is told to go on.
  var isWaiting: Bool { stage == .waiting }

  /// Whether it is over, but for its last words at most.
  var isOver: Bool {
    switch stage {
    case .greeting, .open, .waiting: false
    case .ending, .lost: true
    }
  }

  /// Whether nothing more can be sent.
  var isLost: Bool {
    if case .lost = stage { true } else { false }
  }

  /// Whether it is over, and nobody was told so far.
  var mustBeTold: Bool { stage == .ending(isTold: false) || stage == .lost(isTold: false) }

  /// Its hello was good.
  mutating func open() {
    precondition(stage == .greeting, "a session is opened once")
    stage = .open
  }

  /// Its further requests wait.
  mutating func wait() {
    precondition(stage == .open, "only an open session waits, for one thing at a time")
    stage = .waiting
  }

  /// Its further requests are carried out again.
  mutating func goOn() {
    precondition(stage == .waiting, "a session goes on that waits")
    stage = .open
  }

  /// It ends once what is queued is sent; whether it was not over before.
  mutating func end() -> Bool {
    if isOver { return false }
    stage = .ending(isTold: false)
    return true
  }

  /// It ends at once; whether it was not over before.
  mutating func lose() -> Bool {
    let isNew = end()
    if case .ending(let isTold) = stage { stage = .lost(isTold: isTold) }
    return isNew
  }

  /// Whoever has to know is told that it is over.
  mutating func endWasTold() {
    switch stage {
    case .ending(false): stage = .ending(isTold: true)
    case .lost(false): stage = .lost(isTold: true)
    default: preconditionFailure("the end of a session that is over is told once")
    }
  }
}
