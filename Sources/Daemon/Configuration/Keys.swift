// The keys that the configuration takes, table by table, and the words that some of them take. The
// readers and the schema go by them; docs/configuration.md describes them, and a test holds it
// against them. The properties of views are declared in TouchModel.

import TouchModel

/// The keys of the top level.
enum RootKey: String, CaseIterable {
  case screen, device, window, view, gesture, access, limits, touch
}

/// The keys of `[screen.NAME]`.
enum ScreenKey: String, CaseIterable {
  case size, rotation, wake
  case wakeGuard = "wake_guard_ms"
  case wakeTimeout = "wake_timeout_ms"

  /// The milliseconds that `wake_guard_ms` may be.
  static let guardRange = 0...10_000
  /// The milliseconds that `wake_timeout_ms` may be.
  static let timeoutRange = 100...60_000
}

/// The keys of `[[device]]`.
enum DeviceKey: String, CaseIterable {
  case match, screen, calibration, rotation, region, grab, ignore
  case invertX = "invert_x"
  case invertY = "invert_y"
  case swapXY = "swap_xy"
  case bridge = "bridge_ms"
  case bridgeDistance = "bridge_distance"
  case minimumContact = "min_contact_ms"
  case smooth
  case medianDepth = "median_depth"
  case iirWeight = "iir_weight"
  case dejitterDistance = "dejitter_distance"
  case oneEuroCutoff = "one_euro_min_cutoff"
  case oneEuroBeta = "one_euro_beta"
  case maximumSpeed = "max_speed"
  case deadZones = "dead_zones"
  case edge, ghosts
  case stuck = "stuck_ms"
  case stuckDistance = "stuck_distance"
  case palmSize = "palm_size"
  case palmAspect = "palm_aspect"
  case palmPen = "palm_pen"
  case warnSilent = "warn_silent_ms"
  case warnHeld = "warn_held_ms"
  case warnRate = "warn_rate_percent"
  case warnGhosts = "warn_ghosts_per_minute"
  case warnDrops = "warn_drops_per_minute"
  case warnLosses = "warn_losses_per_hour"
  case warnDrift = "warn_drift"

  /// The threshold that a key sets. Rule N10.
  var threshold: WritableKeyPath<HealthSettings, UInt64>? {
    switch self {
    case .warnSilent: \.silentMilliseconds
    case .warnHeld: \.heldMilliseconds
    case .warnRate: \.ratePercent
    case .warnGhosts: \.ghostsPerMinute
    case .warnDrops: \.dropsPerMinute
    case .warnLosses: \.lossesPerHour
    case .warnDrift: \.driftPoints
    default: nil
    }
  }

  /// The values that a filter's key or a threshold takes; nil for other keys.
  var range: ClosedRange<Double>? {
    switch self {
    case .bridge: 0...200
    case .bridgeDistance, .stuckDistance: 0...200
    case .minimumContact: 0...1_000
    case .medianDepth: 3...9
    case .iirWeight: 0...0.99
    case .dejitterDistance: 0...10_000
    case .oneEuroCutoff: 0.01...1_000
    case .oneEuroBeta: 0...10
    case .maximumSpeed: 0...1_000_000
    case .edge: 0...1_000
    case .stuck: 0...3_600_000
    case .palmSize: 0...200
    case .palmAspect: 0...20
    case .warnSilent, .warnHeld: 0...86_400_000
    case .warnRate: 0...90
    case .warnGhosts, .warnDrops, .warnLosses, .warnDrift: 0...1_000
    default: nil
    }
  }

  /// Whether such a key takes integers alone.
  var isInteger: Bool {
    switch self {
    case .bridge, .minimumContact, .medianDepth, .stuck: true
    default: threshold != nil
    }
  }
}

/// The words that `smooth` in `[[device]]` takes.
enum SmoothWord: String, CaseIterable {
  case none, median, iir, dejitter
  case oneEuro = "one_euro"

  /// The keys that set up this filter.
  var keys: [DeviceKey] {
    switch self {
    case .none: []
    case .median: [.medianDepth]
    case .iir: [.iirWeight]
    case .dejitter: [.dejitterDistance]
    case .oneEuro: [.oneEuroCutoff, .oneEuroBeta]
    }
  }
}

/// The words that `ghosts` in `[[device]]` takes.
enum GhostWord: String, CaseIterable {
  case farApart = "far_apart"
  case aligned
  case samePlace = "same_place"
}

/// The keys of `match` in `[[device]]`.
enum MatchKey: String, CaseIterable {
  case name, id, path, phys, properties
}

