import CTouchroute
public import EventLoop
import Gestures
public import Layout
public import Logging
public import Routing
public import TouchModel
public import Wire

/// The clients and their sockets: bytes in, requests out; answers and touches in, bytes out.
///
/// It knows no router: a request that needs one is given to its delegate, with a token to answer it
/// by. Nothing is sent before `endTurn()`, which also lets go of the sessions that have ended. What
/// is for a client that is gone goes nowhere. Nothing that a client does or fails to do makes the
/// server wait (rule F1).
public final class Server {
  /// What a client has done.
  public enum Event {
    /// Its next request changes the layout or its recognizers. It waits: the delegate takes the
    /// request by ``Server/takeChange(of:isSetTaken:)`` when that may be carried out, and then has
    /// the client go on. Rule F1.
    case wantsChange(ClientID)
    /// It asks for something. Every request but `accept` and `decline` is answered by its
    /// token, once.
    case request(RequestToken, Request)
    /// It is gone; nothing can be sent to it from now on. Rule R7.
    case wentAway(ClientID)
    /// It has read nothing of what waits for it, for as long as the greeting allows. Rule F3.
    case stoppedReading(ClientID)
    /// It had stopped reading, and has read everything now.
    case readsAgain(ClientID)
  }

  /// Is told what the clients do, from within a turn or its end.
  public var delegate: (any ServerDelegate)? {
    get { requests.delegate }
    set { requests.delegate = newValue }
  }

  /// Says who is at the other end of a socket that another daemon has left.
  package var peer: (Int32) -> PeerCredentials? = { PeerCredentials(of: $0) }

  /// The sessions with the clients.
  let pool: SessionPool
  let requests: RequestDispatcher
  private let loop: EventLoop
  private let log: ClientLog
  private var acceptors: [Acceptor] = []
  /// Where connections wait to be let in.
  let entrance: Entrance
  private let latencyMeter = LatencyMeter()
  /// The frames that observers are told at the end of the turn.
  private let untold = Observations()
  /// The layout of these.
  private var layoutOfUntold: Layout?
  /// How many times a client has stopped reading.
  private var unresponsiveCount: UInt64 = 0

  /// A server without sockets yet.
  public init(
    loop: EventLoop, greeting: Greeting, limits: ServerLimits = ServerLimits(), logger: Logger
  ) throws(EventLoopError) {
    self.loop = loop
    log = try ClientLog(logger, on: loop)
    pool = try SessionPool(
      on: loop, limits: limits, unresponsiveAfter: greeting.unresponsiveAfter, log: log)
    entrance = try Entrance(on: loop)
    requests = RequestDispatcher(for: pool, greeting: greeting, on: loop, log: log)
    pool.onEnd = { [unowned self] session in
      requests.remove(session)
      delegate?.handle(.wentAway(session.id))
    }
    openEntrance()
    pool.readers.onChange = { [unowned self] in tell(of: $0, isUnresponsive: $1) }
  }

  private func openEntrance() {
    entrance.admit = { [pool] in pool.admit($0, from: $1, as: $2) }
    entrance.refuse = { [pool] in pool.refuse($0, of: $1, beside: $2, of: $3) }
    entrance.discard = { [pool] in pool.discard($0, from: .client) }
    let resume = { [unowned self] in for acceptor in acceptors { acceptor.resume() } }
    entrance.onTurn = resume
    pool.order.onTurn = resume
  }

  /// What clients are told in answer to their hello; those that know other screens are told of the
  /// new ones.
  public var greeting: Greeting {
    get { requests.greeting }
    set {
      let hasScreens = newValue.screens == requests.greeting.screens
      requests.greeting = newValue
      pool.readers.timeout = newValue.unresponsiveAfter
      if hasScreens { return }
      for session in pool.all where session.state.isOpen {
        session.append(newValue, serial: 0)
        pool.markDirty(session)
      }
    }
  }

  /// What holds for clients that connect from now on.
  public var limits: ServerLimits {
    get { pool.limits }
    set { pool.limits = newValue }
  }

  /// Accepts clients on a socket from now on.
  public func listen(on listener: Listener) throws(EventLoopError) {
    acceptors.append(
      try Acceptor(listener, for: pool, through: entrance, on: loop, logger: log.logger))
    if listener.kind == .control { requests.controlPath = listener.path }
  }

