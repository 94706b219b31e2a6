import CTouchroute
import Routing
import TouchModel

extension Request {
  /// Reads `inject`: touches that are made up. Rule F7.
  static func injection(from reader: inout RequestReader) throws(RequestError) -> Request {
    let fixed = try reader.fixed(touchroute_inject.self)
    try reader.require(
      exactly: Int(fixed.contact_count) * MemoryLayout<touchroute_contact>.size)
    try reader.reserved(fixed.reserved)
    guard fixed.contact_count > 0 else { throw reader.malformed("it has no contact") }
    var contacts: [InjectedContact] = []
    for number in 1...fixed.contact_count {
      contacts.append(try InjectedContact(from: &reader, number: number))
    }
    return .inject(contacts, ScreenIndex(Int32(clamping: fixed.screen)))
  }
}

extension InjectedContact {
  fileprivate init(from reader: inout RequestReader, number: some BinaryInteger)
    throws(RequestError)
  {
    let contact = try reader.fixed(touchroute_contact.self)
    guard let phase = UInt8(exactly: contact.phase).flatMap(TouchPhase.init(rawValue:)) else {
      throw reader.invalid("contact \(number): there is no phase \(contact.phase)")
    }
    if phase.isFinal, contact.x != 0 || contact.y != 0 {
      throw reader.invalid("contact \(number): a finger ends where it was: x and y must be 0")
    }
    self.init(slot: contact.slot, phase: phase, location: Point(x: contact.x, y: contact.y))
  }
}
