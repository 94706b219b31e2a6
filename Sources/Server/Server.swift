import Wire
import CTouchroute
public import EventLoop
public import Logging
public import Routing
public import TouchModel

/// The clients and their sockets: bytes in, requests out; answers and touches in, bytes out.
///
/// It knows no router: a request that needs one is handed to `handler`, with a token to answer it
/// by. Nothing is sent before `endTurn()`, which also lets go of the sessions that have ended.
/// Nothing that a client does or fails to do makes it wait (rule F1).
public final class Server {
  /// What a client has done.
  public enum Event {
    /// They want views changed: requests for that, of one client or several, to be carried out
    /// together. Each is answered by its token, once, in their order.
    case changes([(token: RequestToken, changes: [ViewChange])])
    /// It asks for something. Every request but `accept` and `decline` is answered by its
    /// token, once.
    case request(RequestToken, Request)
    /// It is gone; nothing can be sent to it any more. Rule R7.
    case wentAway(ClientID)
    /// It has read nothing of what waits for it, for as long as the greeting allows. Rule F3.
    case stoppedReading(ClientID)
    /// It had stopped reading, and has read everything now.
    case readsAgain(ClientID)
  }

  /// What the clients do, from within a turn or its end.
  public var handler: ((Event) -> Void)?
  /// What clients are told in answer to their hello; those that know other screens are told of the
  /// new ones.
  public var greeting: Greeting {
    didSet { if greeting.screens != oldValue.screens { announceScreens() } }
  }
  /// What holds for clients that connect from now on.
  public var limits: ServerLimits

  let loop: EventLoop
  let logger: Logger
  /// What the log says of clients.
  let clientLog: ClientLog
  var sessions = SessionTable()
  let closer = ConnectionCloser()
  /// Those that have something to send or to end, or that must be watched otherwise than before.
  private var touched: [Session] = []
  private var doors: [Door] = []
  private(set) var patience: DeadlineTimer?
  /// Who is served next.
  private(set) var order: ServingOrder?
  /// Whose changes of the layout wait.
  private(set) var changes: ChangeQueue?
  /// What waits for the clients, as of the end of the last turn.
  private var queued = QueuedBytes()
  /// What was counted of messages and of clients that do not read.
  var ownCounters = Wire.Counters()
  /// How long the frames took that went to somebody who reads.
  public private(set) var latencies = LatencyHistogram()
  /// The times of the frames that the end of the turn sends, each frame once.
  var frameTimes: ReusableArray<Timestamp> = []
  /// The number of the latest of them.
  var latestFrame: UInt64 = 0
  /// The sessions that are waited for.
  var waitedFor = 0
  /// Those that may have something to read, each once.
  var readers: [Session] = []
  /// Those of them that are being looked at; kept for the capacity.
  var looked: [Session] = []
  /// Those that have stopped reading. Rule F3.
  var unresponsive: [Session] = []
  private(set) var readingTimer: DeadlineTimer?
  /// From when on they are looked at before something is sent, on CLOCK_MONOTONIC, in microseconds.
  var nextLook: UInt64 = 0
  /// Whether that time has come.
  var isLookDue = false

  /// A server without sockets yet.
  public init(
    loop: EventLoop, greeting: Greeting, limits: ServerLimits = ServerLimits(), logger: Logger
  ) throws(EventLoopError) {
    self.loop = loop
    self.greeting = greeting
    self.limits = limits
    self.logger = logger
    clientLog = try ClientLog(logger, on: loop)
    patience = try DeadlineTimer(on: loop) { [unowned self] in endPatience() }
    readingTimer = try DeadlineTimer(on: loop) { [unowned self] in lookAtReaders() }
    order = try ServingOrder(
      on: loop, serve: { [unowned self] session, readiness in serve(session, readiness) },
      lose: { [unowned self] session, error in
        clientLog.write(.error, about: session.peer, "\(session.process): \(error)")
        session.lose("it can't be watched")
        touch(session)
      })
    changes = try ChangeQueue(
      on: loop, carryOut: { [unowned self] in handler?(.changes($0)) },
      resume: { [unowned self] session, fault in
        if let fault { refuse(fault, of: session) }
        touch(session)
      })
  }

