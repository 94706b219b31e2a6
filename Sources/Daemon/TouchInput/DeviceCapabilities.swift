import CLibinput
import CLinux

/// What a device can report, from sysfs, without opening it; and what follows for whether it is a
/// touchscreen, whatever udev says.
struct DeviceCapabilities: Equatable {
  var properties: Set<Int> = []
  var keys: Set<Int> = []
  var relative: Set<Int> = []
  var absolute: Set<Int> = []

  init() {}

  /// Of an event node's udev_device, which stays the caller's.
  init(udevDevice device: OpaquePointer) {
    let parent = udev_device_get_parent_with_subsystem_devtype(device, "input", nil)
    func bits(_ attribute: String) -> Set<Int> {
      udev_device_get_sysattr_value(parent, attribute)
        .map { Self.bits(String(cString: $0)) } ?? []
    }
    properties = bits("properties")
    keys = bits("capabilities/key")
    relative = bits("capabilities/rel")
    absolute = bits("capabilities/abs")
  }

  /// The numbers of the bits set in sysfs' notation: the kernel's words in hexadecimal, the highest
  /// first, parted by blanks.
  static func bits(_ text: String) -> Set<Int> {
    var bits: Set<Int> = []
    for (index, word) in text.split(whereSeparator: \.isWhitespace).reversed().enumerated() {
      guard let value = UInt64(word, radix: 16) else { return [] }
      for bit in 0..<64 where value & (1 << UInt64(bit)) != 0 { bits.insert(index * 64 + bit) }
    }
    return bits
  }

  var hasContacts: Bool {
    absolute.contains(Int(ABS_MT_POSITION_X)) && absolute.contains(Int(ABS_MT_POSITION_Y))
  }

  var hasPlace: Bool {
    hasContacts || (absolute.contains(Int(ABS_X)) && absolute.contains(Int(ABS_Y)))
  }

  var hasTouchKey: Bool { keys.contains(Int(BTN_TOUCH)) }

  /// Whether a finger shows as the left button of a mouse and in no other way.
  var hasLeftButtonAlone: Bool { keys.contains(Int(BTN_LEFT)) && !hasTouchKey }

  /// Whether it reports a pen and no fingers: BTN_STYLUS, or BTN_TOOL_PEN with what pens measure.
  /// BTN_TOOL_PEN alone some old touch controllers have.
  var isPen: Bool {
    guard !hasContacts else { return false }
    if keys.contains(Int(BTN_STYLUS)) { return true }
    let measures = [ABS_PRESSURE, ABS_DISTANCE, ABS_TILT_X]
    return keys.contains(Int(BTN_TOOL_PEN))
      && (keys.contains(Int(BTN_TOOL_RUBBER)) || measures.contains { absolute.contains(Int($0)) })
  }

  /// Whether it may well be a touchscreen. A touchpad points, a virtual machine's pointer has a
  /// wheel, a mouse moves by steps.
  var resemblesTouchscreen: Bool {
    guard hasPlace, !isPen, !properties.contains(Int(INPUT_PROP_POINTER)),
      !properties.contains(Int(INPUT_PROP_ACCELEROMETER)), !relative.contains(Int(REL_X)),
      !relative.contains(Int(REL_WHEEL))
    else { return false }
    return hasContacts || hasTouchKey || properties.contains(Int(INPUT_PROP_DIRECT))
      || hasLeftButtonAlone
  }
}
