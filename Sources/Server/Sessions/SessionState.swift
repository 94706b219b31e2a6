/// Where a session is in its life, from the accept until its last words are sent. What happens to
/// it is put in; what can't happen to it where it is, is a bug, and traps with a name.
struct SessionState {
  private enum Stage: Equatable {
    /// It has not said hello.
    case greeting
    /// It may ask for anything.
    case open
    /// Its next request is to change the layout, and waits for its time.
    case awaitingChange
    /// It is over for everybody but its socket, which gets its last words.
    case ending(isTold: Bool)
    /// Nothing can reach it: the peer is gone, or the socket has failed.
    case lost(isTold: Bool)
  }

  private var stage = Stage.greeting
  /// What it has said of itself; nil until its hello. The version is the one that both speak.
  private(set) var hello: Hello?
  /// Why it ends, in words for the log; empty while it does not.
  private(set) var endReason = ""

  /// Whether it has not said hello.
  var isGreeting: Bool { stage == .greeting }

  /// Whether it has said hello, and is not over.
  var isOpen: Bool { stage == .open || stage == .awaitingChange }

  /// Whether its next request waits until the layout may be changed.
  var awaitsChange: Bool { stage == .awaitingChange }

  /// Whether it is over, but for its last words at most.
  var isOver: Bool {
    switch stage {
    case .greeting, .open, .awaitingChange: false
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
  mutating func open(_ hello: Hello) {
    precondition(stage == .greeting, "a session is opened once")
    stage = .open
    self.hello = hello
  }

  /// Its next request has to wait until the layout may be changed.
  mutating func awaitChange() {
    precondition(stage == .open, "only an open session awaits a change, one at a time")
    stage = .awaitingChange
  }

  /// That request was carried out, or is wanted no more.
  mutating func changeCame() {
    precondition(stage == .awaitingChange, "a change comes to a session that awaits one")
    stage = .open
  }

  /// It ends once what is queued is sent. The first reason counts.
  mutating func end(_ why: String) {
    guard !isOver else { return }
    stage = .ending(isTold: false)
    endReason = why
  }

  /// It ends at once.
  mutating func lose(_ why: String) {
    end(why)
    if case .ending(let isTold) = stage { stage = .lost(isTold: isTold) }
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