  /// The loop's sources do not hold it, and end before it. (Weak references would make every retain
  /// of a session a slow one.)
  deinit {
    patience?.stop()
    readingTimer?.stop()
    changes?.stop()
    for session in sessions.all { close(session) }
  }

  /// Accepts clients on a socket from now on.
  public func listen(on listener: Listener) throws(EventLoopError) {
    doors.append(try Door(listener, server: self))
  }

  /// Where a socket is that is listened on; nil where none of its kind is.
  func path(of kind: SocketKind) -> String? {
    doors.first { $0.listener.kind == kind }?.listener.path
  }

  /// Whether anybody wants to be told of every touch.
  public var hasObservers: Bool { sessions.contains { $0.isObserver && $0.stage == .open } }

  /// Settles what the turn has brought: sends what waits, with one call a session, and lets go of
  /// those that have ended. Belongs at the end of every turn.
  public func endTurn() {
    // Telling of an end may bring messages to others, and sending may bring further ends.
    repeat {
      while let session = touched.popLast() {
        session.isTouched = false
        settle(session)
      }
    } while endWhoeverExceeds()
    if !frameTimes.isEmpty { countLatencies() }
    order?.turnEnded()
  }

  /// Ends the client for which the most waits, where too much waits for all, or for those of its
  /// user; whether one was ended. Rule F5.
  private func endWhoeverExceeds() -> Bool {
    guard let excess = queued.excess(over: limits) else { return false }
    let candidates = sessions.all.filter { session in
      session.stage != .ending && !session.output.isEmpty
        && (excess.user == nil || session.socket == .client && session.peer.uid == excess.user)
    }
    guard let largest = candidates.max(by: { $0.output.count < $1.output.count }) else {
      return false
    }
    let count = largest.output.count
    largest.output.dropUnsent()
    largest.end(
      .queueFull,
      "\(excess.words), and most of them, \(count), for it: it does not read what it is sent")
    touch(largest)
    return true
  }

  private func countLatencies() {
    let present = Timestamp(microseconds: loop.present)
    for place in frameTimes.indices {
      latencies.add(present.microseconds(since: frameTimes[place]))
    }
    frameTimes.removeAll()
    isLookDue = present.microseconds >= nextLook && !readers.isEmpty
  }

  /// Tells every client that the daemon stops, sends what can be sent at once, and lets go of all
  /// sockets. What was queued before goes out before.
  public func stop() {
    for door in doors { door.close() }
    doors.removeAll()
    for session in sessions.all {
      session.end(.stopping, "the daemon is stopping")
      touch(session)
    }
    endTurn()
    for session in sessions.all { release(session) }
    patience?.stop()
    readingTimer?.stop()
    changes?.stop()
    clientLog.stop()
  }

  /// Marks a session to be settled at the end of the turn.
  func touch(_ session: Session) {
    guard !session.isTouched else { return }
    session.isTouched = true
    touched.append(session)
  }

  // MARK: - Sessions

  /// Takes a new connection in; the descriptor is the server's from here on.
  func admit(_ descriptor: Int32, from kind: SocketKind) {
    guard let peer = PeerCredentials(of: descriptor) else {
      logger.warning("\(kind) socket: a connection without credentials was refused")
      discard(descriptor, from: kind)
      return
    }
    let limit = kind == .client ? limits.clients : limits.controlClients
    guard sessions.count(of: kind) + closer.pendingCount(of: kind) < limit else {
      let key = kind == .client ? "clients" : "control_clients"
      return turnAway(
        descriptor, from: kind, peer,
        "the limit of \(limit) clients of the \(kind) socket is reached (limits.\(key))")
    }
    let ofUser = sessions.count(ofUser: peer.uid) + closer.pending(peer.uid, on: kind)
    if kind == .client, ofUser >= limits.clientsPerUser {
      return turnAway(
        descriptor, from: kind, peer,
        "the limit of \(limits.clientsPerUser) clients of one user is reached by uid \(peer.uid) "
          + "(limits.clients_per_user)")
    }
    Connection.setSendBuffer(descriptor, bytes: ServerLimits.sendBufferBytes)
    begin(descriptor, from: kind, peer: peer)
  }

