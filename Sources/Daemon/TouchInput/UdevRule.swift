/// Rules of udev's that make touchscreens of devices that udev takes for something else.
enum UdevRule {
  /// After 60-input-id.rules, whose tags are to be corrected.
  static let fileName = "61-touchroute.rules"

  /// The tags of libinput's other device types, which win over the touchscreen's.
  static let rivals = [
    "ID_INPUT_MOUSE", "ID_INPUT_TABLET", "ID_INPUT_TABLET_PAD", "ID_INPUT_TOUCHPAD",
    "ID_INPUT_JOYSTICK", "ID_INPUT_POINTINGSTICK",
  ]

  /// The line for a device. It is about inputN as much as about eventN, as libinput looks at the
  /// tags of both.
  static func line(
    for device: DeviceDescription, _ capabilities: DeviceCapabilities
  ) -> String {
    var parts = conditions(device)
    parts += rivals.filter(device.hasTag).map { "ENV{\($0)}=\"\"" }
    parts += ["ENV{ID_INPUT}=\"1\"", "ENV{ID_INPUT_TOUCHSCREEN}=\"1\""]
    if !capabilities.hasContacts, capabilities.hasLeftButtonAlone {
      // The first button of the HID page of buttons; libinput knows one finger by BTN_TOUCH alone.
      parts += ["ENV{KEYBOARD_KEY_90001}=\"btn_touch\"", "RUN{builtin}+=\"keyboard\""]
    }
    return parts.joined(separator: ", ")
  }

  /// The line for a touchscreen of which x or y lacks its resolution: both get the one that is
  /// known, by udev's builtin `keyboard`. Nil where neither lacks it alone.
  static func line(for device: DeviceDescription, resolutions: AxisResolutions) -> String? {
    let corrections = resolutions.corrections
    guard !corrections.isEmpty else { return nil }
    let parts =
      conditions(device) + ["KERNEL==\"event*\""]
      + corrections.map { code, resolution in
        "ENV{EVDEV_ABS_\(digits(code))}=\"::\(resolution)\""
      } + ["RUN{builtin}+=\"keyboard\""]
    return parts.joined(separator: ", ")
  }

  private static func conditions(_ device: DeviceDescription) -> [String] {
    [
      "ACTION!=\"remove\"", "SUBSYSTEM==\"input\"", "ATTRS{name}==\"\(pattern(device.name))\"",
      "ATTRS{id/vendor}==\"\(DeviceDescription.hexadecimal(device.vendor))\"",
      "ATTRS{id/product}==\"\(DeviceDescription.hexadecimal(device.product))\"",
    ]
  }

  /// An axis' number as the builtin wants it: two digits, in hexadecimal.
  private static func digits(_ code: Int32) -> String {
    (code < 16 ? "0" : "") + String(code, radix: 16)
  }

  /// The name as a pattern of udev's, in ASCII: what could mean something else becomes `?`.
  private static func pattern(_ name: String) -> String {
    var pattern = ""
    for scalar in name.unicodeScalars {
      guard scalar.isASCII, scalar.value >= 0x20, !"\"\\*?[]|$%".unicodeScalars.contains(scalar)
      else {
        // A character of several bytes is several to udev.
        pattern += scalar.isASCII ? "?" : "*"
        continue
      }
      pattern.unicodeScalars.append(scalar)
    }
    return pattern
  }
}
