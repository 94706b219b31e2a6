import CLibevdev

/// What a kernel device says of itself: all that is needed to make a virtual one alike.
package struct DeviceSheet: Equatable, Sendable {
  /// The range of an absolute axis.
  package struct Axis: Equatable, Sendable {
    /// The least value.
    package var minimum: Int32
    /// The greatest value.
    package var maximum: Int32
    /// The change that the kernel takes for noise.
    package var fuzz: Int32
    /// The value around the middle that counts as rest.
    package var flat: Int32
    /// Units a millimetre; 0 where the device does not say.
    package var resolution: Int32

    /// An axis of that range.
    package init(
      _ minimum: Int32, _ maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0
    ) {
      self.minimum = minimum
      self.maximum = maximum
      self.fuzz = fuzz
      self.flat = flat
      self.resolution = resolution
    }
  }

  /// The name, any bytes but NUL.
  package var name: [UInt8]
  /// The bus, vendor, product and version.
  package var ids: [UInt16]
  /// The physical path; nil for none.
  package var phys: String?
  /// INPUT_PROP_DIRECT and so on.
  package var properties: Set<UInt32>
  /// The codes of each type, EV_ABS and EV_SYN left out.
  package var codes: [UInt16: Set<UInt16>]
  /// The absolute axes, by their codes.
  package var axes: [UInt16: Axis]

  /// A device that can do nothing yet.
  package init(name: String, ids: [UInt16] = [3, 0, 0, 0], phys: String? = nil) {
    self.name = Array(name.utf8)
    self.ids = ids
    self.phys = phys
    properties = []
    codes = [:]
    axes = [:]
  }

  /// A touchscreen of protocol B, with a key for touching and the old axes beside the new, as all
  /// drivers have them.
  package static func multitouch(
    name: String, ids: [UInt16] = [3, 0x1234, 0x5678, 1], slots: Int32 = 10,
    width: Int32 = 4096, height: Int32 = 4096
  ) -> DeviceSheet {
    var sheet = singleTouch(name: name, ids: ids, width: width, height: height)
    sheet.axes[UInt16(ABS_MT_SLOT)] = Axis(0, slots - 1)
    sheet.axes[UInt16(ABS_MT_TRACKING_ID)] = Axis(0, 65535)
    sheet.axes[UInt16(ABS_MT_POSITION_X)] = Axis(0, width - 1)
    sheet.axes[UInt16(ABS_MT_POSITION_Y)] = Axis(0, height - 1)
    return sheet
  }

  /// A touchscreen that knows one finger.
  package static func singleTouch(
    name: String, ids: [UInt16] = [3, 0x1234, 0x5679, 1], width: Int32 = 4096,
    height: Int32 = 4096
  ) -> DeviceSheet {
    var sheet = DeviceSheet(name: name, ids: ids)
    sheet.properties = [UInt32(INPUT_PROP_DIRECT)]
    sheet.codes[UInt16(EV_KEY)] = [UInt16(BTN_TOUCH)]
    sheet.axes[UInt16(ABS_X)] = Axis(0, width - 1)
    sheet.axes[UInt16(ABS_Y)] = Axis(0, height - 1)
    return sheet
  }

  /// A mouse.
  package static func mouse(name: String) -> DeviceSheet {
    var sheet = DeviceSheet(name: name, ids: [3, 0x1234, 0x567a, 1])
    sheet.codes[UInt16(EV_KEY)] = [UInt16(BTN_LEFT), UInt16(BTN_RIGHT)]
    sheet.codes[UInt16(EV_REL)] = [UInt16(REL_X), UInt16(REL_Y)]
    return sheet
  }

  /// Whether it has slots, and contacts can be told apart.
  package var isProtocolB: Bool { axes[UInt16(ABS_MT_SLOT)] != nil }

  /// Whether it names every contact anew in each frame: the kernel's multitouch protocol A.
  package var isProtocolA: Bool { !isProtocolB && axes[UInt16(ABS_MT_POSITION_X)] != nil }

  /// The width and height in units: those of the contacts' axes, or of the single finger's.
  package var units: (x: Axis, y: Axis)? {
    let contact = (axes[UInt16(ABS_MT_POSITION_X)], axes[UInt16(ABS_MT_POSITION_Y)])
    let finger = (axes[UInt16(ABS_X)], axes[UInt16(ABS_Y)])
    guard let x = contact.0 ?? finger.0, let y = contact.1 ?? finger.1 else { return nil }
    return (x, y)
  }
}
