import CLibevdev
import Glibc

/// What an input device says of itself.
package struct EvdevSheet: Equatable, Sendable {
  /// The range of an axis, in the device's units.
  package struct Axis: Equatable, Sendable {
    var minimum: Int32
    var maximum: Int32
    var fuzz: Int32
    var flat: Int32
    /// Units a millimetre; 0 where the device does not say.
    var resolution: Int32

    /// From one end to the other: more than an Int32 holds, at the most.
    fileprivate var length: Int { Int(maximum) - Int(minimum) }

    /// An axis of that range.
    package init(
      minimum: Int32, maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0
    ) {
      self.minimum = minimum
      self.maximum = maximum
      self.fuzz = fuzz
      self.flat = flat
      self.resolution = resolution
    }
  }

  /// The name, as the kernel has it.
  package var name: String
  /// Bus, vendor, product and version.
  package var ids: [UInt16]
  /// The codes of each type of events.
  package var codes: [UInt16: [UInt16]]
  /// The absolute axes, by their codes.
  package var axes: [UInt16: Axis]
  /// The input properties, such as INPUT_PROP_DIRECT.
  package var properties: [UInt16]

  /// A sheet with that on it.
  package init(
    name: String, ids: [UInt16], codes: [UInt16: [UInt16]], axes: [UInt16: Axis],
    properties: [UInt16]
  ) {
    self.name = name
    self.ids = ids
    self.codes = codes
    self.axes = axes
    self.properties = properties
  }

  /// What libevdev knows of a device, which stays the caller's.
  init(_ device: OpaquePointer) {
    name = libevdev_get_name(device).map { String(cString: $0) } ?? ""
    ids = [
      libevdev_get_id_bustype(device), libevdev_get_id_vendor(device),
      libevdev_get_id_product(device), libevdev_get_id_version(device),
    ].map { UInt16(truncatingIfNeeded: $0) }
    codes = [:]
    axes = [:]
    for type in 0..<UInt32(EV_CNT) where libevdev_has_event_type(device, type) != 0 {
      let last = libevdev_event_type_get_max(type)
      guard last >= 0 else { continue }
      codes[UInt16(type)] = (0...UInt32(last))
        .filter { libevdev_has_event_code(device, type, $0) != 0 }.map { UInt16($0) }
    }
    for code in codes[UInt16(EV_ABS)] ?? [] {
      guard let info = libevdev_get_abs_info(device, UInt32(code))?.pointee else { continue }
      axes[code] = Axis(
        minimum: info.minimum, maximum: info.maximum, fuzz: info.fuzz, flat: info.flat,
        resolution: info.resolution)
    }
    properties = (0..<UInt32(INPUT_PROP_CNT))
      .filter { libevdev_has_property(device, $0) != 0 }.map { UInt16($0) }
  }

  /// The size in millimetres, where both axes have a resolution.
  var size: (width: Int, height: Int)? {
    guard let x = axes[UInt16(ABS_MT_POSITION_X)] ?? axes[UInt16(ABS_X)],
      let y = axes[UInt16(ABS_MT_POSITION_Y)] ?? axes[UInt16(ABS_Y)], x.resolution > 0,
      y.resolution > 0
    else { return nil }
    return (x.length / Int(x.resolution), y.length / Int(y.resolution))
  }
}
