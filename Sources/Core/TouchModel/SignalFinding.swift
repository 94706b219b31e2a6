/// What a filter of a touchscreen's signal did. Rules N2 to N9; the raw values are the wire's.
public enum SignalFinding: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// A contact went on after a gap. Rule N2.
  case bridged = 1
  /// A contact was too short to begin. Rule N3.
  case short = 2
  /// A point was moved to take jitter out. Rule N4.
  case smoothed = 3
  /// No finger can have reached a point: it was dropped. Rule N5.
  case outlier = 4
  /// Another finger began in the slot of a contact. Rule N5.
  case split = 5
  /// A contact began in a dead zone. Rule N6.
  case deadZone = 6
  /// A contact never left the edge. Rule N7.
  case edge = 7
  /// A contact was a ghost. Rule N8.
  case ghost = 8
  /// A contact was stuck. Rule N9.
  case stuck = 9
}

extension SignalFinding {
  /// The word of the protocol, as scripts read it: that of the C header in lower case.
  package var word: String {
    switch self {
    case .bridged: "bridged"
    case .short: "short"
    case .smoothed: "smoothed"
    case .outlier: "outlier"
    case .split: "split"
    case .deadZone: "dead_zone"
    case .edge: "edge"
    case .ghost: "ghost"
    case .stuck: "stuck"
    }
  }

  /// So many of them, in words.
  package func counted(_ count: UInt64) -> String {
    switch self {
    case .bridged: "\(count) bridged"
    case .short: "\(count) too short"
    case .smoothed: "\(count) points smoothed"
    case .outlier: "\(count) points too fast"
    case .split: "\(count) split"
    case .deadZone: "\(count) in dead zones"
    case .edge: "\(count) at the edge"
    case .ghost: "\(count) ghosts"
    case .stuck: "\(count) stuck"
    }
  }
}
