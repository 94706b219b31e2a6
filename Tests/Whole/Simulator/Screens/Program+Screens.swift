import CTouchroute
import Routing
import Server
import TouchModel
import Wire

/// What a program asks of screens, and is told of them.
extension Program {
  func set(_ request: ScreenRequest) {
    let flags: Wire.SetScreenFlags = request.claims ? .blanker : []
    ask(.setScreen(request)) { serial in
      send(
        TOUCHROUTE_SET_SCREEN,
        touchroute_set_screen(
          header: touchroute_header(), serial: serial,
          power: (request.isOn ? ScreenState.on : .dark).rawValue, flags: flags.rawValue,
          name_size: UInt32(request.screen.utf8.count), reserved: 0), request.screen)
    }
  }

  func watchScreens(_ isWanted: Bool) {
    ask(.watchScreens(isWanted)) { serial in
      send(
        TOUCHROUTE_WATCH_SCREENS,
        touchroute_watch_screens(
          header: touchroute_header(), serial: serial, enable: isWanted ? 1 : 0))
    }
  }

  func lock(_ request: LockRequest) {
    var rest = Self.text(request.screen)
    for path in request.lock.exceptions {
      let exception = touchroute_lock_exception(path_size: UInt32(path.utf8.count), reserved: 0)
      rest += withUnsafeBytes(of: exception) { Array($0) } + Self.text(path)
    }
    ask(.lock(request)) { serial in
      send(
        TOUCHROUTE_LOCK,
        touchroute_lock(
          header: touchroute_header(), serial: serial,
          duration_ms: UInt32(request.lock.milliseconds), exit: request.lock.exit.rawValue,
          except_count: UInt16(request.lock.exceptions.count),
          name_size: UInt32(request.screen.utf8.count)), rest)
    }
  }

  private static func text(_ text: String) -> [UInt8] {
    Array(text.utf8) + [UInt8](repeating: 0, count: padded(text.utf8.count) - text.utf8.count)
  }

  func unlock(_ screen: String) {
    ask(.unlock(screen)) { serial in
      send(
        TOUCHROUTE_UNLOCK,
        touchroute_unlock(
          header: touchroute_header(), serial: serial, name_size: UInt32(screen.utf8.count)), screen
      )
    }
  }

  func watchIdle(_ request: IdleWatches.Request) {
    let (scope, name): (Wire.IdleScope, String) =
      switch request.scope {
      case .seat: (.seat, "")
      case .screen(let name): (.screen, name)
      case .window(let name): (.window, name)
      }
    var flags: Wire.IdleFlags = []
    if request.ignoresInhibitors { flags.insert(.ignoresInhibitors) }
    if request.ignoresInjected { flags.insert(.ignoresInjected) }
    ask(.watchIdle(request)) { serial in
      send(
        TOUCHROUTE_WATCH_IDLE,
        touchroute_watch_idle(
          header: touchroute_header(), serial: serial, scope: scope.rawValue, flags: flags.rawValue,
          duration_ms: UInt32(request.milliseconds), name_size: UInt32(name.utf8.count)), name)
    }
  }

  func unwatchIdle(_ watch: UInt32) {
    ask(.unwatchIdle(watch)) { serial in
      send(
        TOUCHROUTE_UNWATCH_IDLE,
        touchroute_unwatch_idle(header: touchroute_header(), serial: serial, watch: watch))
    }
  }

  func inhibitIdle(_ attachment: UInt32, _ isWanted: Bool) {
    ask(.inhibitIdle(AttachmentID(attachment), isWanted)) { serial in
      send(
        TOUCHROUTE_INHIBIT_IDLE,
        touchroute_inhibit_idle(
          header: touchroute_header(), serial: serial, attachment: attachment,
          enable: isWanted ? 1 : 0, reserved: 0))
    }
  }

  // MARK: - What it is told

  func takeNotice(_ bytes: UnsafeRawBufferPointer, _ opcode: UInt32) {
    switch opcode {
    case TOUCHROUTE_SCREEN_STATE.rawValue:
      let fixed = bytes.load(as: touchroute_screen_state.self)
      guard let state = ScreenState(rawValue: fixed.power) else {
        return stream.fail("a screen is \(fixed.power)")
      }
      let name = Self.name(fixed.name_size, in: bytes, behind: touchroute_screen_state.self)
      stream.take(.screen(Int(fixed.screen), name, state, ScreenCause(rawValue: fixed.cause)))
    case TOUCHROUTE_LOCK_STATE.rawValue:
      let fixed = bytes.load(as: touchroute_lock_state.self)
      let name = Self.name(fixed.name_size, in: bytes, behind: touchroute_lock_state.self)
      stream.take(
        .lock(Int(fixed.screen), name, fixed.remaining_ms, LockCause(rawValue: fixed.cause)))
    default:
      let fixed = bytes.load(as: touchroute_idle.self)
      stream.take(.idle(fixed.watch, fixed.is_idle == 1))
    }
  }

  private static func name<Fixed>(
    _ size: UInt32, in bytes: UnsafeRawBufferPointer, behind fixed: Fixed.Type
  ) -> String {
    let start = MemoryLayout<Fixed>.size
    return String(decoding: bytes[start..<start + Int(size)], as: UTF8.self)
  }
}
