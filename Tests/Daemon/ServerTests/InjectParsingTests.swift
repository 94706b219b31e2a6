import CTouchroute
import Routing
import Testing
import TouchModel

@testable import Server

@Suite("Injecting on the wire")
struct InjectParsingTests {
  private func inject(
    _ contacts: [touchroute_contact], count: UInt32? = nil, reserved: UInt32 = 0
  ) -> [UInt8] {
    var fixed = touchroute_inject()
    fixed.serial = 3
    fixed.screen = 1
    fixed.contact_count = count ?? UInt32(contacts.count)
    fixed.reserved = reserved
    var bytes = withUnsafeBytes(of: fixed) { Array($0) }
    for contact in contacts { bytes += withUnsafeBytes(of: contact) { Array($0) } }
    RequestBytes.setHeader(
      &bytes, size: UInt32(bytes.count), opcode: UInt16(TOUCHROUTE_INJECT.rawValue))
    return bytes
  }

  private func cancel(_ touch: UInt64) -> [UInt8] {
    RequestBytes.message(
      TOUCHROUTE_CANCEL.rawValue,
      touchroute_cancel(header: touchroute_header(), serial: 4, reserved: 0, touch: touch))
  }

  @Test("contacts and touches are read as they are written")
  func good() throws {
    let world = try World()
    let client = try world.greeted(.control)
    client.send(
      inject([
        touchroute_contact(slot: -1, phase: 1, x: 2.5, y: -3),
        touchroute_contact(slot: 7, phase: 4, x: 0, y: 0),
      ]) + cancel(0) + cancel(9))
    try world.turn { world.requests.count == 3 }
    #expect(
      world.requests.map(\.request) == [
        .inject(
          [
            InjectedContact(slot: -1, phase: .began, location: Point(x: 2.5, y: -3)),
            InjectedContact(slot: 7, phase: .ended, location: .zero),
          ], ScreenIndex(1)), .cancel(nil), .cancel(TouchID(9)),
      ])
  }

  @Test("what can't be is refused: another phase, a place of an end, a message cut short (F4)")
  func bad() throws {
    let began = touchroute_contact(slot: 0, phase: 1, x: 0, y: 0)
    for (bytes, words) in [
      (
        inject([began, touchroute_contact(slot: 1, phase: 6, x: 0, y: 0)]),
        "inject: contact 2: there is no phase 6"
      ),
      (
        inject([touchroute_contact(slot: 1, phase: 4, x: 0, y: 1)]),
        "inject: contact 1: a finger ends where it was: x and y must be 0"
      ),
      (inject([]), "inject: it has no contact"),
      (inject([began], count: 2), "where its contents need 72"),
      (inject([began], count: .max), "where its contents need"),
      (inject([began], reserved: 1), "reserved field is 1"),
    ] {
      let world = try World()
      let client = try world.greeted(.control)
      client.send(bytes)
      let error = try world.message(for: client)
      #expect(error.errorText.contains(words), "\(error.errorText)")
      #expect(world.requests.isEmpty)
    }
  }

  @Test("both are for the control socket alone (F7)")
  func control() throws {
    let world = try World()
    let client = try world.greeted()
    for (bytes, name) in [
      (inject([touchroute_contact(slot: 0, phase: 1, x: 0, y: 0)]), "inject"),
      (cancel(0), "cancel"),
    ] {
      client.send(bytes)
      let error = try world.message(for: client)
      #expect(error.errorText == "\(name) is for the control socket; this one is for programs")
    }
  }
}
