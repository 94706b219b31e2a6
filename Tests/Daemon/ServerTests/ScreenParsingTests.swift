import CTouchroute
import Routing
import Testing

@testable import Server

@Suite("Screens and idleness on the wire")
struct ScreenParsingTests {
  private func screen(
    _ name: String, power: UInt16 = 2, flags: UInt16 = 0, reserved: UInt32 = 0
  ) -> [UInt8] {
    RequestBytes.message(
      TOUCHROUTE_SET_SCREEN.rawValue,
      touchroute_set_screen(
        header: touchroute_header(), serial: 3, power: power, flags: flags,
        name_size: UInt32(name.utf8.count), reserved: reserved), name)
  }

  private func idle(
    _ scope: UInt16, _ name: String = "", milliseconds: UInt32 = 1_000, flags: UInt16 = 0
  ) -> [UInt8] {
    RequestBytes.message(
      TOUCHROUTE_WATCH_IDLE.rawValue,
      touchroute_watch_idle(
        header: touchroute_header(), serial: 4, scope: scope, flags: flags,
        duration_ms: milliseconds, name_size: UInt32(name.utf8.count)), name)
  }

  private func inhibit(_ attachment: UInt32, enable: UInt32) -> [UInt8] {
    RequestBytes.message(
      TOUCHROUTE_INHIBIT_IDLE.rawValue,
      touchroute_inhibit_idle(
        header: touchroute_header(), serial: 5, attachment: attachment, enable: enable, reserved: 0)
    )
  }

  private func lock(
    _ name: String, milliseconds: UInt32 = 1_000, exit: UInt16 = 0, except: [String] = [],
    count: UInt16? = nil
  ) -> [UInt8] {
    var lock = touchroute_lock()
    (lock.serial, lock.duration_ms, lock.exit) = (6, milliseconds, exit)
    lock.except_count = count ?? UInt16(except.count)
    lock.name_size = UInt32(name.utf8.count)
    var bytes = RequestBytes.message(TOUCHROUTE_LOCK.rawValue, lock, name)
    for path in except {
      let exception = touchroute_lock_exception(path_size: UInt32(path.utf8.count), reserved: 0)
      bytes += withUnsafeBytes(of: exception) { Array($0) } + Array(path.utf8)
      while bytes.count % 8 != 0 { bytes.append(0) }
    }
    RequestBytes.setHeader(
      &bytes, size: UInt32(bytes.count), opcode: UInt16(TOUCHROUTE_LOCK.rawValue))
    return bytes
  }

  @Test("a lock is read with its exceptions, and refused where it can't be (D9)")
  func locks() throws {
    let world = try World()
    let client = try world.greeted(.client)
    client.send(lock("panel", exit: 3, except: ["home/a", "menu"]))
    try world.turn { world.requests.count == 1 }
    #expect(
      world.requests.map(\.request) == [
        .lock(
          LockRequest(
            "panel",
            TouchLocks.Request(milliseconds: 1_000, exceptions: ["home/a", "menu"], exit: .all)))
      ])
    for (bytes, words) in [
      (
        lock("panel", milliseconds: 999), "lock: duration_ms is 999: a lock lasts at least a second"
      ),
      (lock("panel", exit: 4), "lock: exit is 4: this daemon knows 3 and its parts"),
      (lock("panel", except: ["a"], count: 2), "lock: a message of"),
      (lock("panel", except: ["a", "b"], count: 1), "lock: a message of"),
    ] {
      let world = try World()
      let client = try world.greeted(.client)
      client.send(bytes)
      let message = try world.message(for: client)
      let error = message.load(touchroute_error.self)
      let text = message.string(at: 24, size: error.text_size)
      #expect(text.hasPrefix(words), "\(text)")
      #expect(world.requests.isEmpty)
    }
  }

  @Test("what is said of screens and idleness is read as it is written (D2, D7, D8)")
  func good() throws {
    let world = try World()
    let client = try world.greeted(.client)
    client.send(
      screen("panel", flags: 1) + screen("door", power: 1) + idle(1, milliseconds: 86_400_000)
        + idle(2, "panel", flags: 1) + idle(3, "home", flags: 2) + inhibit(7, enable: 1))
    try world.turn { world.requests.count == 6 }
    #expect(
      world.requests.map(\.request) == [
        .setScreen(ScreenRequest("panel", isOn: false, claims: true)),
        .setScreen(ScreenRequest("door", isOn: true)),
        .watchIdle(IdleWatches.Request(scope: .seat, milliseconds: 86_400_000)),
        .watchIdle(
          IdleWatches.Request(
            scope: .screen("panel"), milliseconds: 1_000, ignoresInhibitors: true)),
        .watchIdle(
          IdleWatches.Request(
            scope: .window("home"), milliseconds: 1_000, ignoresInjected: true)),
        .inhibitIdle(AttachmentID(7), true),
      ])
  }

  @Test("a watch of less than a second or of no such thing is refused, as other nonsense (D7, S37)")
  func bad() throws {
    for (bytes, words) in [
      (idle(1, milliseconds: 999), "watch_idle: duration_ms is 999: it must be 1000 (a second)"),
      (idle(1, milliseconds: 86_400_001), "watch_idle: duration_ms is 86400001"),
      (idle(1, milliseconds: 0), "watch_idle: duration_ms is 0"),
      (idle(0), "watch_idle: there is no scope 0"), (idle(4), "watch_idle: there is no scope 4"),
      (idle(1, "panel"), "watch_idle: the seat has no name, this is \"panel\""),
      (idle(2), "watch_idle: a screen needs its name"),
      (idle(1, flags: 4), "watch_idle: flags is 4: this daemon knows 3 and its parts"),
      (screen("panel", power: 3), "set_screen: power is 3: a screen is set to on (1) or dark (2)"),
      (screen("panel", flags: 2), "set_screen: flags is 2: this daemon knows 1"),
      (inhibit(1, enable: 2), "inhibit_idle: enable is 2: it must be 0 or 1"),
    ] {
      let world = try World()
      let client = try world.greeted(.client)
      client.send(bytes)
      let message = try world.message(for: client)
      let error = message.load(touchroute_error.self)
      let text = message.string(at: 24, size: error.text_size)
      #expect(error.code == TOUCHROUTE_ERROR_INVALID.rawValue && text.hasPrefix(words), "\(text)")
      #expect(world.requests.isEmpty)
    }
  }
}
