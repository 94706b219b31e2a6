import CTouchroute
public import Routing
import TouchModel
import Wire

/// What a client says of a screen: that it is about to be dark, or is on again. Rule D2.
public struct ScreenRequest: Equatable, Sendable {
  /// The screen's name.
  public let screen: String
  /// Whether it is on.
  public let isOn: Bool
  /// Whether the client wants to be the screen's blanker.
  public let claims: Bool

  /// What is said of the screen of a name.
  public init(_ screen: String, isOn: Bool, claims: Bool = false) {
    self.screen = screen
    self.isOn = isOn
    self.claims = claims
  }

  /// Reads `set_screen`.
  init(from reader: inout RequestReader) throws(RequestError) {
    let fixed = try reader.fixed(touchroute_set_screen.self)
    try reader.require(exactly: padded(Int(fixed.name_size)))
    try reader.reserved(fixed.reserved)
    let name = try reader.string(fixed.name_size, 1...TOUCHROUTE_MAX_NAME, "screen")
    let flags = Wire.SetScreenFlags(rawValue: fixed.flags)
    guard flags.isSubset(of: .blanker) else {
      throw reader.invalid("flags is \(fixed.flags): this daemon knows 1")
    }
    let state = ScreenState(rawValue: fixed.power)
    guard state == .on || state == .dark else {
      throw reader.invalid("power is \(fixed.power): a screen is set to on (1) or dark (2)")
    }
    self.init(name, isOn: state == .on, claims: flags.contains(.blanker))
  }
}

extension IdleWatches.Request {
  /// How long nobody must have touched what is watched, in milliseconds: from a second to a day.
  public static let range: ClosedRange<UInt64> = 1_000...86_400_000

  /// Reads `watch_idle`. Rule D7.
  init(from reader: inout RequestReader) throws(RequestError) {
    let fixed = try reader.fixed(touchroute_watch_idle.self)
    try reader.require(exactly: padded(Int(fixed.name_size)))
    let name = try reader.string(fixed.name_size, 0...TOUCHROUTE_MAX_NAME, "name")
    let flags = Wire.IdleFlags(rawValue: fixed.flags)
    guard flags.isSubset(of: [.ignoresInhibitors, .ignoresInjected]) else {
      throw reader.invalid("flags is \(fixed.flags): this daemon knows 3 and its parts")
    }
    guard Self.range.contains(UInt64(fixed.duration_ms)) else {
      throw reader.invalid(
        "duration_ms is \(fixed.duration_ms): it must be 1000 (a second) to 86400000 (a day)")
    }
    guard let scope = Wire.IdleScope(rawValue: fixed.scope) else {
      throw reader.invalid("there is no scope \(fixed.scope): it is 1, 2 or 3")
    }
    guard (scope == .seat) == name.isEmpty else {
      throw reader.invalid(
        scope == .seat
          ? "the seat has no name, this is \"\(name)\"" : "a \(scope) needs its name")
    }
    self.init(
      scope: scope.scope(of: name), milliseconds: UInt64(fixed.duration_ms),
      ignoresInhibitors: flags.contains(.ignoresInhibitors),
      ignoresInjected: flags.contains(.ignoresInjected))
  }
}

extension Wire.IdleScope {
  fileprivate func scope(of name: String) -> IdleWatches.Scope {
    switch self {
    case .seat: .seat
    case .screen: .screen(name)
    case .window: .window(name)
    }
  }
}

extension Request {
  /// Reads `watch_screens`. Rule D2.
  static func screenWatch(from reader: inout RequestReader) throws(RequestError) -> Request {
    .watchScreens(
      try reader.boolean(try reader.last(touchroute_watch_screens.self).enable, "enable"))
  }

  /// Reads `inhibit_idle`. Rule D8.
  static func inhibition(from reader: inout RequestReader) throws(RequestError) -> Request {
    let fixed = try reader.last(touchroute_inhibit_idle.self)
    try reader.reserved(fixed.reserved)
    return .inhibitIdle(
      AttachmentID(fixed.attachment), try reader.boolean(fixed.enable, "enable"))
  }
}

/// What a client asks for to lock a screen. Rule D9.
public struct LockRequest: Equatable, Sendable {
  /// The screen's name.
  public let screen: String
  /// The lock.
  public let lock: TouchLocks.Request

  /// A lock of the screen of a name.
  public init(_ screen: String, _ lock: TouchLocks.Request) {
    self.screen = screen
    self.lock = lock
  }

  /// Reads `lock`.
  init(from reader: inout RequestReader) throws(RequestError) {
    let fixed = try reader.fixed(touchroute_lock.self)
    let name = try reader.string(fixed.name_size, 1...TOUCHROUTE_MAX_NAME, "screen")
    let exit = TouchLocks.Exit(rawValue: fixed.exit)
    guard exit.isSubset(of: .all) else {
      throw reader.invalid("exit is \(fixed.exit): this daemon knows 3 and its parts")
    }
    guard fixed.duration_ms >= 1_000 else {
      throw reader.invalid("duration_ms is \(fixed.duration_ms): a lock lasts at least a second")
    }
    var exceptions: [String] = []
    for _ in 0..<fixed.except_count {
      let exception = try reader.fixed(touchroute_lock_exception.self)
      try reader.reserved(exception.reserved)
      exceptions.append(
        try reader.string(exception.path_size, 1...TOUCHROUTE_MAX_PATH, "exception"))
    }
    try reader.require(exactly: 0)
    self.init(
      name,
      TouchLocks.Request(
        milliseconds: UInt64(fixed.duration_ms), exceptions: exceptions, exit: exit))
  }
}

extension Request {
  /// Reads `unlock`.
  static func unlocking(from reader: inout RequestReader) throws(RequestError) -> Request {
    let fixed = try reader.fixed(touchroute_unlock.self)
    try reader.require(exactly: padded(Int(fixed.name_size)))
    return .unlock(try reader.string(fixed.name_size, 1...TOUCHROUTE_MAX_NAME, "screen"))
  }
}

extension Request {
  /// Reads `watch_feedback`. Rule D11.
  static func feedbackWatch(from reader: inout RequestReader) throws(RequestError) -> Request {
    let fixed = try reader.fixed(touchroute_watch_feedback.self)
    try reader.reserved(fixed.reserved)
    try reader.require(exactly: padded(Int(fixed.name_size)))
    let screen = try reader.string(fixed.name_size, 1...TOUCHROUTE_MAX_NAME, "screen")
    return .watchFeedback(screen, try reader.boolean(fixed.enable, "enable"))
  }
}
