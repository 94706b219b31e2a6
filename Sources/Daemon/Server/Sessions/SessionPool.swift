import Logging
import EventLoop
import Routing
import TouchModel
import Wire

/// The sessions, from the accept until the last words are sent: who is let in, whose socket is
/// served next, and what becomes of all of them at the end of a turn.
///
/// A session that something has happened to is dirty until the end of the turn. Then it is settled:
/// it is sent what waits for it, with one call, watched for what it is to be watched for, and let
/// go of where it has ended.
final class SessionPool {
  /// How far a session is in this turn.
  struct Settling {
    /// Whether it is among those to be settled.
    fileprivate var isDirty = false
    /// Whether nothing is to be done for it but to send what waits and to wait for its next
    /// request, as after nearly every frame.
    fileprivate var isIdle = false
    /// Whether it is among the observers that are owed something.
    fileprivate var isOwed = false
    /// The bytes of its output that are counted in.
    fileprivate var queuedBytes = 0
  }

  /// What holds for clients.
  var limits: ServerLimits {
    didSet { hasQueueChanged = true }
  }
  /// A session is over: nothing can be sent to it from now on.
  var onEnd: (Session) -> Void = { _ in }
  /// Who reads, and who does not.
  let readers: ReadMonitor
  /// Who is waited for.
  let timeouts: SessionTimeouts
  /// Who is served next.
  let order: ServingOrder
  /// Closes connections.
  let closer = ConnectionCloser()

  private let loop: EventLoop
  private let log: ClientLog
  private let table = SessionTable()
  private let dirty = ReusableList<Session>()
  /// Those that observe something.
  private(set) var observers: [Session] = []
  /// Observers for which something waits that they observe.
  private let owed = ReusableList<Session>()
  /// Since when something has waited for one of them, on CLOCK_MONOTONIC, in microseconds.
  private var owedSince = UInt64.max
  /// What waits for the clients, as of the end of the last turn.
  private var queued = QueuedBytes()
  /// Whether that, or its limit, has changed since it was held to the limit.
  private var hasQueueChanged = false

  init(
    on loop: EventLoop, limits: ServerLimits, unresponsiveAfter: UInt64, log: ClientLog
  ) throws(EventLoopError) {
    self.loop = loop
    self.limits = limits
    self.log = log
    readers = ReadMonitor(on: loop, timeout: unresponsiveAfter)
    timeouts = try SessionTimeouts(on: loop)
    order = try ServingOrder(on: loop)
    order.onFailure = { [unowned self] session, error in
      log.write(.error, about: session.client.peer, "\(session.process): \(error)")
      session.lose("it can't be watched")
      markDirty(session)
    }
    timeouts.giveUp = { [unowned self] session, kind in giveUp(session, kind) }
  }

  /// The sources do not hold it, and end before it. (Weak references would make every retain of a
  /// session a slow one.)
  deinit {
    timeouts.stop()
    for session in table.all { close(session) }
  }

  // MARK: - Who there is

  /// All sessions, those that are over included, in the order of their slots.
  var all: [Session] { table.all }

  /// The session of a client; nil where it is gone, or over.
  subscript(client: ClientID) -> Session? { table[client] }

  /// The clients of the client socket that belong to one user.
  func clients(ofUser user: UInt32) -> [ClientID] { table.clients(ofUser: user) }

  /// How many sessions the client socket has.
  var clientCount: Int { table.count(of: .client) }

  /// What became of the frames for all clients, those that are gone included.
  var deliveries: DeliveryCounts { table.deliveries }

  /// Has a session observe that from now on.
  func observe(_ what: Observing, _ session: Session) {
    session.observing = what
    observers.removeAll { $0 === session }
    if what != .nothing { observers.append(session) }
  }

  // MARK: - Coming

  /// Takes a new connection in; the descriptor is the pool's from here on. Rule F5.
  func admit(
    _ descriptor: Int32, from kind: SocketKind, as level: RequestRate.Level = .flooding
  ) {
    guard let peer = PeerCredentials(of: descriptor) else {
      log.logger.warning("\(kind) socket: a connection without credentials was refused")
      return discard(descriptor, from: kind)
    }
    admit(descriptor, from: kind, of: peer, as: level)
  }

  /// The same for a connection of that peer. Returns its session; nil where it is refused.
  @discardableResult
  func admit(
    _ descriptor: Int32, from kind: SocketKind, of peer: PeerCredentials,
    as level: RequestRate.Level = .flooding
  ) -> Session? {
    if let refusal = refusal(of: peer.uid, on: kind) {
      refuse(descriptor, from: kind, of: peer, refusal)
      return nil
    }
    Connection.setSendBuffer(descriptor, bytes: ServerLimits.sendBufferBytes)
    return begin(descriptor, from: kind, peer: peer, as: level)
  }

