import CTouchroute
import EventLoop
import Glibc
import Routing
import TouchModel
import Wire
import Layout

/// One connected client: its socket, what it has asked and what it has yet to read.
///
/// The pool owns it, from the accept until its last words are sent. It never ends within a turn,
/// but is marked and settled at the turn's end.
final class Session {
  /// Who is at the other end.
  private(set) var client: ConnectedClient
  /// Owned; the pool has it closed.
  let descriptor: Int32
  private(set) var state = SessionState()
  /// Why it ends, in words for the log: the first reason; empty while it does not.
  private(set) var endReason = ""
  /// What it has sent and was not decoded.
  var decoder = RequestDecoder()
  /// What waits for it.
  private let output: OutgoingQueue
  /// What became of the frames for it.
  private(set) var deliveries = DeliveryCounts()
  /// What is reported to it of all touches; the pool's to change. Rule F7.
  var observing = Observing.nothing
  /// How many messages of that were dropped since it was told.
  private var lostObservations: UInt64 = 0

  /// How far the pool, which owns it, is with it in this turn.
  var settling = SessionPool.Settling()

  /// - Parameter queueLimit: The bytes that may wait for it.
  init(_ client: ConnectedClient, descriptor: Int32, queueLimit: Int) {
    self.client = client
    self.descriptor = descriptor
    output = OutgoingQueue(limit: queueLimit)
  }

  /// The number that it has in the daemon.
  var id: ClientID { client.id }

  /// Its place among the sessions, which no other one has while it is there.
  var slot: Int { Int(client.id.slot) }

  /// What it calls itself; empty until its hello.
  var name: String { client.hello?.name ?? "" }

  /// `pid 812 (nav-app)`.
  var process: String {
    name.isEmpty ? "pid \(client.peer.pid)" : "pid \(client.peer.pid) (\(name))"
  }

  /// What the answer to a message of its needs.
  func token(for message: ClientMessage) -> RequestToken {
    RequestToken(client: id, serial: message.serial, opcode: message.opcode)
  }

  // MARK: - Its life

  /// The hello was good; its version is the one that both speak from now on.
  func open(_ hello: Hello) {
    state.open()
    client.hello = hello
  }

  /// Its further requests wait until ``goOn()``.
  func wait() { state.wait() }

  /// Its further requests are carried out again.
  func goOn() { state.goOn() }

  /// Ends it, once what is queued is sent.
  func end(_ why: String) {
    if state.end() { endReason = why }
  }

  /// Ends it with a `closing` behind what is queued; what does not fit is left out.
  func end(_ reason: Wire.CloseReason, _ why: String) {
    guard !state.isOver else { return }
    if output.hasOverflowed { output.dropUnsent() }
    output.append(.closing(reason, why))
    end(why)
  }

  /// Ends it because too much waits: what was not sent is dropped, but for last words.
  func endWithoutQueue(_ why: String) {
    output.dropUnsent()
    end(.queueFull, why)
  }

  /// Ends it at once: nothing can reach it.
  func lose(_ why: String) {
    if state.lose() { endReason = why }
  }

  /// Ends it at once because of what a system call says. That its peer left before it had read all
  /// that it was sent is no failure: the kernel tells it so.
  private func lose(_ code: Int32, _ action: String) {
    let isGone = code == ECONNRESET || code == EPIPE
    lose(isGone ? "it left without reading the rest" : "\(action) failed: \(errorText(code))")
  }

  /// Its end was told to whoever has to know.
  func endWasTold() { state.endWasTold() }

  /// Tells it what is wrong with a message, and ends it where nothing that follows can be trusted.
  /// Rule F4.
  func refuse(_ error: RequestError) {
    guard !state.isOver else { return }
    output.append(
      .error(serial: error.serial, error.code, request: error.opcode, text: error.text))
    if error.isFatal { end(.malformed, error.text) }
  }

  // MARK: - Reading from it

  /// Reads once; what it means that nothing can be read is its end.
  func receive() {
    switch decoder.receive(from: descriptor) {
    case .bytes, .nothingYet: break
    case .endOfStream: end(decoder.count == 0 ? "it left" : "it left amid a message")
    case .passedDescriptor:
      refuse(.malformed("a descriptor was passed with a message: requests have none"))
    case .failed(let code): lose(code, "reading")
    }
  }

  /// Whether its socket has bytes that were not read.
  var hasUnread: Bool { Connection.hasUnread(descriptor) }

  /// Whether its socket takes more, which it does not while too much in it is unread.
  var canBeWritten: Bool { Connection.canBeWritten(descriptor) }

  /// Whether its next request may be carried out: it has read enough of its answers, and need not
  /// wait.
  var takesRequests: Bool {
    !state.isOver && !state.isWaiting && queuedBytes <= ServerLimits.answerBacklogBytes
  }

  /// Whether its next request, which is there whole, is one to change the layout or its
  /// recognizers.
  var asksForChange: Bool {
    state.isOpen && decoder.nextOpcode?.isChange == true
  }

  /// What its socket is to be watched for until the next turn: reading only while its requests are
  /// carried out, writing only while something waits for it. A whole request that waits for a
  /// further turn needs no new byte, so it waits for the socket to be writable, which it is.
  var interest: Readiness {
    guard !state.isOver, !state.isWaiting else { return queuedBytes == 0 ? [] : .write }
    let hasMessage = decoder.hasMessage
    var interest: Readiness = []
    if queuedBytes <= ServerLimits.answerBacklogBytes, !hasMessage { interest = .read }
    if queuedBytes > 0 || hasMessage { interest.insert(.write) }
    return interest
  }

