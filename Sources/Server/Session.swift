import Wire
import CTouchroute
import EventLoop
import Glibc
import Routing

/// One connected client: its socket, what it has asked and what it has yet to read.
///
/// The server owns it, from the accept until its last words are sent; it never ends within a turn,
/// but is marked and settled at the turn's end.
final class Session {
  /// Where a session stands.
  enum Stage: Equatable {
    /// It has not said hello.
    case greeting
    /// It may ask for anything.
    case open
    /// It is over for everybody but its socket, which gets its last words.
    case ending
  }

  let id: ClientID
  let socket: SocketKind
  let peer: PeerCredentials
  /// Owned; the server has it closed.
  let descriptor: Int32
  /// What it calls itself; empty until its hello.
  private(set) var name = ""
  /// The version of the protocol that both speak; 0 until its hello.
  private(set) var version: UInt32 = 0
  private(set) var stage = Stage.greeting
  /// Why it ends, in words for the log; nil while it does not.
  private(set) var ending: String?
  /// Whether nothing more can be sent: the peer is gone, or the socket has failed.
  private(set) var isLost = false

  var decoder = RequestDecoder()
  var output: OutgoingQueue
  /// The loop's, while it is quiet; the serving order's to change.
  var source: EventSource?
  /// How it is watched now; the serving order's to change.
  var level = RequestRate.Level.quiet
  /// How much of the daemon's time it has had of late.
  var rate: RequestRate
  /// Whether its next request is one to change the layout, and waits for its time; the change
  /// queue's to change.
  var awaitsChange = false
  /// The bytes of its output that the server has counted.
  var countedOutput = 0
  /// Whether every touch is reported to it.
  var isObserver = false
  /// What is known of its reading.
  var reading = Reading.everything
  /// Whether the server's list of sessions to look at has it.
  var isWatched = false
  /// Messages with touches that were queued for it.
  var messageCount: UInt64 = 0
  /// Frames that were merged into others because it did not read. Rule F2.
  var coalescedCount: UInt64 = 0
  /// Samples of its touches that were over the bound of their history. Rule F2.
  var droppedSampleCount: UInt64 = 0

  /// Whether the server's list of sessions to settle has it.
  var isTouched = false
  /// Whether its end was told to the server's owner.
  var isEndTold = false
  /// What it is given time for, and until when on CLOCK_MONOTONIC, in microseconds.
  var patience: Patience?
  /// Whether something was decoded or sent since the patience was last looked at.
  var hasProgressed = false

  /// What a session has read of what it was sent. Rule F3.
  enum Reading: Equatable {
    /// All of it.
    case everything
    /// It was sent something since it was last looked at.
    case unknown
    /// Not all: nothing since that moment of CLOCK_MONOTONIC, in microseconds, when so much was
    /// unread in its socket as the kernel counts it.
    case behind(since: UInt64, unread: Int)
    /// Nothing for so long that it is unresponsive.
    case nothing
  }

  /// What a session is given time for.
  struct Patience {
    var matter: Matter
    var deadline: UInt64
  }

  /// What a session may be waited for.
  enum Matter: Equatable {
    case hello
    case restOfMessage
    case readingAnswers
    case lastWords
  }

  init(
    id: ClientID, descriptor: Int32, socket: SocketKind, peer: PeerCredentials, queueLimit: Int,
    now: UInt64
  ) {
    self.id = id
    self.descriptor = descriptor
    self.socket = socket
    self.peer = peer
    output = OutgoingQueue(limit: queueLimit)
    rate = RequestRate(now: now)
  }

  /// `pid 812 (nav-app)`.
  var process: String { name.isEmpty ? "pid \(peer.pid)" : "pid \(peer.pid) (\(name))" }

  /// What the answer to a message of its needs.
  func token(for message: ClientMessage) -> RequestToken {
    RequestToken(client: id, serial: message.serial, opcode: message.opcode)
  }

  /// The hello was good.
  func open(name: String, version: UInt32) {
    precondition(stage == .greeting, "a session is opened once")
    self.name = name
    self.version = version
    stage = .open
  }

  /// Queues what answers its hello, or tells of other screens where the serial is 0.
  func appendWelcome(_ greeting: Greeting, serial: UInt32) {
    output.appendWelcome(
      greeting, version: version, isControl: socket == .control, serial: serial)
  }

  /// Ends it, once what is queued is sent.
  func end(_ why: String) {
    guard stage != .ending else { return }
    stage = .ending
    ending = why
  }

  /// Ends it with a `closing` behind what is queued; what does not fit is left out.
  func end(_ reason: Wire.CloseReason, _ why: String) {
    guard stage != .ending else { return }
    if output.hasOverflowed { output.dropUnsent() }
    output.appendClosing(reason, why)
    end(why)
  }

  /// Ends it at once: nothing reaches it any more.
  func lose(_ why: String) {
    end(why)
    isLost = true
  }

  /// Ends it at once because of what a system call says. That its peer left before it had read all
  /// that it was sent is no failure: the kernel tells it so.
  func lose(_ code: Int32, _ action: String) {
    let isGone = code == ECONNRESET || code == EPIPE
    lose(isGone ? "it left without reading the rest" : "\(action) failed: \(errorText(code))")
  }

  /// Whether its next request may be carried out: it has read enough of its answers, and waits for
  /// no change of the layout.
  var takesRequests: Bool {
    stage != .ending && !awaitsChange && output.count <= ServerLimits.answerBacklogBytes
  }

  /// Whether its next request, which is there whole, is one to change the layout.
  var asksForChange: Bool { stage == .open && decoder.nextOpcode == .set }

  /// Sends what waits; one call.
  func flush() {
    guard !isLost, !output.isEmpty else { return }
    let before = output.count
    if let code = output.flush(to: descriptor) { lose(code, "sending") }
    if output.count < before { hasProgressed = true }
  }

  /// What its socket is watched for until the next turn: reading only while its requests are
  /// carried out, writing only while something waits for it. A whole request that waits for a
  /// further turn needs no new byte, so it waits for the socket to be writable, which it is.
  var interest: Readiness {
    guard stage != .ending, !awaitsChange else { return output.isEmpty ? [] : .write }
    var interest: Readiness = []
    if output.count <= ServerLimits.answerBacklogBytes, !decoder.hasMessage { interest = .read }
    if !output.isEmpty || decoder.hasMessage { interest.insert(.write) }
    return interest
  }

  /// What its socket is watched for now.
  private(set) var watchedFor: Readiness = .read

  /// Has its socket watched for what it is to be watched for.
  func watch(by order: ServingOrder?) {
    let interest = interest
    guard interest != watchedFor else { return }
    watchedFor = interest
    order?.setInterest(interest, of: self)
  }

  /// Whether nothing is to be done for it but to wait for its next request, as after nearly every
  /// frame.
  var isQuiet: Bool {
    stage == .open && output.isEmpty && !isLost && decoder.count == 0 && patience == nil
      && watchedFor == .read
  }

  /// What it is waited for.
  var matter: Matter? {
    if stage == .ending { return .lastWords }
    if stage == .greeting { return .hello }
    if awaitsChange { return nil }
    if decoder.hasMessage { return .readingAnswers }
    return decoder.count > 0 ? .restOfMessage : nil
  }
}
