/// Why a touch was cancelled. Rule R9; the raw values are the wire's.
public enum CancelReason: UInt8, Sendable, CaseIterable, BitwiseCopyable {
  /// The device was unplugged or failed.
  case deviceRemoved = 1
  /// The device was suspended. No daemon says it; the wire keeps its number.
  case suspended = 2
  /// The device took the contact for a palm.
  case palm = 3
  /// The layout in force no longer has the target, or gives it to another owner (rule R8).
  case targetRemoved = 4
  /// The client did not read for too long (rule F3).
  case clientUnresponsive = 5
  /// Another client took the responder over.
  case takenOver = 6
  /// The daemon is stopping.
  case stopping = 7
  /// Somebody asked for it on the control socket.
  case requested = 8
  /// The connection to the daemon was lost. Never said by the daemon: the client library says it of
  /// what was live.
  case connectionLost = 9
  /// A recognizer has recognized, and cancels its touches. Rule G9.
  case gesture = 10
  /// The contact has not moved for too long: it is taken to be stuck. Rule N9.
  case stuck = 11
  /// The contact turned out to be a ghost: no finger was there. Rule N8.
  case ghost = 12
  /// Its screen went dark. Rule D3.
  case dark = 13
  /// Its screen was locked. Rule D9.
  case locked = 14
}

extension CancelReason {
  /// The word of the protocol, as people and scripts read it: that of the C header in lower case.
  package var word: String {
    switch self {
    case .deviceRemoved: "device_removed"
    case .suspended: "suspended"
    case .palm: "palm"
    case .targetRemoved: "target_removed"
    case .clientUnresponsive: "client_unresponsive"
    case .takenOver: "taken_over"
    case .stopping: "stopping"
    case .requested: "requested"
    case .connectionLost: "connection_lost"
    case .gesture: "gesture"
    case .stuck: "stuck"
    case .ghost: "ghost"
    case .dark: "dark"
    case .locked: "locked"
    }
  }
}
