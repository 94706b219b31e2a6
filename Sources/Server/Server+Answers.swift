public import Wire
import CTouchroute
public import Layout
public import Logging
public import Routing

/// The answers to requests. One that comes after its client is gone goes nowhere.
extension Server {
  /// To `attach`: the attachment, with its geometry.
  public func answer(
    _ token: RequestToken, attached attachment: Attachment, in layout: Layout, generation: UInt32
  ) {
    send(to: token.client) {
      $0.appendAttached(attachment, in: layout, generation: generation, serial: token.serial)
    }
  }

  /// To `detach`, `observe` and `reload`, and the last one to `status`. `total` is the number of
  /// items sent before, of the touches that `cancel` ended, or of the device that `inject` made up.
  public func answer(
    _ token: RequestToken, doneWith total: Int = 0, generation: UInt32, text: String = ""
  ) {
    send(to: token.client) {
      $0.appendDone(serial: token.serial, total: total, generation: generation, text: text)
    }
  }

  /// To any request: why it was not carried out, in words that a person can act on.
  public func answer(_ token: RequestToken, _ code: Wire.ErrorCode, _ text: String) {
    send(to: token.client) {
      $0.appendError(
        serial: token.serial, code: code, request: token.opcode.rawValue, text: text)
    }
  }

  /// To `describe`: a page of the views of a responder, of all where it is nil, and how many there
  /// are. A page may end before `count` where it has become long; the next one begins where it
  /// ended.
  ///
  /// - Parameter holder: Who holds a responder, if anybody does.
  public func answer(
    _ token: RequestToken, viewsOf responder: ResponderID?, first: Int, count: Int,
    in layout: Layout, generation: UInt32, holder: (ResponderID) -> ClientID?
  ) {
    send(to: token.client) {
      $0.appendViews(
        of: responder, first: first, count: count, layout: layout, generation: generation,
        serial: token.serial, holder: { holder($0).map(pid(of:)) ?? 0 })
    }
  }

  /// A client in words: `pid 812 (nav-app), user kiosk`.
  public func name(of client: ClientID) -> String {
    guard let session = sessions[client] else { return "a client that is gone" }
    return "\(session.process), \(clientLog.user(of: session.peer))"
  }

  /// Writes a line about a client into the log, unless it is gone or its user's programs have
  /// caused too many.
  public func log(
    _ level: Logger.Level, about client: ClientID, _ text: @autoclosure () -> String
  ) {
    guard let session = sessions[client] else { return }
    clientLog.write(level, about: session.peer, text())
  }

  /// What was counted: messages, those who do not read, and what was left out of the log.
  public var counters: Wire.Counters {
    var counters = ownCounters
    counters[.omittedLogLines] = clientLog.omittedCount
    return counters
  }

  /// The machine's users may have other names than before.
  public func lookAgainForUsers() { clientLog.lookAgainForUsers() }

  /// Whether a client is on the control socket; false where it is gone.
  public func isControl(_ client: ClientID) -> Bool { sessions[client]?.socket == .control }

  /// The credentials of a client; nil where it is gone.
  public func credentials(of client: ClientID) -> PeerCredentials? { sessions[client]?.peer }

  /// The programs of a client's user, itself among them; none for a client of the control socket.
  public func clientsOfSameUser(as client: ClientID) -> [ClientID] {
    guard let session = sessions[client], session.socket == .client else { return [] }
    return sessions.clients(ofUser: session.peer.uid)
  }

  /// The layout was changed without a request to set, since rights ended, and that took so long, in
  /// microseconds: the changes that clients ask for wait for it. Rule F1.
  public func layoutChanged(took microseconds: UInt64) { changes?.note(microseconds) }

  /// What a client calls itself; empty where it is gone.
  public func programName(of client: ClientID) -> String { sessions[client]?.name ?? "" }

  /// Reports every touch to a client from now on, or no longer. Rule F7.
  public func setObserver(_ client: ClientID, _ isObserver: Bool) {
    sessions[client]?.isObserver = isObserver
  }

  func answerPing(_ token: RequestToken) {
    send(to: token.client) { $0.appendPong(serial: token.serial) }
  }

  /// The process of a client; 0 where it is gone.
  func pid(of client: ClientID) -> Int32 { sessions[client]?.peer.pid ?? 0 }

  /// Queues something for a client, unless it is gone.
  func send(to client: ClientID, _ append: (inout OutgoingQueue) -> Void) {
    guard let session = sessions[client] else { return }
    append(&session.output)
    touch(session)
  }
}