  /// Settles what the turn has brought: sends what waits, with one call a session, and lets go of
  /// those that have ended. Belongs at the end of every turn.
  public func endTurn() {
    pool.readers.pollOverdue()
    pool.settle { tellUntold() }
    if latencyMeter.isPending {
      let present = loop.present
      latencyMeter.framesSent(at: present)
      pool.readers.framesSent(at: present)
    }
    pool.readers.awaitPoll()
    pool.order.turnEnded()
  }

  /// Says which sessions are over since a change was carried out that their requests waited for.
  public func tellEnds() { requests.tellEnds() }

  /// Tells every client that the daemon stops, sends what can be sent at once, and lets go of all
  /// sockets. What was queued before goes out before.
  public func stop() {
    for acceptor in acceptors { acceptor.close() }
    acceptors.removeAll()
    entrance.stop()
    for session in pool.all {
      session.end(.stopping, "touchrouted is stopping")
      pool.markDirty(session)
    }
    endTurn()
    pool.stop()
    log.stop()
  }

  /// Finds out which of the unresponsive clients have read everything meanwhile. Belongs before
  /// touches are routed; costs nothing where every client is responsive.
  public func reviewUnresponsive() { pool.readers.review() }

  private func tell(of session: Session, isUnresponsive: Bool) {
    let isControl = session.client.socket == .control
    let peer = session.client.peer
    guard isUnresponsive else {
      let again = isControl ? "" : ", and gets touches again"
      log.write(.notice, about: peer, "\(session.process) has read what waited for it\(again)")
      delegate?.handle(.readsAgain(session.id))
      return
    }
    unresponsiveCount += 1
    let silence = session.silence(ofMilliseconds: greeting.unresponsiveAfterMilliseconds)
    log.write(isControl ? .notice : .warning, about: peer, silence)
    delegate?.handle(.stoppedReading(session.id))
  }

  // MARK: - What there is

  /// How long the frames took that went to somebody who reads.
  public var latencies: LatencyHistogram { latencyMeter.histogram }

  /// What was counted: messages, those who do not read, and what was left out of the log.
  public var counters: Wire.Counters {
    let deliveries = pool.deliveries
    var counters = Wire.Counters()
    counters[.messages] = deliveries.messages
    counters[.coalesced] = deliveries.coalesced
    counters[.droppedSamples] = deliveries.droppedSamples
    counters[.unresponsive] = unresponsiveCount
    counters[.omittedLogLines] = log.omittedCount
    return counters
  }

  /// How many clients the client socket has, those that are over included as long as they hold a
  /// descriptor.
  public var clientCount: Int { pool.clientCount }

  /// Whether anybody wants to be told of every touch.
  public var hasObservers: Bool { pool.observers.contains { $0.observing.seesTouches } }

  /// Whether anybody wants to be told what else decides where touches go.
  public var hasRecorders: Bool { pool.observers.contains { $0.observing == .changes } }

  /// A client in words: `pid 812 (nav-app), user kiosk`.
  public func name(of client: ClientID) -> String {
    guard let session = pool[client] else { return "a client that is gone" }
    return "\(session.process), \(log.user(of: session.client.peer))"
  }

  /// What a client calls itself; empty where it is gone.
  public func programName(of client: ClientID) -> String { pool[client]?.name ?? "" }

  /// Whether a client reads nothing of what waits for it. Rule F3.
  public func isUnresponsive(_ client: ClientID) -> Bool {
    pool[client].map(pool.readers.isUnresponsive) ?? false
  }

  /// Whether a client is on the control socket; false where it is gone.
  public func isControl(_ client: ClientID) -> Bool { pool[client]?.client.socket == .control }

  /// The credentials of a client; nil where it is gone.
  public func credentials(of client: ClientID) -> PeerCredentials? { pool[client]?.client.peer }

  /// The programs of a client's user, itself among them; none for a client of the control socket.
  public func clientsOfSameUser(as client: ClientID) -> [ClientID] {
    guard let session = pool[client], session.client.socket == .client else { return [] }
    return pool.clients(ofUser: session.client.peer.uid)
  }

  /// Whether nothing waits for a client in the daemon; false where it is gone.
  public func hasSentAll(to client: ClientID) -> Bool { pool[client]?.queuedBytes == 0 }

  /// Writes a line about a client into the log, unless it is gone or its user's programs have
  /// caused too many.
  public func log(
    _ level: Logger.Level, about client: ClientID, _ text: @autoclosure () -> String
  ) {
    guard let session = pool[client] else { return }
    log.write(level, about: session.client.peer, text())
  }

  /// The machine's users may have other names than before.
  public func lookAgainForUsers() { log.lookAgainForUsers() }

  // MARK: - Clients that wait

