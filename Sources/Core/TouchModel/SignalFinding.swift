/// What a filter of a touchscreen's signal did (rules N2 to N9, N12), or what is wrong with a
/// touchscreen (rule N10). The raw values are the wire's.
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
  /// A contact was a palm. Rule N12.
  case palm = 10
  /// It reports nothing, though a finger is down.
  case silent = 32
  /// A contact has been down for long.
  case held = 33
  /// It reports less often than it did.
  case slowed = 34
  /// It has many ghosts.
  case haunted = 35
  /// The kernel loses its events.
  case overrun = 36
  /// It comes and goes.
  case unsteady = 37
  /// Taps lie off what they hit, all to one side.
  case drifted = 38

  /// What filters do.
  public static let filters = allCases.filter { !$0.isFault }

  /// Whether it is wrong with a touchscreen, and no filter's doing.
  public var isFault: Bool { rawValue >= 32 }
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
    case .palm: "palm"
    case .silent: "silent"
    case .held: "held"
    case .slowed: "slowed"
    case .haunted: "haunted"
    case .overrun: "overrun"
    case .unsteady: "unsteady"
    case .drifted: "drifted"
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
    case .palm: "\(count) palms"
    default: "\(count) \(word)"
    }
  }
}