  // MARK: - Sending to it

  /// The bytes that wait for it in the daemon.
  var queuedBytes: Int { output.count }

  /// Whether its socket took less than all when it was last sent something.
  var isBlocked: Bool { output.isBlocked }

  /// Queues a message; where the queue is full the session ends.
  func append(_ message: some OutgoingMessage) {
    if !output.append(message) { endOfOverflow() }
  }

  /// Queues what it observes. Where it has not read half of what may wait, that is dropped and
  /// counted; how much that was is told before the next.
  func append(observed messages: some Collection<some OutgoingMessage>, at time: Timestamp) {
    let size = messages.reduce(0) { $0 + $1.size }
    guard queuedBytes + size <= output.limit / 2 else {
      lostObservations += UInt64(messages.count)
      return
    }
    if lostObservations > 0 {
      append(ObservedChange.lost(lostObservations).message(at: time) { _ in (0, "") })
      lostObservations = 0
    }
    for message in messages { append(message) }
  }

  /// Queues a message that tells a state: ``OutgoingQueue/append(_:stateOf:)``.
  func append(_ message: some OutgoingMessage, stateOf key: OutgoingQueue.StateKey) {
    if !output.append(message, stateOf: key) { endOfOverflow() }
  }

  /// Queues that an attachment has lost its responder; its geometry is told anew behind that.
  func append(waiting attachment: AttachmentID, because reason: Wire.DetachReason, _ text: String) {
    let message = FixedMessage.waiting(attachment, because: reason, text: text, serial: 0)
    if !output.append(message, endingStateOf: .layout(of: attachment)) { endOfOverflow() }
  }

  /// Queues `changed` of a gesture: ``OutgoingQueue/append(_:changeOf:)``.
  func append(_ message: some OutgoingMessage, changeOf recognizer: UInt32) {
    if !output.append(message, changeOf: recognizer) { endOfOverflow() }
  }

  /// Queues a frame of touches, or merges it into one that waits. Rules T2 and F2.
  ///
  /// - Returns: Whether it goes out with what is sent next: nothing that the client has yet to read
  ///   comes before it.
  @inline(__always)
  func append(
    _ frame: Deliveries.ClientFrame, of records: ReusableList<Deliveries.Record>,
    in layout: Layout
  ) -> Bool {
    switch output.append(frame, of: records, in: layout) {
    case .appended(let isBlocked):
      deliveries.messages += 1
      return !isBlocked
    case .merged(let dropped):
      deliveries.coalesced += 1
      deliveries.droppedSamples += UInt64(dropped)
    case .refused: endOfOverflow()
    }
    return false
  }

  /// Queues what answers its hello, or tells of other screens where the serial is 0.
  func append(_ greeting: Greeting, serial: UInt32) {
    guard let hello = client.hello else {
      preconditionFailure("who has said no hello is not welcomed")
    }
    let welcome = WelcomeMessage(
      greeting, version: hello.version, isControl: client.socket == .control, serial: serial)
    let isQueued =
      serial == 0
      ? output.append(welcome, basisOf: .init(TOUCHROUTE_WELCOME)) : output.append(welcome)
    if !isQueued { endOfOverflow() }
  }

  private func endOfOverflow() {
    end(
      .queueFull,
      "\(output.limit) bytes wait for it, the limit: it does not read what it is sent")
  }

  /// Sends what waits, with one call. How many bytes it was sent and how many wait still; nil where
  /// none waited.
  func flush() -> OutgoingQueue.Flushed? {
    if state.isLost { return OutgoingQueue.Flushed(left: queuedBytes) }
    guard let result = output.flush(to: descriptor) else { return nil }
    if let code = result.failure { lose(code, "sending") }
    return result
  }

  // MARK: - Handover

  /// What another daemon has to know of it to go on.
  var handover: Handover.Client {
    let unsent = output.unsent
    return Handover.Client(
      cookie: Connection.cookie(of: descriptor), socket: client.socket, name: name,
      version: client.hello?.version ?? 0, observing: observing, received: decoder.unread,
      unsent: unsent.bytes, sent: unsent.sent, slot: id.slot)
  }

  /// Goes on where another daemon has left it; only for one that is new.
  func resume(_ client: Handover.Client) {
    output.resume(client.unsent, sent: client.sent)
    decoder.unread = client.received
    guard client.version > 0 else { return }
    open(Hello(version: client.version, name: client.name))
  }
}

/// Who is at the other end of a session.
struct ConnectedClient {
  /// The number that it has in the daemon.
  let id: ClientID
  /// Where it connected.
  let socket: SocketKind
  /// What the kernel says of its process.
  let peer: PeerCredentials
  /// What it has said of itself; nil until its hello. The version is the one that both speak.
  var hello: Hello?
}

/// What became of the frames for one client, or for all.
struct DeliveryCounts {
  /// Messages with touches that were queued.
  var messages: UInt64 = 0
  /// Frames that were merged into others because it did not read. Rule F2.
  var coalesced: UInt64 = 0
  /// Samples of its touches that were over the bound of their history. Rule F2.
  var droppedSamples: UInt64 = 0

  /// Both together.
  static func + (left: DeliveryCounts, right: DeliveryCounts) -> DeliveryCounts {
    DeliveryCounts(
      messages: left.messages + right.messages, coalesced: left.coalesced + right.coalesced,
      droppedSamples: left.droppedSamples + right.droppedSamples)
  }
}
