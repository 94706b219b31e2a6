import Layout
import TestSupport
import TouchInput
import TouchModel

/// The `[[device]]` rules of a world's configuration, and what they mean for each touchscreen.
struct SimulatedMountings {
  /// A rule, and the touchscreens that it matches.
  struct Rule {
    let rule: DeviceRule
    let devices: Set<Int>
  }

  let rules: [Rule]
  let screens: [Screen]

  /// The rules as the daemon has them.
  var matcher: DeviceMatcher { DeviceMatcher(rules: rules.map(\.rule), screens: screens) }

  /// A touchscreen as udev tells of it.
  static func description(of device: Int) -> DeviceDescription {
    DeviceDescription(
      name: "Panel \(device)", bus: 3, vendor: 0x1a2b, product: UInt16(0xc0 + device),
      node: "/dev/input/event\(device)", links: ["/dev/input/by-path/usb-\(device)-event"],
      phys: "usb-\(device)/input0")
  }

  /// The first rule that matches a touchscreen decides; one that none matches has all of the first
  /// screen.
  func mounting(of device: Int) -> OracleMounting {
    let rule = rules.first { $0.devices.contains(device) }?.rule
    let index = rule?.screen ?? ScreenIndex(0)
    let screen = screens[Int(index.rawValue)]
    return OracleMounting(
      screen: index, rotation: rule?.rotation ?? screen.rotation,
      region: rule?.region ?? Rect(x: 0, y: 0, width: screen.size.width, height: screen.size.height)
    )
  }

  /// At random, for those screens. The third touchscreen mostly has the second one.
  static func random(
    on screens: [Screen], using generator: inout SeededGenerator
  ) -> SimulatedMountings {
    var rules: [Rule] = []
    for device in 0..<Step.devices where generator.oneIn(2) {
      let screen = device == 2 ? !generator.oneIn(5) : generator.oneIn(5)
      rules.append(rule(device, screens, screen ? 1 : 0, using: &generator))
    }
    if !generator.oneIn(5) {
      let rule = DeviceRule(match: .init(id: "1a2b:00c2"), screen: ScreenIndex(1))
      rules.append(Rule(rule: rule, devices: [2]))
    }
    return SimulatedMountings(rules: rules, screens: screens)
  }

  private static func rule(
    _ device: Int, _ screens: [Screen], _ screen: Int, using generator: inout SeededGenerator
  ) -> Rule {
    let (match, devices) = match(device, using: &generator)
    let rotations: [Screen.Rotation?] = [nil] + Screen.Rotation.allCases
    var region: Rect?
    if generator.oneIn(2) {
      let size = screens[screen].size
      let (x, y) = (generator.below(60), generator.below(30))
      region = Rect(
        x: Double(x), y: Double(y), width: Double(40 + generator.below(Int(size.width) - 40 - x)),
        height: Double(20 + generator.below(Int(size.height) - 20 - y)))
    }
    let rule = DeviceRule(
      match: match, screen: ScreenIndex(Int32(screen)),
      rotation: rotations[generator.below(rotations.count)], region: region)
    return Rule(rule: rule, devices: devices)
  }

  private static func match(
    _ device: Int, using generator: inout SeededGenerator
  ) -> (DeviceRule.Match, Set<Int>) {
    switch generator.below(8) {
    case 0: (.init(name: "Panel [0\(device)]"), [0, device])
    case 1: (.init(name: "Panel *", phys: "usb-\(device)/*"), [device])
    case 2: (.init(id: "1A2B:00c\(device)"), [device])
    case 3: (.init(path: "/dev/input/by-path/usb-\(device)-*"), [device])
    case 4: (.init(name: "panel*"), [])
    default: (.init(name: "Panel \(device)"), [device])
    }
  }
}
