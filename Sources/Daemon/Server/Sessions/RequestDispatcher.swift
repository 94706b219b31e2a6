import Wire
import CTouchroute
import EventLoop
import Logging
import Routing
import TouchModel

/// Reads the clients' requests and carries them out: hello and ping itself, all others by the
/// server's delegate. A client that wants to change the layout or its recognizers waits: the
/// delegate takes such requests when their time has come.
final class RequestDispatcher {
  /// What clients are told in answer to their hello.
  var greeting: Greeting
  /// Where the control socket is; nil where none is listened on.
  var controlPath: String?
  /// Is told what the clients ask for.
  unowned var delegate: (any ServerDelegate)?

  private let pool: SessionPool
  private let loop: EventLoop
  private let log: ClientLog
  /// What is wrong with the request behind those that were taken, by clients that wait.
  private var errors: [ClientID: RequestError] = [:]
  /// Those that were told to go on and found to be over in a turn of others.
  private var endedMeanwhile: [Session] = []

  init(
    for pool: SessionPool, greeting: Greeting, on loop: EventLoop, log: ClientLog
  ) {
    self.pool = pool
    self.greeting = greeting
    self.loop = loop
    self.log = log
    pool.order.serve = { [unowned self] in serve($0, $1) }
  }

  // MARK: - Clients that wait

  /// Takes the next request of a client that waits, where that is a change; nil where it is not, or
  /// is not there whole. What is wrong with it is told as the client goes on.
  ///
  /// - Parameter isSetTaken: Whether one to set is taken.
  func takeChange(
    of session: Session, isSetTaken: Bool
  ) -> (token: RequestToken, request: Request)? {
    guard session.state.isWaiting, session.asksForChange, errors[session.id] == nil,
      isSetTaken || session.decoder.nextOpcode != .set
    else { return nil }
    pool.timeouts.noteProgress(of: session)
    do throws(RequestError) {
      guard let message = try session.decoder.next() else { return nil }
      guard case .request(let request) = message.body else {
        preconditionFailure("a hello is no change")
      }
      return (session.token(for: message), request)
    } catch {
      errors[session.id] = error
      return nil
    }
  }

  /// A client that waits goes on.
  func goOn(_ session: Session) {
    session.goOn()
    if let error = errors.removeValue(forKey: session.id) { session.refuse(error) }
    if session.state.mustBeTold { endedMeanwhile.append(session) }
    pool.markDirty(session)
  }

  /// A session is over.
  func remove(_ session: Session) { errors[session.id] = nil }

  /// One turn of one client: one read, and a bounded number of its requests.
  private func serve(_ session: Session, _ readiness: Readiness) {
    pool.markDirty(session)
    pool.order.turnBegins(of: session)
    let isHungUp = !readiness.isDisjoint(with: [.hangUp, .error])
    guard session.takesRequests else {
      if isHungUp { session.lose("it hung up") }
      return
    }
    if readiness.contains(.read) || isHungUp { session.receive() }
    carryOutRequests(of: session)
    tellEnds()
  }

  // MARK: - Requests

  /// Carries out a session's requests, up to what one turn allows: a number of them, and a time.
  /// Where the next one is to change the layout or its recognizers, it waits.
  private func carryOutRequests(of session: Session) {
    let deadline = loop.present + pool.order.allowance(of: session)
    var hasChanged = false
    for number in 0..<ServerLimits.requestsPerTurn where session.takesRequests {
      if number > 0, loop.present >= deadline { break }
      if session.asksForChange {
        if hasChanged { break }
        hasChanged = true
        session.wait()
        delegate?.handle(.wantsChange(session.id))
        continue
      }
      do throws(RequestError) {
        guard let message = try session.decoder.next() else { break }
        pool.timeouts.noteProgress(of: session)
        try carryOut(message, of: session)
      } catch {
        pool.timeouts.noteProgress(of: session)
        session.refuse(error)
      }
    }
  }

  private func carryOut(_ message: ClientMessage, of session: Session) throws(RequestError) {
    switch message.body {
    case .hello(let hello): try open(session, with: hello, message)
    case .request(let request):
      if session.state.isGreeting { throw .beforeHello(message) }
      guard session.client.socket == .control || !message.opcode.isControlOnly else {
        let path = controlPath.map { ", \($0)" } ?? ""
        let text = "\(message.opcode) is for the control socket\(path); this one is for programs"
        throw .notAllowed(text, message)
      }
      if request == .ping {
        session.append(.pong(serial: message.serial))
      } else {
        // Who is over holds nothing that another one asks for.
        tellEnds()
        delegate?.handle(.request(session.token(for: message), request))
      }
    }
  }

  /// Says which sessions were found to be over as their requests went on in a turn of others.
  func tellEnds() {
    while let session = endedMeanwhile.popLast() { pool.tellEnd(of: session) }
  }

  private func open(
    _ session: Session, with hello: Hello, _ message: ClientMessage
  ) throws(RequestError) {
    guard session.state.isGreeting else {
      throw .malformed(
        "hello: it was said before", serial: message.serial, opcode: message.opcode.rawValue)
    }
    session.open(Hello(version: min(hello.version, TOUCHROUTE_VERSION), name: hello.name))
    let (socket, peer) = (session.client.socket, session.client.peer)
    log.write(
      .info, about: peer,
      "\(session.process) connected, \(socket) socket, uid \(peer.uid), gid \(peer.gid)")
    session.append(greeting, serial: message.serial)
  }
}

extension RequestError {
  fileprivate static func beforeHello(_ message: ClientMessage) -> RequestError {
    .malformed(
      "\(message.opcode) before hello: hello is the first message", serial: message.serial,
      opcode: message.opcode.rawValue)
  }

  fileprivate static func notAllowed(_ text: String, _ message: ClientMessage) -> RequestError {
    RequestError(
      code: .notAllowed, serial: message.serial, opcode: message.opcode.rawValue, text: text)
  }
}
