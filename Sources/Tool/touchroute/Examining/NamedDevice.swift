import TouchInput
import TouchModel

/// Finds the input device that a person means by its node, a link to it, its name, or its vendor
/// and product.
enum NamedDevice {
  /// What the argument is, for `--help`.
  static let help =
    "The touchscreen: its node, its name, or its vendor and product. By default the only one."

  /// A touchscreen that libinput reads.
  ///
  /// - Parameter name: Nil for the only one.
  static func touchscreen(_ name: String?, _ matcher: DeviceMatcher?) throws(Failure)
    -> DeviceDescription
  {
    try only(name, reports(matcher).filter(\.isTouchscreen)).description
  }

  /// A touchscreen, even one that libinput refuses or that udev takes for something else.
  static func anyTouchscreen(_ name: String) throws(Failure) -> DeviceReport {
    let reports = try reports(nil)
    if let report = reports.first(where: { matches($0.description, name) }),
      case .other(let kind) = report.verdict
    {
      throw Failure(
        "\(report.description.node) is \(kind): only touchscreens are recorded; libinput record "
          + "records other devices")
    }
    return try only(
      name,
      reports.filter {
        if case .other = $0.verdict { false } else { true }
      })
  }

  /// What list-devices knows of all devices.
  static func reports(_ matcher: DeviceMatcher?) throws(Failure) -> [DeviceReport] {
    do throws(TouchInputError) { return try DeviceProbe.reports(matcher: matcher) } catch {
      throw Failure(error.description)
    }
  }

  private static func only(
    _ name: String?, _ reports: [DeviceReport]
  ) throws(Failure) -> DeviceReport {
    let found = reports.filter { report in name.map { matches(report.description, $0) } ?? true }
    guard let device = found.first else {
      throw Failure(
        name.map { "there is no touchscreen \"\($0)\": touchroute list-devices shows them" }
          ?? "there is no touchscreen: touchroute list-devices says why")
    }
    guard found.count == 1 else {
      let nodes = found.map(\.description.node).joined(separator: ", ")
      throw Failure("several touchscreens match: name one of \(nodes)")
    }
    return device
  }

  private static func matches(_ device: DeviceDescription, _ name: String) -> Bool {
    device.node == name || device.links.contains(name) || device.name == name
      || device.id == name.lowercased()
  }
}