/// The keys that only `[[window]]` takes.
enum WindowKey: String, CaseIterable {
  case name, screen, level, application, resizable
  case alwaysOn = "always_on"
}

/// The keys that only `[[view]]` takes.
enum ViewKey: String, CaseIterable {
  case path
}

/// A key that windows and views take.
enum PropertyKey {
  case property(ViewChange.Property.Kind)
  /// The name of the controller.
  case controller

  private static let all: [(name: String, key: PropertyKey)] =
    ViewChange.Property.Kind.declared.filter { $0.declaration.key != nil }.map {
      ($0.name, .property($0))
    } + [("controller", .controller)]
  private static let keys = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.key) })

  /// Every key as it is written.
  static let names = all.map(\.name)

  /// The key that is written so.
  init?(_ name: String) {
    guard let key = Self.keys[name] else { return nil }
    self = key
  }
}

/// The keys of `transform`.
enum TransformKey: String, CaseIterable {
  case rotate, scale, translate, matrix
}

/// The words that `shape` takes.
enum ShapeWord: String, CaseIterable {
  case rect, ellipse
}

/// The keys of `shape`, of which it takes one.
enum ShapeKey: String, CaseIterable {
  case radius, polygon
}

/// The words that `inside` takes.
enum InsideWord: String, CaseIterable {
  case bounds, always, never, children
}

/// The keys of `inside`, of which it takes one.
enum InsideKey: String, CaseIterable {
  case children
}

/// The words that `hit` takes.
enum HitWord: String, CaseIterable {
  case standard = "default"
  case itself = "self"
  case nothing = "none"
  case passThrough = "pass_through"
}

/// The keys of `hit`, of which it takes one.
enum HitKey: String, CaseIterable {
  case redirect, first
}

/// The keys of `[[access]]`.
enum AccessKey: String, CaseIterable {
  case path, users, groups
}

/// The words that `kind` in `[[gesture]]` takes.
enum GestureWord: String, CaseIterable {
  case tap, pan, swipe, pinch, rotation
  case longPress = "long_press"
  case edgePan = "edge_pan"

  /// The keys that only gestures of this kind take.
  var keys: [GestureKey] {
    switch self {
    case .tap, .longPress: [.taps, .slop, .duration, .interval, .distance, .gather]
    case .pan: [.slop, .direction]
    case .swipe: [.direction, .distance, .duration, .slop, .gather]
    case .pinch: [.slop]
    case .rotation: [.slopDegrees, .slop]
    case .edgePan: [.edge, .margin, .slop]
    }
  }
}

/// The keys of `[[gesture]]`.
enum GestureKey: String, CaseIterable {
  case view, screen, name, kind, touches, after, simultaneous, to, enabled, priority, feedback
  case level, secure
  case cancelsTouches = "cancels_touches"
  case delaysEnded = "delays_ended"
  case delaysBegan = "delays_began"
  case taps, slop, distance, direction, edge, margin
  case slopDegrees = "slop_degrees"
  case duration = "duration_ms"
  case interval = "interval_ms"
  case gather = "gather_ms"

  /// Those that gestures of all kinds take.
  static let common: [GestureKey] = [
    .view, .screen, .name, .kind, .touches, .after, .simultaneous, .to, .enabled, .priority,
    .cancelsTouches, .delaysEnded, .delaysBegan, .level, .secure, .feedback,
  ]
}

/// The keys of `[touch]`.
enum TouchKey: String, CaseIterable {
  case decisionTimeout = "decision_timeout_ms"
  case unresponsiveAfter = "unresponsive_after_ms"
  case holdLimit = "hold_limit_ms"
  case tapInterval = "tap_interval_ms"
  case tapDistance = "tap_distance"

  /// A setting and the values that it takes.
  enum Kind {
    case integer(WritableKeyPath<TouchSettings, Int>, ClosedRange<Int>)
    case number(WritableKeyPath<TouchSettings, Double>, ClosedRange<Double>)
  }

  /// What it sets.
  var kind: Kind {
    switch self {
    case .decisionTimeout: .integer(\.decisionTimeoutMilliseconds, 0...60_000)
    case .unresponsiveAfter: .integer(\.unresponsiveAfterMilliseconds, 100...3_600_000)
    case .holdLimit: .integer(\.holdLimitMilliseconds, 50...60_000)
    case .tapInterval: .integer(\.tapIntervalMilliseconds, 0...10_000)
    case .tapDistance: .number(\.tapDistance, 0...10_000)
    }
  }
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
  /// Every key as it is written.
  static var names: [String] { allCases.map(\.rawValue) }
}
