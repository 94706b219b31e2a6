// The keys that the configuration takes, table by table. docs/configuration.md describes them in
// this order, and a test holds the two against each other.

/// The keys of the top level.
enum RootKey: String, CaseIterable {
  case screen, device, window, view, access, limits, touch
}

/// The keys of `[screen.NAME]`.
enum ScreenKey: String, CaseIterable {
  case size, rotation
}

/// The keys of `[[device]]`.
enum DeviceKey: String, CaseIterable {
  case match, screen, calibration, rotation, region, grab, ignore
  case invertX = "invert_x"
  case invertY = "invert_y"
  case swapXY = "swap_xy"
}

/// The keys of `match` in `[[device]]`.
enum MatchKey: String, CaseIterable {
  case name, id, path, phys, properties
}

/// The keys that only `[[window]]` takes.
enum WindowKey: String, CaseIterable {
  case name, screen, level, application, resizable
}

/// The keys that only `[[view]]` takes.
enum ViewKey: String, CaseIterable {
  case path
}

/// The keys that windows and views take.
enum PropertyKey: String, CaseIterable {
  case frame, hidden, alpha, interaction, controller, transform, outset, shape, inside, hit, secure
  case boundsOrigin = "bounds_origin"
  case multipleTouch = "multiple_touch"
  case exclusiveTouch = "exclusive_touch"
}

/// The keys of `transform`.
enum TransformKey: String, CaseIterable {
  case rotate, scale, translate, matrix
}

/// The keys of `[[access]]`.
enum AccessKey: String, CaseIterable {
  case path, users, groups
}

/// The keys of `[touch]`.
enum TouchKey: String, CaseIterable {
  case decisionTimeout = "decision_timeout_ms"
  case unresponsiveAfter = "unresponsive_after_ms"
  case tapInterval = "tap_interval_ms"
  case tapDistance = "tap_distance"
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
  /// Every key as it is written.
  static var names: [String] { allCases.map(\.rawValue) }
}
