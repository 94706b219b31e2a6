import CTouchroute
import Logging
import Routing

extension Server {
  /// Carries out a session's requests, up to what one turn allows.
  func carryOutRequests(of session: Session) {
    for _ in 0..<ServerLimits.requestsPerTurn where session.takesRequests {
      do throws(RequestFault) {
        guard let message = try session.decoder.next() else { return }
        session.hasProgressed = true
        try carryOut(message, of: session)
      } catch {
        session.hasProgressed = true
        refuse(error, of: session)
      }
    }
  }

  private func carryOut(_ message: ClientMessage, of session: Session) throws(RequestFault) {
    let token = RequestToken(client: session.id, serial: message.serial, opcode: message.opcode)
    switch message.body {
    case .hello(let hello):
      guard session.stage == .greeting else {
        throw .malformed(
          "hello: it was said before", serial: message.serial, opcode: message.opcode.rawValue)
      }
      session.open(name: hello.name, version: min(hello.version, TOUCHROUTE_VERSION))
      let peer = session.peer
      logger.info(
        "\(session.process) connected, \(session.socket) socket, uid \(peer.uid), gid \(peer.gid)"
      )
      session.appendWelcome(greeting, serial: message.serial)
    case .request(let request):
      guard session.stage != .greeting else {
        throw .malformed(
          "\(message.opcode) before hello: hello is the first message", serial: message.serial,
          opcode: message.opcode.rawValue)
      }
      guard session.socket == .control || !message.opcode.isControlOnly else {
        return answer(token, .notAllowed, "\(message.opcode) is for the control socket alone")
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
