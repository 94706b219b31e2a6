import Wire
import CTouchroute
import EventLoop
import Logging
import Routing
import TouchModel

/// Reads the clients' requests and carries them out: hello and ping itself, changes of the layout
/// and its recognizers when their time has come, all others by its owner.
final class RequestDispatcher {
  /// What clients are told in answer to their hello.
  var greeting: Greeting
  /// Where the control socket is; nil where none is listened on.
  var controlPath: String?
  /// A client has asked for something.
  var onEvent: (Server.Event) -> Void = { _ in }

  private let pool: SessionPool
  private let loop: EventLoop
  private let log: ClientLog
  private let changes: ChangeQueue
  /// Those that were resumed and found to be over in a turn of others.
  private var endedMeanwhile: [Session] = []

  init(
    for pool: SessionPool, greeting: Greeting, on loop: EventLoop, log: ClientLog
  ) throws(EventLoopError) {
    self.pool = pool
    self.greeting = greeting
    self.loop = loop
    self.log = log
    changes = try ChangeQueue(on: loop)
    changes.carryOut = { [unowned self] change in
      if !change.batches.isEmpty { onEvent(.changes(change.batches)) }
      for (token, request) in change.others { onEvent(.request(token, request)) }
    }
    changes.resume = { [unowned self] session, error in
      if let error { session.refuse(error) }
      if session.state.mustBeTold { endedMeanwhile.append(session) }
      self.pool.markDirty(session)
    }
    pool.order.serve = { [unowned self] in serve($0, $1) }
  }

  deinit { changes.stop() }

  /// The layout was changed without a request, which took so long, in microseconds: the changes
  /// that clients ask for wait for it. Rule F1.
  func layoutChanged(took microseconds: UInt64) { changes.note(microseconds) }

  /// Whether no change is carried out: who wants one waits.
  func holdChanges(_ isHeld: Bool) { changes.isHeld = isHeld }

  /// A session is over, and what it wanted with it.
  func remove(_ session: Session) { changes.remove(session) }

  /// Stops for good: no change is carried out from now on.
  func stop() { changes.stop() }

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

  /// Carries out a session's requests, up to what one turn allows: a number of them, and a time.
  /// Those to change the layout or its recognizers in a row are one change, for which they may have
  /// to wait.
  private func carryOutRequests(of session: Session) {
    let deadline = loop.present + pool.order.allowance(of: session)
    var hasChanged = false
    for number in 0..<ServerLimits.requestsPerTurn where session.takesRequests {
      if number > 0, loop.present >= deadline { break }
      if session.asksForChange {
        if hasChanged { break }
        hasChanged = true
        changes.add(session)
        continue
      }
      do throws(RequestError) {
        guard let message = try session.decoder.next() else { break }
        session.timeout.noteProgress()
        try carryOut(message, of: session)
      } catch {
        session.timeout.noteProgress()
        session.refuse(error)
      }
    }
  }

  private func carryOut(_ message: ClientMessage, of session: Session) throws(RequestError) {
    switch message.body {
    case .hello(let hello): try open(session, with: hello, message)
    case .set: throw .beforeHello(message)
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
        onEvent(.request(session.token(for: message), request))
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
