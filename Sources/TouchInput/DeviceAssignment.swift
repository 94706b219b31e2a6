/// What the configuration says of one device.
public struct DeviceAssignment: Equatable, Sendable {
  /// The `[[device]]` rule that matched first, from 0; nil where none did.
  public var rule: Int?
  /// Where its touches land.
  public var mapping: DeviceMapping
  /// libinput's calibration matrix; nil leaves udev's LIBINPUT_CALIBRATION_MATRIX.
  public var calibration: [Float]?
  /// Whether nobody else may read the device.
  public var grab: Bool
  /// Whether the device is left alone.
  public var ignore: Bool
}
