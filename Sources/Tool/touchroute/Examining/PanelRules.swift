import Configuration
import Layout
import TouchInput
import TouchModel

/// What the configuration says of touchscreens that are examined.
struct PanelRules {
  /// The device rules, without their filters: a device is examined as it is.
  let matcher: DeviceMatcher
  /// The main file; nil where there is none.
  private let path: String?

  /// A touchscreen with what is said of it.
  struct Panel {
    var description: DeviceDescription
    var region: Rect
    var screen: Screen
  }

  /// - Parameter size: The size of the one screen, instead of a configuration.
  init(_ option: ConfigurationOption, size: Size?) throws(Failure) {
    if let size {
      path = nil
      matcher = DeviceMatcher(
        rules: [], screens: [Screen(name: "screen", size: size)])
      return
    }
    let configuration: Configuration
    do throws(Failure) { configuration = try option.load() } catch {
      guard option.path == nil else { throw error }
      throw Failure(
        "\(Configuration.defaultPath) is missing or not valid, so the size of the screen is not "
          + "known: give it by --size, such as --size 800x480")
    }
    path = option.path ?? Configuration.defaultPath
    let rules = configuration.devices.map { rule in
      var rule = rule
      rule.signal = SignalSettings()
      rule.grab = false
      rule.ignore = false
      return rule
    }
    matcher = DeviceMatcher(rules: rules, screens: configuration.layout.screens)
  }

  /// What is said of a touchscreen.
  func panel(_ description: DeviceDescription) -> Panel {
    let mapping = matcher.assignment(of: description).mapping
    return Panel(
      description: description, region: mapping.region,
      screen: matcher.screens[Int(mapping.screen.rawValue)])
  }

  /// Writes a proposal into conf.d. Returns the file's path.
  func save(_ lines: [String], for device: DeviceDescription) throws(Failure) -> String {
    guard let path else { throw Failure("--write needs a configuration") }
    if let rule = matcher.assignment(of: device).rule {
      throw Failure(
        "not written: [[device]] number \(rule + 1) of the configuration matches the touchscreen "
          + "already, and only the first one counts: add the lines to it")
    }
    let file = DeviceRuleFile(of: device, by: "doctor", beside: path)
    try file.write(["# Proposed by touchroute doctor."] + lines)
    return file.path
  }
}
