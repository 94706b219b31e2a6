import Wire
import CTouchroute
import EventLoop
import Logging
import Routing
import TouchModel

extension Server {
  /// Carries out a session's requests, up to what one turn allows: a number of them, and a time.
  /// Those to change the layout in a row are one change, for which they may have to wait.
  func carryOutRequests(of session: Session) {
    let allowance = order?.allowance(of: session) ?? ServerLimits.turnMicroseconds
    let deadline = loop.present + allowance
    var hasChanged = false
    for number in 0..<ServerLimits.requestsPerTurn where session.takesRequests {
      if number > 0, loop.present >= deadline { break }
      if session.asksForChange {
        if hasChanged { break }
        hasChanged = true
        changes?.add(session)
        continue
      }
      do throws(RequestFault) {
        guard let message = try session.decoder.next() else { break }
        session.hasProgressed = true
        try carryOut(message, of: session)
      } catch {
        session.hasProgressed = true
        refuse(error, of: session)
      }
    }
  }

  private func beforeHello(_ message: ClientMessage) -> RequestFault {
    .malformed(
      "\(message.opcode) before hello: hello is the first message", serial: message.serial,
      opcode: message.opcode.rawValue)
  }

  private func carryOut(_ message: ClientMessage, of session: Session) throws(RequestFault) {
    let token = session.token(for: message)
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
    if fault.isFatal { session.end(.malformed, fault.text) }
  }
}