  private func turnAway(
    _ descriptor: Int32, from kind: SocketKind, _ peer: PeerCredentials, _ text: String
  ) {
    clientLog.write(
      .warning, about: peer, "pid \(peer.pid), \(clientLog.user(of: peer)): refused: \(text)")
    turnAway(descriptor, from: kind, text)
  }

  /// Tells a connection that a limit is reached, as far as that can be sent at once, and ends it.
  func turnAway(_ descriptor: Int32, from kind: SocketKind, _ text: String) {
    Connection.tellRefusal(descriptor, .limit, .limit, text)
    discard(descriptor, from: kind)
  }

  /// Ends a connection that is nobody's session.
  public func discard(_ descriptor: Int32, from kind: SocketKind) {
    closer.close(descriptor, of: PeerCredentials.user(of: descriptor), on: kind)
  }

  /// Makes a session of a connection.
  @discardableResult
  func begin(_ descriptor: Int32, from kind: SocketKind, peer: PeerCredentials) -> Session {
    let queueLimit = kind == .client ? limits.queueBytes : limits.controlQueueBytes
    let session = sessions.add { id in
      Session(
        id: id, descriptor: descriptor, socket: kind, peer: peer, queueLimit: queueLimit,
        now: loop.now)
    }
    order?.add(session)
    touch(session)
    return session
  }

  /// One turn of one client: one read, and a bounded number of its requests.
  private func serve(_ session: Session, _ readiness: Readiness) {
    touch(session)
    order?.turnBegins(of: session)
    let isHungUp = !readiness.isDisjoint(with: [.hangUp, .error])
    guard session.takesRequests else {
      if isHungUp { session.lose("it hung up") }
      return
    }
    if readiness.contains(.read) || isHungUp {
      switch session.decoder.receive(from: session.descriptor) {
      case .bytes, .nothingYet: break
      case .endOfStream:
        session.end(session.decoder.count == 0 ? "it left" : "it left amid a message")
      case .passedDescriptor:
        refuse(
          .malformed("a descriptor was passed with a message: requests have none"), of: session)
      case .failed(let code): session.lose(code, "reading")
      }
    }
    carryOutRequests(of: session)
  }

  private func settle(_ session: Session) {
    if session.output.hasOverflowed {
      session.end(
        .queueFull,
        "\(session.output.limit) bytes wait for it, the limit: it does not read what it is sent")
    }
    if session.stage == .ending, !session.isEndTold { tellEnd(of: session) }
    flush(session)
    count(session.output.count, of: session)
    if session.isQuiet { return }
    if session.stage == .ending, session.isLost || session.output.isEmpty {
      if !session.isEndTold { tellEnd(of: session) }
      release(session)
      return
    }
    session.watch(by: order)
    watchPatience(with: session)
  }

  /// So many bytes wait for a session now.
  private func count(_ bytes: Int, of session: Session) {
    guard bytes != session.countedOutput else { return }
    queued.change(for: session, from: session.countedOutput, to: bytes)
    session.countedOutput = bytes
  }

  private func tellEnd(of session: Session) {
    session.isEndTold = true
    forgetReading(of: session)
    changes?.remove(session)
    session.isObserver = false
    clientLog.write(
      .info, about: session.peer, "\(session.process) disconnected: \(session.ending ?? "")")
    handler?(.wentAway(session.id))
  }

  /// Ends a session's connection, and forgets it.
  private func release(_ session: Session) {
    close(session)
    forget(session)
  }

  private func close(_ session: Session) {
    order?.remove(session)
    closer.close(session.descriptor, of: session.peer.uid, on: session.socket)
  }

  /// Forgets a session whose connection is seen to.
  func forget(_ session: Session) {
    settlePatience(of: session)
    count(0, of: session)
    sessions.remove(session)
  }
}
