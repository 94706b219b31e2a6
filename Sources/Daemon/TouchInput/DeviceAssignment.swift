package import TouchModel

/// What the configuration says of one device.
package struct DeviceAssignment: Equatable, Sendable {
  /// The `[[device]]` rule that matched first, from 0; nil where none did.
  package var rule: Int?
  /// Where its touches land.
  package var mapping: DeviceMapping
  /// libinput's calibration matrix; nil leaves udev's LIBINPUT_CALIBRATION_MATRIX.
  package var calibration: [Float]?
  /// Whether nobody else may read the device.
  package var grab: Bool
  /// Whether the device is left alone.
  package var ignore: Bool
  /// The filters of its signal. Rule N1.
  package var signal = SignalSettings()
  /// When it counts as ill. Rule N10.
  package var health = HealthSettings()
  /// Where it is known from that the device needs these filters; nil if the configuration names
  /// them. Rule N13.
  package var knownFrom: String?

  /// What becomes of the device, with the name of its mapping's screen.
  func sentence(screen: String) -> String {
    let by = rule.map { "by [[device]] number \($0 + 1)" } ?? "as no [[device]] matches it"
    if ignore { return "is ignored, \(by)" }
    let area = mapping.region
    let rect = "\(area.width) x \(area.height) points at (\(area.x), \(area.y))"
    return "maps to \(rect) of screen \"\(screen)\", \(by)\(grab ? ", and is grabbed" : "")"
      + (signal.isOff ? "" : "; filters: \(filters)")
      + (knownFrom.map { ", which it is known to need (\($0))" } ?? "")
  }

  /// The filters that are on, by their keys.
  private var filters: String {
    var keys: [String] = []
    if signal.bridge != nil { keys.append("bridge_ms") }
    if signal.minimumContactMilliseconds > 0 { keys.append("min_contact_ms") }
    if signal.smoothing != nil { keys.append("smooth") }
    if signal.maximumSpeed != nil { keys.append("max_speed") }
    if !signal.deadZones.isEmpty { keys.append("dead_zones") }
    if signal.edge > 0 { keys.append("edge") }
    if !signal.ghosts.isEmpty { keys.append("ghosts") }
    if signal.stuck != nil { keys.append("stuck_ms") }
    if signal.palm?.size != nil { keys.append("palm_size") }
    if signal.palm?.aspect != nil { keys.append("palm_aspect") }
    if signal.palm?.pen == true { keys.append("palm_pen") }
    return keys.joined(separator: ", ")
  }
}
