import CLinux
package import TouchModel

/// The `[[device]]` rules of the configuration: the first that matches a device decides.
package struct DeviceMatcher: Equatable, Sendable {
  /// The rules, in the order of the configuration.
  package var rules: [DeviceRule]
  /// The screens that the rules name.
  package var screens: [Screen]
  private let known: [KnownPanel]

  /// The matcher of those rules. There must be a screen, and every rule's must exist.
  ///
  /// - Parameter known: The touchscreens that are known to need filters; none to see devices as
  ///   they are.
  package init(
    rules: [DeviceRule], screens: [Screen], known: [KnownPanel] = KnownPanel.all
  ) {
    precondition(!screens.isEmpty, "a configuration without a screen")
    for rule in rules {
      precondition(screens.indices.contains(Int(rule.screen.rawValue)), "a rule without a screen")
    }
    self.rules = rules
    self.known = known
    self.screens = screens
  }

  /// What the configuration says of the device; one that no rule matches goes to the first screen.
  package func assignment(of device: DeviceDescription) -> DeviceAssignment {
    let index = rules.firstIndex { Self.matches($0.match, device) }
    let rule = index.map { rules[$0] }
    let screen = rule?.screen ?? ScreenIndex(0)
    let needed = rule?.setsFilters == true ? nil : known.first { Self.matches($0.match, device) }
    return DeviceAssignment(
      rule: index,
      mapping: DeviceMapping(
        index: screen, screen: screens[Int(screen.rawValue)], rotation: rule?.rotation,
        region: rule?.region),
      calibration: rule?.calibration, grab: rule?.grab ?? false, ignore: rule?.ignore ?? false,
      signal: needed?.signal ?? rule?.signal ?? SignalSettings(),
      health: rule?.health ?? HealthSettings(), knownFrom: needed?.source)
  }

  /// Whether every pattern that is given matches. Ids match in either case.
  package static func matches(_ match: DeviceRule.Match, _ device: DeviceDescription) -> Bool {
    if let name = match.name, !matches(name, device.name) { return false }
    if let id = match.id, !matches(id.lowercased(), device.id) { return false }
    if let phys = match.phys, !matches(phys, device.phys) { return false }
    if let path = match.path {
      let isAny = matches(path, device.node) || device.links.contains { matches(path, $0) }
      guard isAny else { return false }
    }
    return match.properties.allSatisfy { name, pattern in
      device.properties[name].map { matches(pattern, $0) } ?? false
    }
  }

  /// The corresponding C function is fnmatch, without flags.
  private static func matches(_ pattern: String, _ text: String) -> Bool {
    clinux_pattern_matches(pattern, text) != 0
  }
}
