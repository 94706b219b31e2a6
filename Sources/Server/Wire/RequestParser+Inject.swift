import CTouchroute
import Routing
import TouchModel

/// `inject` and `cancel`: touches that are made up, and ended.
extension RequestParser {
  func injection() throws(RequestError) -> Request {
    let fixed = bytes.load(as: touchroute_inject.self)
    let size = MemoryLayout<touchroute_contact>.size
    let whole = opcode.fixedSize + Int(fixed.contact_count) * size
    guard bytes.count == whole else { throw wrongSize(whole) }
    try reserved(fixed.reserved)
    guard fixed.contact_count > 0 else { throw malformed("it has no contact") }
    var contacts: [InjectedContact] = []
    for number in 0..<Int(fixed.contact_count) {
      let contact = bytes.load(
        fromByteOffset: opcode.fixedSize + number * size, as: touchroute_contact.self)
      guard let phase = UInt8(exactly: contact.phase).flatMap(TouchPhase.init(rawValue:)) else {
        throw invalid("contact \(number + 1): there is no phase \(contact.phase)")
      }
      if phase.isFinal, contact.x != 0 || contact.y != 0 {
        throw invalid("contact \(number + 1): a finger ends where it was: x and y must be 0")
      }
      contacts.append(
        InjectedContact(
          slot: contact.slot, phase: phase, location: Point(x: contact.x, y: contact.y)))
    }
    return .inject(contacts, ScreenIndex(Int32(clamping: fixed.screen)))
  }

  func cancellation() throws(RequestError) -> Request {
    let fixed = try load(touchroute_cancel.self)
    try reserved(fixed.reserved)
    return .cancel(fixed.touch == 0 ? nil : TouchID(fixed.touch))
  }
}
