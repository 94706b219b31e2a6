/// Whether a screen shows anything. Rule D1; the raw values are the wire's.
public enum ScreenState: UInt16, Sendable, CaseIterable, BitwiseCopyable {
  /// It does, or is taken to.
  case on = 1
  /// It does not.
  case dark = 2
  /// A finger has woken it, and its blanker has yet to say that it is on.
  case waking = 3
}

extension ScreenState {
  /// The word of the protocol, as people and scripts read it.
  package var word: String {
    switch self {
    case .on: "on"
    case .dark: "dark"
    case .waking: "waking"
    }
  }
}

/// Why a screen has another state. Rules D2, D4 and D5; the raw values are the wire's.
public enum ScreenCause: UInt16, Sendable, CaseIterable, BitwiseCopyable {
  /// Its blanker or an administrator asked for it.
  case requested = 1
  /// A finger has woken it.
  case woken = 2
  /// Its blanker did not answer in time.
  case timedOut = 3
  /// Nobody is its blanker.
  case unattended = 4
}

extension ScreenCause {
  /// The word of the protocol, as people and scripts read it.
  package var word: String {
    switch self {
    case .requested: "requested"
    case .woken: "woken"
    case .timedOut: "timed_out"
    case .unattended: "unattended"
    }
  }
}

/// Why a screen is locked, or no longer. Rule D9; the raw values are the wire's.
public enum LockCause: UInt16, Sendable, CaseIterable, BitwiseCopyable {
  /// Somebody asked for it.
  case requested = 1
  /// Its time is over.
  case timeIsOver = 2
  /// Fingers did what ends it.
  case exit = 3
  /// The client that asked for it is gone, or may no longer.
  case clientLeft = 4
}

extension LockCause {
  /// The word of the protocol, as people and scripts read it.
  package var word: String {
    switch self {
    case .requested: "requested"
    case .timeIsOver: "time_is_over"
    case .exit: "exit"
    case .clientLeft: "client_left"
    }
  }
}