  /// Has what a client asks for from now on wait until ``goOn(_:)``. Rule F1.
  public func wait(_ client: ClientID) { send(to: client) { $0.wait() } }

  /// Has a client that waits go on, unless it is gone.
  public func goOn(_ client: ClientID) {
    if let session = pool[client] { requests.goOn(session) }
  }

  /// Takes the next request of a client that waits, where it changes the layout or its recognizers:
  /// nil where it does not, and where there is none.
  ///
  /// - Parameter isSetTaken: Whether a request to set is taken.
  public func takeChange(
    of client: ClientID, isSetTaken: Bool
  ) -> (token: RequestToken, request: Request)? {
    pool[client].flatMap { requests.takeChange(of: $0, isSetTaken: isSetTaken) }
  }

  /// Clients in the order in which they are served: those that ask for little first. Rule F1.
  public func inServingOrder(_ clients: [ClientID]) -> [ClientID] {
    if clients.count < 2 { return clients }
    let levels = clients.map { (client: $0, level: pool[$0].map(pool.order.level) ?? .flooding) }
    return RequestRate.Level.allCases.flatMap { level in
      levels.filter { $0.level == level }.map(\.client)
    }
  }

  /// Reports every touch to a client from now on, or no longer. Rule F7.
  public func setObserver(_ client: ClientID, _ observing: Observing) {
    if let session = pool[client] { pool.observe(observing, session) }
  }

  // MARK: - Deliveries

  /// Queues a frame of touches, or merges it into one that waits. Rules T2 and F2.
  ///
  /// - Parameters:
  ///   - records: Those of the deliveries that it came in.
  ///   - layout: The one in force.
  public func send(
    _ frame: Deliveries.ClientFrame, of records: ReusableList<Deliveries.Record>,
    in layout: Layout
  ) {
    guard let session = pool[frame.client] else { return }
    if session.append(frame, of: records, in: layout) {
      latencyMeter.note(frame)
    }
    pool.markUnsent(session)
  }

  /// Queues what a recognizer has to tell. Rules G12 to G14.
  package func send(_ gesture: Deliveries.Gesture, of origin: GestureOrigin) {
    // Of what fails observers alone hear.
    guard let state = Wire.GestureState(gesture.event.change), !origin.path.isEmpty,
      let session = pool[gesture.client]
    else { return }
    let message = FixedMessage(gesture, state, of: origin)
    if case .changed = gesture.event.change {
      session.append(message, changeOf: gesture.event.recognizer.rawValue)
    } else {
      session.append(message)
    }
    pool.markDirty(session)
  }

  /// Queues the geometry of an attachment, which has changed, and how many views are there that
  /// were added through it.
  public func send(
    layoutOf attachment: Attachment, in layout: Layout, generation: UInt32, addedCount: Int
  ) {
    send(to: attachment.client) {
      $0.append(
        .layout(of: attachment, in: layout, generation: generation, addedCount: addedCount),
        stateOf: .layout(of: attachment.id))
    }
  }

  /// Queues the end of an attachment that its client did not ask for.
  public func send(
    detached attachment: AttachmentID, of client: ClientID, _ reason: Wire.DetachReason
  ) {
    send(to: client) { $0.append(.detached(attachment, reason, text: reason.sentence)) }
  }

  /// Queues that an attachment has lost its responder, and stands in line for it. Rule R2.
  public func send(
    waiting attachment: AttachmentID, of client: ClientID, because reason: Wire.DetachReason
  ) {
    send(to: client) { $0.append(waiting: attachment, because: reason, reason.sentence) }
  }

  /// Queues that an attachment that stood in line has its responder. Rule R2.
  public func send(attached attachment: Attachment, in layout: Layout, generation: UInt32) {
    send(to: attachment.client) {
      $0.append(.granted(attachment, in: layout, generation: generation))
    }
  }

  /// Queues who holds a responder in a client's window, or held it. Rule F6.
  public func send(_ notice: HolderNotice, to client: ClientID) {
    send(to: client) { $0.append(.holder(notice)) }
  }

  /// Queues a screen's state. Rule D2.
  public func send(_ notice: ScreenStateNotice, to client: ClientID) {
    send(to: client) { $0.append(.screen(notice)) }
  }

  /// Queues a screen's lock. Rule D9.
  public func send(_ notice: LockNotice, to client: ClientID) {
    send(to: client) { $0.append(.lock(notice)) }
  }

  /// Queues that something was hit. Rule D10.
  public func send(_ feedback: Feedback, to client: ClientID) {
    send(to: client) { $0.append(.feedback(feedback)) }
  }