  /// Refuses a connection of the client socket where there is no room beside those that wait to be
  /// let in, of its user and in all; whether it did.
  func refuse(_ descriptor: Int32, of uid: UInt32, beside ofUser: Int, of all: Int) -> Bool {
    guard let refusal = refusal(of: uid, on: .client, beside: ofUser, of: all) else { return false }
    let peer = PeerCredentials(of: descriptor) ?? PeerCredentials(pid: 0, uid: uid, gid: 0)
    refuse(descriptor, from: .client, of: peer, refusal)
    return true
  }

  private func refuse(
    _ descriptor: Int32, from kind: SocketKind, of peer: PeerCredentials, _ refusal: String
  ) {
    log.write(
      .warning, about: peer, "pid \(peer.pid), \(log.user(of: peer)): refused: \(refusal)")
    turnAway(descriptor, from: kind, refusal)
  }

  /// Why one more client is not let in; nil where it is. A connection whose close is pending counts
  /// too, and one that waits to be let in: their descriptors are in use.
  private func refusal(
    of uid: UInt32, on kind: SocketKind, beside waitingOfUser: Int = 0, of waiting: Int = 0
  ) -> String? {
    let limit = kind == .client ? limits.clients : limits.controlClients
    guard table.count(of: kind) + closer.pendingCount(of: kind) + waiting < limit else {
      let key = kind == .client ? "clients" : "control_clients"
      return "the limit of \(limit) clients of the \(kind) socket is reached (limits.\(key))"
    }
    let ofUser = table.count(ofUser: uid) + closer.pending(uid, on: kind) + waitingOfUser
    guard kind == .control || ofUser < limits.clientsPerUser else {
      return "the limit of \(limits.clientsPerUser) clients of one user is reached by uid "
        + "\(uid) (limits.clients_per_user)"
    }
    return nil
  }

  /// Tells a connection that a limit is reached, as far as that can be sent at once, and ends it.
  func turnAway(_ descriptor: Int32, from kind: SocketKind, _ text: String) {
    Connection.tellRefusal(descriptor, .limit, .limit, text)
    discard(descriptor, from: kind)
  }

  /// Ends a connection that is nobody's session.
  func discard(_ descriptor: Int32, from kind: SocketKind) {
    closer.close(descriptor, of: PeerCredentials.user(of: descriptor), on: kind)
  }

  /// Makes a session of a connection.
  ///
  /// - Parameter slot: Which it gets, if that is free; nil for any.
  @discardableResult
  func begin(
    _ descriptor: Int32, from kind: SocketKind, peer: PeerCredentials,
    as level: RequestRate.Level = .flooding, in slot: UInt32? = nil
  ) -> Session {
    let session = table.add(in: slot) { id in
      Session(
        ConnectedClient(id: id, socket: kind, peer: peer), descriptor: descriptor,
        queueLimit: kind == .client ? limits.queueBytes : limits.controlQueueBytes)
    }
    readers.add(session)
    timeouts.add(session)
    order.add(session, as: level)
    markDirty(session)
    return session
  }

  // MARK: - The end of a turn

  /// Something has happened to a session: it is settled at the end of the turn.
  func markDirty(_ session: Session) {
    session.settling.isIdle = false
    markUnsent(session)
  }

  /// Something was queued for a session: it is sent at the end of the turn.
  @inline(__always)
  func markUnsent(_ session: Session) {
    if session.settling.isDirty { return }
    session.settling.isDirty = true
    dirty.append(session)
  }

  /// Something that a session observes was queued for it: that may wait for more, so that one call
  /// sends the observer many frames. Rule F7.
  func markObserved(_ session: Session) {
    // It has overflowed.
    guard session.state.isOpen else { return markDirty(session) }
    if session.settling.isOwed { return }
    session.settling.isOwed = true
    if owed.isEmpty { owedSince = loop.now }
    owed.append(session)
  }

  /// Settles the sessions that are dirty; behind these the observers for which enough waits, or for
  /// long enough.
  ///
  /// - Parameter observe: Queues messages for observers. It runs after clients were sent theirs, so
  ///   that no touch waits for it.
  func settle(then observe: () -> Void) {
    settleDirty()
    observe()
    if owed.isEmpty { return }
    markDueObservers()
    settleDirty()
    owed.removeAll { !$0.settling.isOwed }
    if !owed.isEmpty { loop.turn(by: owedSince + Self.longestDelay) }
  }

  /// What an observer is owed goes out in any turn that comes so much later, in microseconds: of a
  /// touchscreen of 120 Hz every second frame.
  private static let usualDelay: UInt64 = 8_000
  /// If there is no turn, one is made so much later. With the millisecond by which the loop may
  /// sleep longer, that stays below 20 ms.
  private static let longestDelay: UInt64 = 18_000
  /// So many bytes are enough to be sent at once: less than a queue keeps memory for.
  private static let enoughBytes = 4_096

  private func markDueObservers() {
    let isLate = loop.now >= owedSince + Self.usualDelay
    for index in owed.indices where owed[index].settling.isOwed {
      if isLate || owed[index].queuedBytes >= Self.enoughBytes { markUnsent(owed[index]) }
    }
  }

