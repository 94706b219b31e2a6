import CLibinput
import Glibc
import TouchModel

/// Looks at every input device of the machine, for `touchroute list-devices`: without the daemon,
/// and as far as that goes without the permission to open them.
package enum DeviceProbe {
  /// A report on each device, in the order of their numbers. Nil for the matcher leaves out what
  /// the configuration says.
  package static func reports(matcher: DeviceMatcher?) throws(TouchInputError) -> [DeviceReport] {
    guard let udev = udev_new() else { throw TouchInputError("libudev can't be set up") }
    defer { udev_unref(udev) }
    let trial = try LibinputTrial(udev: udev)
    var reports = eventNodes(udev).compactMap { report($0, udev, matcher, trial) }
    let touchscreens = reports.filter(\.description.isTaggedTouchscreen).map(\.description)
    let readers = geteuid() == 0 ? NodeReaders() : nil
    for index in reports.indices {
      reports[index].discountSibling(of: touchscreens)
      reports[index].readers = readers?.of(reports[index].description.node)
    }
    return reports
  }

  private static func report(
    _ path: String, _ udev: OpaquePointer, _ matcher: DeviceMatcher?, _ trial: LibinputTrial
  ) -> DeviceReport? {
    guard let device = udev_device_new_from_syspath(udev, path) else { return nil }
    defer { udev_device_unref(device) }
    guard var description = DeviceDescription(udevDevice: device) else { return nil }
    let capabilities = DeviceCapabilities(udevDevice: device)
    let isKnown = udev_device_get_is_initialized(device) > 0
    let verdict = verdict(&description, capabilities, isKnown: isKnown, trial)
    var report = DeviceReport(description: description, verdict: verdict)
    if description.isTaggedTouchscreen, description.outputName == nil, let matcher {
      let assignment = matcher.assignment(of: description)
      report.assignment = assignment
      report.screen = matcher.screens[Int(assignment.mapping.screen.rawValue)].name
    }
    report.udevRule = udevRule(for: description, capabilities, verdict)
    return report
  }

  /// The rule that would make a touchscreen of it, as far as one can be offered.
  private static func udevRule(
    for description: DeviceDescription, _ capabilities: DeviceCapabilities,
    _ verdict: DeviceVerdict
  ) -> String? {
    switch verdict {
    case .mistaken: return UdevRule.line(for: description, capabilities)
    case .refused:
      if UdevRule.rivals.contains(where: description.hasTag) {
        return UdevRule.line(for: description, capabilities)
      }
      return AxisResolutions(node: description.node).flatMap {
        UdevRule.line(for: description, resolutions: $0)
      }
    case .touchscreen, .unreachable, .unknown, .output, .other: return nil
    }
  }

  private static func verdict(
    _ description: inout DeviceDescription, _ capabilities: DeviceCapabilities, isKnown: Bool,
    _ trial: LibinputTrial
  ) -> DeviceVerdict {
    if let name = description.outputName { return .output(name) }
    guard isKnown else { return .unknown }
    if description.isTaggedTouchscreen { return trial.verdict(&description) }
    guard capabilities.resemblesTouchscreen, !description.hasTag("ID_INPUT_TABLET_PAD"),
      !description.hasTag("ID_INPUT_JOYSTICK"), !description.hasTag("ID_INPUT_KEYBOARD")
    else { return .other(kind(of: description)) }
    return .mistaken(mistake(description, capabilities))
  }

  private static func mistake(
    _ description: DeviceDescription, _ capabilities: DeviceCapabilities
  ) -> String {
    if description.hasTag("ID_INPUT_TABLET") {
      let pen = capabilities.hasContacts ? "; a pen on it then no longer works as one" : ""
      return "it has a pen's keys, and so the tag of a tablet (ID_INPUT_TABLET)\(pen)"
    }
    if description.hasTag("ID_INPUT_MOUSE") {
      return capabilities.hasTouchKey
        ? "it has the tag of a mouse (ID_INPUT_MOUSE)"
        : "it reports BTN_LEFT instead of BTN_TOUCH, and so has the tag of a mouse (ID_INPUT_MOUSE)"
    }
    if description.hasTag("ID_INPUT_TOUCHPAD") {
      return "it has the tag of a touchpad (ID_INPUT_TOUCHPAD), as nothing says that it is on a "
        + "screen (INPUT_PROP_DIRECT)"
    }
    return "it reports places but neither BTN_TOUCH nor INPUT_PROP_DIRECT, and so has no tag at all"
  }

  /// What udev calls it.
  private static func kind(of description: DeviceDescription) -> String {
    let kinds = [
      ("ID_INPUT_KEYBOARD", "a keyboard"), ("ID_INPUT_TOUCHPAD", "a touchpad"),
      ("ID_INPUT_TABLET_PAD", "a tablet's buttons"), ("ID_INPUT_TABLET", "a pen"),
      ("ID_INPUT_MOUSE", "a mouse"), ("ID_INPUT_JOYSTICK", "a joystick"),
      ("ID_INPUT_ACCELEROMETER", "an accelerometer"), ("ID_INPUT_SWITCH", "a switch"),
      ("ID_INPUT_KEY", "keys"),
    ]
    return kinds.first { description.hasTag($0.0) }?.1 ?? "something without a tag of udev's"
  }

  /// The sysfs paths of all event nodes, in the order of their numbers.
  static func eventNodes(_ udev: OpaquePointer) -> [String] {
    guard let enumeration = udev_enumerate_new(udev) else { return [] }
    defer { udev_enumerate_unref(enumeration) }
    udev_enumerate_add_match_subsystem(enumeration, "input")
    udev_enumerate_add_match_sysname(enumeration, "event*")
    udev_enumerate_scan_devices(enumeration)
    var paths: [String] = []
    var entry = udev_enumerate_get_list_entry(enumeration)
    while let current = entry {
      if let path = udev_list_entry_get_name(current) { paths.append(String(cString: path)) }
      entry = udev_list_entry_get_next(current)
    }
    return paths.sorted { number($0) < number($1) }
  }

  private static func number(_ path: String) -> Int {
    let digits = path.reversed().prefix { $0.isNumber }
    return Int(String(digits.reversed())) ?? 0
  }
}