  /// Queues that nobody has touched what a client watches, or that somebody does again. Rule D7.
  public func send(_ change: IdleWatches.Change) {
    send(to: change.client) { $0.append(.idle(change)) }
  }

  /// Queues frames as they were routed, for every observer. Rule F7.
  public func send(_ observations: Observations, layout: Layout) {
    tellUntold()
    tell(observations, in: layout)
  }

  /// Queues a touchscreen's frames for observers at the end of the turn, after the clients were
  /// sent their touches.
  public func sendLater(_ observations: Observations, layout: Layout) {
    if layout !== layoutOfUntold { tellUntold() }
    layoutOfUntold = layout
    untold.append(contentsOf: observations)
  }

  private func tellUntold() {
    guard let layout = layoutOfUntold else { return }
    layoutOfUntold = nil
    tell(untold, in: layout)
    untold.removeAll()
  }

  private func tell(_ observations: Observations, in layout: Layout) {
    let process: (ClientID) -> Int32 = { [unowned self] in pid(of: $0) }
    for frame in observations.frames {
      let message = ObservedMessage(
        frame, from: frame.records.lowerBound, of: observations, in: layout, pid: process)
      if message.continues {
        tellObservers(message.all)
      } else {
        tellObservers(CollectionOfOne(message))
      }
    }
  }

  /// Queues what happened to a recognizer, for every observer. Rule F7.
  package func send(_ observed: ObservedRecognizer) {
    tellObservers([observed.message(pid: observed.gesture.client.map(pid(of:)) ?? 0)])
  }

  /// Queues what a filter did, for every observer. Rules N1 and F7.
  ///
  /// - Parameters:
  ///   - touch: The touch; nil if the contact has not begun.
  ///   - isSecure: Whether nobody may know where it is.
  public func send(_ note: SignalNote, of touch: TouchID?, isSecure: Bool) {
    tellObservers([.observed(note, of: touch, isSecure: isSecure)])
  }

  /// Queues that a touchscreen has fallen ill, or is well again, for every observer. Rule N10.
  public func send(_ change: HealthChange) {
    tellObservers([.observed(change)]) { $0 != .nothing }
  }

  /// Queues what else decides where touches go, for every observer that asks for it. Rule F7.
  public func send(_ change: ObservedChange, at time: Timestamp) {
    tellObservers([message(of: change, at: time)]) { $0 == .changes }
  }

  /// Queues the same for one client, to which it may not be new.
  public func send(_ change: ObservedChange, at time: Timestamp, to client: ClientID) {
    send(to: client) { $0.append(message(of: change, at: time)) }
  }

  private func message(
    of change: ObservedChange, at time: Timestamp
  ) -> FixedMessage<touchroute_observed_change> {
    change.message(at: time) { (pid(of: $0), programName(of: $0)) }
  }

  private func tellObservers(
    _ messages: some Collection<some OutgoingMessage>,
    who observes: (Observing) -> Bool = { $0.seesTouches }
  ) {
    // The frames that wait happened before this.
    tellUntold()
    for session in pool.observers where observes(session.observing) && session.state.isOpen {
      if session.observing == .changes {
        session.append(observed: messages, at: Timestamp(microseconds: loop.now))
      } else {
        for message in messages { session.append(message) }
      }
      pool.markObserved(session)
    }
  }

  /// Queues something for a client, unless it is gone.
  func send(to client: ClientID, _ append: (Session) -> Void) {
    guard let session = pool[client] else { return }
    append(session)
    pool.markDirty(session)
  }

  /// The process of a client; 0 where it is gone.
  func pid(of client: ClientID) -> Int32 { pool[client]?.client.peer.pid ?? 0 }
}

extension Session {
  /// In words, for the log: its client reads nothing, and what comes of that. Rule F3.
  fileprivate func silence(ofMilliseconds milliseconds: Int) -> String {
    let consequence =
      client.socket == .control
      ? " on the control socket: what it observes waits for it"
      : ": its touches are cancelled, and new ones pass it by until it has read what waits for it"
    let seconds = Double(milliseconds) / 1000
    return "\(process) has read nothing for \(seconds) s (touch.unresponsive_after_ms)"
      + consequence
  }
}

extension Wire.DetachReason {
  /// In words, for the client.
  fileprivate var sentence: String {
    switch self {
    case .requested: preconditionFailure("who asks for the end of an attachment is told done")
    case .removed: "the layout in force has no such responder any more"
    case .takenOver: "another client has taken the responder over"
    case .notAllowed: "the access rules do not allow it any more"
    }
  }
}
