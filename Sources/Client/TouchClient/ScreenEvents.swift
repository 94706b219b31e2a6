import CTouchroute
public import TouchModel
import Wire

/// A screen is dark, waking or on. Rules D1 and D2.
public struct ScreenNotice: Equatable, Sendable {
  /// The screen: an index into ``Welcome/screens``.
  public var screen: UInt32
  /// Its name.
  public var name: String
  /// What it is.
  public var state: ScreenState
  /// Why; nil if it has been that before.
  public var cause: ScreenCause?

  /// The message as the C library shows it; nil if it is of a newer daemon.
  init?(_ message: touchroute_screen_state, name: String) {
    guard let state = ScreenState(rawValue: message.power) else { return nil }
    screen = message.screen
    self.name = name
    self.state = state
    cause = ScreenCause(rawValue: message.cause)
  }
}

/// What may be idle. Rule D7.
public enum IdleScope: Equatable, Sendable {
  /// Every screen.
  case seat
  /// The screen of a name.
  case screen(String)
  /// A window that this program holds, by its name.
  case window(String)

  /// The wire's number and name.
  var wire: (scope: Wire.IdleScope, name: String?) {
    switch self {
    case .seat: (.seat, nil)
    case .screen(let name): (.screen, name)
    case .window(let name): (.window, name)
    }
  }
}

/// Nobody has touched what a watch is about for so long, or somebody does again. Rule D7.
public struct IdleChange: Equatable, Sendable {
  /// The watch: the total of the ``TouchEvent/done(_:)`` that answered its request.
  public var watch: UInt32
  /// Whether nobody has touched it.
  public var isIdle: Bool

  /// What is told of a watch.
  public init(watch: UInt32, isIdle: Bool) {
    self.watch = watch
    self.isIdle = isIdle
  }
}

/// A screen's state, with its blanker.
public struct ScreenStatus: Equatable, Sendable {
  /// The screen: an index into ``Welcome/screens``.
  public var screen: UInt32
  /// Its name.
  public var name: String
  /// What it is; nil if a newer daemon says something else.
  public var state: ScreenState?
  /// The process of its blanker; nil if it has none.
  public var pid: Int32?
  /// What its blanker calls itself.
  public var blanker: String

  /// The message as the C library shows it.
  init(_ status: touchroute_status_screen, name: String, blanker: String) {
    screen = status.screen
    self.name = name
    state = ScreenState(rawValue: status.power)
    pid = status.pid == 0 ? nil : status.pid
    self.blanker = blanker
  }
}

/// A screen is locked, or no longer. Rule D9.
public struct LockNotice: Equatable, Sendable {
  /// The screen: an index into ``Welcome/screens``.
  public var screen: UInt32
  /// Its name.
  public var name: String
  /// How long the lock lasts, in milliseconds; 0 if it has ended.
  public var remainingMilliseconds: UInt32
  /// Why; nil if it was locked before.
  public var cause: LockCause?

  /// The message as the C library shows it.
  init(_ message: touchroute_lock_state, name: String) {
    screen = message.screen
    self.name = name
    remainingMilliseconds = message.remaining_ms
    cause = LockCause(rawValue: message.cause)
  }
}

/// What fingers do to end a lock; the bits are the wire's. Rule D9.
public struct LockExit: OptionSet, Hashable, Sendable {
  /// One bit for each of them.
  public let rawValue: UInt32

  /// Those of these bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Two of them rest in two corners of the screen for three seconds.
  public static let holdCorners = LockExit(rawValue: TOUCHROUTE_LOCK_HOLD_CORNERS.rawValue)
  /// One of them taps five times in a row.
  public static let taps = LockExit(rawValue: TOUCHROUTE_LOCK_TAPS.rawValue)
}

/// A screen's lock.
public struct LockStatus: Equatable, Sendable {
  /// The screen: an index into ``Welcome/screens``.
  public var screen: UInt32
  /// Its name.
  public var name: String
  /// How long it lasts, in milliseconds.
  public var remainingMilliseconds: UInt32
  /// The process that asked for it; nil if an administrator did who has gone.
  public var pid: Int32?

  /// The message as the C library shows it.
  init(_ status: touchroute_status_lock, name: String) {
    screen = status.screen
    self.name = name
    remainingMilliseconds = status.remaining_ms
    pid = status.pid == 0 ? nil : status.pid
  }
}

/// Something was hit for which the layout names feedback. Rules D10 and D12.
public struct FeedbackNotice: Equatable, Sendable {
  /// When, by CLOCK_MONOTONIC, in microseconds.
  public var time: UInt64
  /// The screen: an index into ``Welcome/screens``.
  public var screen: UInt32
  /// What gives it; nil if a newer daemon says something else.
  public var cause: Wire.FeedbackCause?
  /// The name of the feedback.
  public var name: String
  /// The path of the view or recognizer; nil of a secure view.
  public var target: String?

  /// The message as the C library shows it.
  init(_ message: touchroute_feedback, name: String, target: String) {
    time = message.time_us
    screen = message.screen
    cause = Wire.FeedbackCause(rawValue: message.cause)
    self.name = name
    self.target = message.target_size == 0 ? nil : target
  }
}
