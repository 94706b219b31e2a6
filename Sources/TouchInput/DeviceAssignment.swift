import TouchModel

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

  /// What becomes of the device, with the name of its mapping's screen.
  func sentence(screen: String) -> String {
    let by = rule.map { "by [[device]] number \($0 + 1)" } ?? "as no [[device]] matches it"
    if ignore { return "is ignored, \(by)" }
    let area = mapping.region
    let rect = "\(area.width) x \(area.height) points at (\(area.x), \(area.y))"
    return "maps to \(rect) of screen \"\(screen)\", \(by)\(grab ? ", and is grabbed" : "")"
  }
}