  /// Settles the sessions that are dirty. Telling of an end may bring messages to others, and
  /// sending may bring further ends: those too.
  private func settleDirty() {
    repeat {
      while let session = dirty.popLast() {
        session.settling.isDirty = false
        session.settling.isOwed = false
        settle(session)
      }
    } while endWhoeverExceeds()
  }

  private func settle(_ session: Session) {
    tellEnd(of: session)
    let sent = send(to: session)
    let left = sent?.left ?? 0
    count(left, of: session)
    if session.settling.isIdle, left == 0, session.state.isOpen { return }
    if session.state.isLost || left == 0 { tellEnd(of: session) }
    if session.state.isOver, session.state.isLost || left == 0 { return release(session) }
    order.updateInterest(of: session)
    if let sent, sent.sent > 0 { timeouts.noteProgress(of: session) }
    timeouts.update(session, limits: limits)
    session.settling.isIdle =
      session.state.isOpen && session.decoder.count == 0 && !timeouts.isWaiting(for: session)
      && order.isWatchedForRequestsAlone(session)
  }

  /// Sends a session what waits for it; nil where nothing did.
  private func send(to session: Session) -> OutgoingQueue.Flushed? {
    guard session.state.isOpen else { return session.flush() }
    readers.willSend(to: session)
    guard let sent = session.flush() else { return nil }
    readers.hasSent(to: session, left: sent.left)
    return sent
  }

  /// Ends the client for which the most waits, where too much waits for all, or for those of its
  /// user; whether one was ended. Rule F5.
  private func endWhoeverExceeds() -> Bool {
    guard hasQueueChanged else { return false }
    guard let excess = queued.excess(over: limits) else {
      hasQueueChanged = false
      return false
    }
    let candidates = table.all.filter { session in
      let client = session.client
      return !session.state.isOver && session.queuedBytes > 0
        && (excess.user == nil || client.socket == .client && client.peer.uid == excess.user)
    }
    guard let largest = candidates.max(by: { $0.queuedBytes < $1.queuedBytes }) else {
      return false
    }
    largest.endWithoutQueue(
      "\(excess.words), and most of them, \(largest.queuedBytes), for it: it does not read what it "
        + "is sent")
    markDirty(largest)
    return true
  }

  /// So many bytes wait for a session now.
  private func count(_ bytes: Int, of session: Session) {
    guard bytes != session.settling.queuedBytes else { return }
    queued.change(for: session.client, from: session.settling.queuedBytes, to: bytes)
    session.settling.queuedBytes = bytes
    hasQueueChanged = true
  }

  // MARK: - Going

  /// Ends a session that has used up its time, unless the daemon has yet to read what it sent.
  private func giveUp(_ session: Session, _ kind: SessionTimeouts.Kind) {
    let seconds = Double(limits.requestTimeoutMilliseconds) / 1000
    switch kind {
    case .hello where session.hasUnread, .restOfMessage where session.hasUnread:
      // The daemon is late, not the client: it reads first.
      break
    case .readingAnswers where session.canBeWritten:
      // Its socket takes more: the daemon has yet to send what waits, or to serve it.
      break
    case .hello:
      session.refuse(.malformed("no hello within \(seconds) s"))
    case .restOfMessage:
      let announced = session.decoder.announcedSize.map { " of \($0) bytes" } ?? ""
      session.refuse(
        .malformed(
          "a message\(announced) stopped after \(session.decoder.count), and no more came within "
            + "\(seconds) s"))
    case .readingAnswers:
      session.end(
        .queueFull, "it has asked for more and has read none of its answers for \(seconds) s")
    case .lastWords:
      session.lose("it did not read its last words")
    }
    markDirty(session)
  }

  /// Says that a session is over, where it is and that was not said.
  @inline(__always)
  func tellEnd(of session: Session) {
    if session.state.mustBeTold { tell(endOf: session) }
  }

  private func tell(endOf session: Session) {
    session.endWasTold()
    observe(.nothing, session)
    readers.remove(session)
    log.write(
      .info, about: session.client.peer,
      "\(session.process) disconnected: \(session.endReason)")
    onEnd(session)
  }

  /// Ends a session's connection, and forgets it.
  private func release(_ session: Session) {
    close(session)
    forget(session)
  }

  private func close(_ session: Session) {
    order.remove(session)
    closer.close(session.descriptor, of: session.client.peer.uid, on: session.client.socket)
  }

  /// Gives a session's connection up without a word: it goes on in another daemon.
  func letGo(_ session: Session) {
    readers.remove(session)
    order.remove(session)
    closer.letGo(
      of: session.descriptor, of: session.client.peer.uid, on: session.client.socket)
    forget(session)
  }

  private func forget(_ session: Session) {
    timeouts.cancel(session)
    count(0, of: session)
    // As it was sent its last bytes it may have been found to read again, and been sent more.
    if session.settling.isDirty { dirty.removeAll { $0 === session } }
    owed.removeAll { $0 === session }
    table.remove(session)
  }

  /// Lets go of all sessions; what their sockets have not taken is lost.
  func stop() {
    for session in table.all { release(session) }
    timeouts.stop()
  }
}
