import Testing
import TouchModel

@testable import TouchInput

@Suite("Matching devices to rules")
struct DeviceMatcherTests {
  private let goodix = DeviceDescription(
    name: "Goodix Capacitive TouchScreen", bus: 24, vendor: 0x0416, product: 0x038f,
    node: "/dev/input/event3",
    links: ["/dev/input/by-path/platform-i2c-1-event", "/dev/input/touch0"], phys: "input/ts",
    properties: ["ID_INPUT": "1", "ID_INPUT_TOUCHSCREEN": "1", "ID_PATH": "platform-i2c-1"])

  private let screens = [
    Screen(name: "panel", size: Size(width: 800, height: 480)),
    Screen(name: "side", size: Size(width: 320, height: 240)),
  ]

  @Test(
    "each pattern is a shell's",
    arguments: [
      (DeviceRule.Match(), true),
      (DeviceRule.Match(name: "Goodix*"), true),
      (DeviceRule.Match(name: "Goodix"), false),
      (DeviceRule.Match(name: "goodix*"), false),
      (DeviceRule.Match(name: "[FG]ood?x*Screen"), true),
      (DeviceRule.Match(id: "0416:*"), true),
      (DeviceRule.Match(id: "0416:038F"), true),
      (DeviceRule.Match(id: "0417:*"), false),
      (DeviceRule.Match(path: "/dev/input/event3"), true),
      (DeviceRule.Match(path: "/dev/input/by-path/platform-*"), true),
      (DeviceRule.Match(path: "/dev/*"), true),
      (DeviceRule.Match(path: "/dev/input/event4"), false),
      (DeviceRule.Match(phys: "input/*"), true),
      (DeviceRule.Match(phys: "usb-*"), false),
      (DeviceRule.Match(properties: ["ID_PATH": "platform-*"]), true),
      (DeviceRule.Match(properties: ["ID_PATH": "platform-*", "ID_SERIAL": "*"]), false),
      (DeviceRule.Match(name: "Goodix*", id: "dead:*"), false),
    ])
  func patterns(_ match: DeviceRule.Match, _ expected: Bool) {
    #expect(DeviceMatcher.matches(match, goodix) == expected)
  }

  @Test("the first rule that matches decides, and all that it says is taken")
  func firstWins() {
    let region = Rect(x: 0, y: 0, width: 160, height: 240)
    let matcher = DeviceMatcher(
      rules: [
        DeviceRule(match: .init(name: "ELAN*"), screen: ScreenIndex(0), ignore: true),
        DeviceRule(
          match: .init(id: "0416:*"), screen: ScreenIndex(1), calibration: [-1, 0, 1, 0, 1, 0],
          rotation: .half, region: region, grab: true),
        DeviceRule(match: .init(), screen: ScreenIndex(0), ignore: true),
      ], screens: screens)
    let assignment = matcher.assignment(of: goodix)
    #expect(assignment.rule == 1)
    #expect(assignment.mapping.screen == ScreenIndex(1))
    #expect(assignment.mapping.region == region)
    #expect(
      assignment.mapping
        == DeviceMapping(
          index: ScreenIndex(1), screen: screens[1], rotation: .half, region: region))
    #expect(assignment.calibration == [-1, 0, 1, 0, 1, 0])
    #expect(assignment.grab)
    #expect(!assignment.ignore)
  }

  @Test("a touchscreen that no rule matches goes to the whole of the first screen")
  func noneMatches() {
    let matcher = DeviceMatcher(
      rules: [DeviceRule(match: .init(name: "ELAN*"), screen: ScreenIndex(1))], screens: screens)
    let assignment = matcher.assignment(of: goodix)
    #expect(assignment.rule == nil)
    #expect(assignment.mapping.screen == ScreenIndex(0))
    #expect(assignment.mapping.region == Rect(x: 0, y: 0, width: 800, height: 480))
    #expect(assignment.calibration == nil)
    #expect(!assignment.grab && !assignment.ignore)
  }

  @Test("what a touchscreen is known to need applies where the configuration names no filter (N13)")
  func known() {
    let panel = DeviceDescription(name: "ti-tsc", node: "/dev/input/event0")
    func assignment(
      _ rules: [DeviceRule], known: [KnownPanel] = KnownPanel.all
    ) -> DeviceAssignment {
      DeviceMatcher(rules: rules, screens: screens, known: known).assignment(of: panel)
    }
    var median = SignalSettings()
    median.smoothing = .median(depth: 3)
    let bare = assignment([])
    #expect(bare.signal == median)
    #expect(
      bare.sentence(screen: "panel").hasSuffix(
        "; filters: smooth, which it is known to need (github.com/beagleboard/linux issue 14, pull "
          + "request 122)"))
    // A rule without filters keeps them; one with any, though it be that there are none, does not.
    let match = DeviceRule.Match(name: "ti*")
    var plain = DeviceRule(match: match, screen: ScreenIndex(1), setsFilters: false)
    #expect(assignment([plain]).signal == median)
    #expect(assignment([plain]).mapping.screen == ScreenIndex(1))
    plain.setsFilters = true
    #expect(assignment([plain]).signal.isOff && assignment([plain]).knownFrom == nil)
    #expect(assignment([], known: []).signal.isOff)
  }

  @Test("each known touchscreen says where that is known from, and has a filter (N13)")
  func sources() {
    for panel in KnownPanel.all {
      #expect(!panel.signal.isOff && panel.source.contains("/"))
      #expect(panel.match != DeviceRule.Match())
    }
  }

  @Test("ids are four digits each")
  func ids() {
    let device = DeviceDescription(name: "x", vendor: 0xeef, product: 1, node: "/dev/input/event0")
    #expect(device.id == "0eef:0001")
  }

  @Test("a device's name can't forge a line of the log")
  func label() {
    let device = DeviceDescription(name: "x\ny\u{1b}[2J", node: "/dev/input/event0")
    #expect(device.label == "\"x\\u000ay\\u001b[2J\" (/dev/input/event0)")
  }
}
