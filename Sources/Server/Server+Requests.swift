import CTouchroute
import EventLoop
import Logging
import Routing
import TouchModel

extension Server {
  /// Carries out a session's requests, up to what one turn allows: a number of them, and a time.
  ///
  /// Changes of views wait for what follows them, so that any number of them in a row is one change
  /// of the layout.
  func carryOutRequests(of session: Session) {
    var changes: [(token: RequestToken, changes: [ViewChange])] = []
    let allowance = order?.allowance(of: session) ?? ServerLimits.turnMicroseconds
    let deadline = loop.present + allowance
    for number in 0..<ServerLimits.requestsPerTurn where session.takesRequests {
      // Sets in a row are carried out together, and cost little until then.
      if number > 0, changes.isEmpty, loop.present >= deadline { break }
      do throws(RequestFault) {
        guard let message = try session.decoder.next() else { break }
        session.hasProgressed = true
        if case .set(let batch) = message.body, session.stage == .open {
          changes.append((token(for: message, of: session), batch))
          if changes.count >= session.setsPerTurn { break }
          continue
        }
        handOver(&changes, of: session)
        try carryOut(message, of: session)
      } catch {
        session.hasProgressed = true
        handOver(&changes, of: session)
        refuse(error, of: session)
      }
    }
    handOver(&changes, of: session)
  }

  private func handOver(
    _ changes: inout [(token: RequestToken, changes: [ViewChange])], of session: Session
  ) {
    guard !changes.isEmpty else { return }
    let began = loop.present
    handler?(.changes(changes))
    session.noteSets(changes.count, took: loop.present - began)
    changes.removeAll()
  }

  private func token(for message: ClientMessage, of session: Session) -> RequestToken {
    RequestToken(client: session.id, serial: message.serial, opcode: message.opcode)
  }

  private func beforeHello(_ message: ClientMessage) -> RequestFault {
    .malformed(
      "\(message.opcode) before hello: hello is the first message", serial: message.serial,
      opcode: message.opcode.rawValue)
  }

  private func carryOut(_ message: ClientMessage, of session: Session) throws(RequestFault) {
    let token = token(for: message, of: session)
    switch message.body {
    case .hello(let hello):
      guard session.stage == .greeting else {
        throw .malformed(
          "hello: it was said before", serial: message.serial, opcode: message.opcode.rawValue)
      }
      session.open(name: hello.name, version: min(hello.version, TOUCHROUTE_VERSION))
      let peer = session.peer
      clientLog.write(
        .info, about: peer,
        "\(session.process) connected, \(session.socket) socket, uid \(peer.uid), gid \(peer.gid)"
      )
      session.appendWelcome(greeting, serial: message.serial)
    case .set:
      throw beforeHello(message)
    case .request(let request):
      guard session.stage != .greeting else { throw beforeHello(message) }
      guard session.socket == .control || !message.opcode.isControlOnly else {
        let path = path(of: .control).map { ", \($0)" } ?? ""
        let text = "\(message.opcode) is for the control socket\(path); this one is for programs"
        return answer(token, .notAllowed, text)
      }
      if request == .ping { answerPing(token) } else { handler?(.request(token, request)) }
    }
  }

  /// Tells a client what is wrong with a message, and ends it where nothing that follows can be
  /// trusted. Rule F4.
  func refuse(_ fault: RequestFault, of session: Session) {
    guard session.stage != .ending else { return }
    session.output.appendError(
      serial: fault.serial, code: fault.code, request: fault.opcode, text: fault.text)
    if fault.isFatal { session.end(TOUCHROUTE_CLOSE_PROTOCOL, fault.text) }
  }
}
