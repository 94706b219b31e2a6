import Configuration
import Foundation
import Layout
import TestSupport
import Testing
import TouchModel

@Suite("Values")
struct ValueTests {
  private static let screen = "[screen.panel]\nsize = [800, 480]\n"

  private func parse(_ text: String) throws -> Configuration {
    try Configuration.parse([("t.toml", Self.screen + text)])
  }

  private func window(_ keys: String) throws -> ViewProperties {
    let windows = try parse("[[window]]\nname = \"home\"\n" + keys).layoutDescription.windows
    return try #require(windows.first).properties
  }

  @Test("Screens keep the order of the text, not that of their names")
  func screens() throws {
    let text =
      "[screen.zebra]\nsize = [1, 2.5]\n[screen]\npanel.size = [800, 480]\npanel.rotation = 270\n"
    let configuration = try Configuration.parse([("t.toml", text)])
    #expect(
      configuration.layoutDescription.screens == [
        Screen(name: "zebra", size: Size(width: 1, height: 2.5)),
        Screen(name: "panel", size: Size(width: 800, height: 480), rotation: .threeQuarters),
      ])
  }

  @Test("A window has the whole of the first screen unless it says otherwise")
  func windowDefaults() throws {
    let configuration = try parse("[[window]]\nname = \"home\"\n")
    let window = try #require(configuration.layoutDescription.windows.first)
    #expect(window.screen == ScreenIndex(0))
    #expect(window.level == 0)
    #expect(window.application == nil)
    let all = Length(points: 0, fraction: 1)
    let frame = FrameDescription(
      x: Length(points: 0), y: Length(points: 0), width: all, height: all)
    #expect(window.properties == ViewProperties(frame: frame))
  }

  @Test(
    "A length is a number, or a share with or without points",
    arguments: [
      ("7", Length(points: 7)), ("-1.5", Length(points: -1.5)),
      ("\"50%\"", Length(points: 0, fraction: 0.5)),
      ("\"100%-40\"", Length(points: -40, fraction: 1)),
      ("\"12.5% + 8.25\"", Length(points: 8.25, fraction: 0.125)),
      ("\"-10%\"", Length(points: 0, fraction: -0.1)),
    ])
  func lengths(_ text: String, _ expected: Length) throws {
    #expect(try window("frame = [\(text), 0, 0, 0]").frame.x == expected)
  }

  @Test("A transform scales first, then rotates clockwise, then translates (L2)")
  func transform() throws {
    let transform = try window(
      "transform = { translate = [10, 20], rotate = 90, scale = [2, 3] }"
    ).transform
    // (1, 0) is stretched to (2, 0), turned down to (0, 2), and moved.
    #expect(transform.apply(Point(x: 1, y: 0)) == Point(x: 10, y: 22))
    #expect(transform.apply(Point(x: 0, y: 1)) == Point(x: 7, y: 20))
    let turned = try window("transform = { rotate = 30 }").transform
    #expect(abs(turned.b - 0.5) < 1e-15)
    let problems = try #require(
      throws: ConfigurationError.self
    ) { try window("transform = { rotate = 1e300 }") }
    #expect(problems.description.contains("rotate must be an angle from -36000 to 36000 degrees"))
  }

  @Test(
    "An id has four digits each side, with zeros before those that are written",
    arguments: [
      ("416:38f", "0416:038f"), ("0416:038F", "0416:038f"), ("1:*", "0001:*"),
      ("4*:[0-9]?", "4*:00[0-9]?"), ("[!0]41?:0", "[!0]41?:0000"),
    ])
  func ids(_ text: String, _ expected: String) throws {
    let configuration = try parse("[[device]]\nmatch = { id = \"\(text)\" }\n")
    #expect(configuration.devices.first?.match.id == expected)
  }

  @Test(
    "A pattern may have brackets that are closed, also with a bracket in them, or escaped",
    arguments: ["Goodix[0-9]", "[]x]", "[!]]*", "[[:alpha:]-]", "a\\\\[b", "]", "[a\\\\]]"])
  func patterns(_ text: String) throws {
    let configuration = try parse("[[device]]\nmatch = { name = \"\(text)\" }\n")
    #expect(
      configuration.devices.first?.match.name == text.replacingOccurrences(of: "\\\\", with: "\\"))
  }

  @Test(
    "A device is mounted as its screen's panel unless it says otherwise, 0 included",
    arguments: [
      ("", nil), ("rotation = 0", Screen.Rotation.none), ("rotation = 270", .threeQuarters),
    ])
  func deviceRotation(_ text: String, _ expected: Screen.Rotation?) throws {
    #expect(try parse("[[device]]\n\(text)\n").devices.map(\.rotation) == [expected])
  }

  @Test("Merged, every kind of value is as it was, and names its file and line")
  func merged() throws {
    let directory = try TemporaryDirectory()
    let first = try directory.write(
      "first.toml",
      """
      screen."a.b" = { size = [800, 480.5] }
      [[device]]
      match = { name = 'a "\\\\" \t', properties = { "ID BUS" = "\\u00fc\\u0001", x = "*" } }
      grab = true
      [touch]
      tap_distance = 1e-7
      """)
    let second = try directory.write(
      "second.toml",
      """
      [touch]
      tap_interval_ms = 0x10
      [[device]]
      [device.match]
      id = "416:*"
      """)
    let text = try Configuration.merged(files: [first, second])
    let lines = text.split(separator: "\n").map { line in
      String(line).replacing(first, with: "1").replacing(second, with: "2")
        .replacing(#/ +#/#, with: " #").replacing(directory.path, with: "")
    }
    #expect(
      lines == [
        #"[screen."a.b"] # 1:1"#, "size = [800, 480.5] # 1:1", "[[device]] # 1:2",
        #"match = { name = "a \"\\\\\" \t", "#
          + #"properties = { "ID BUS" = "ü\u0001", x = "*" } } # 1:3"#,
        "grab = true # 1:4", "[[device]] # 2:3", #"match = { id = "416:*" } # 2:4"#,
        "[touch] # 1:5", "tap_distance = 1e-07 # 1:6", "tap_interval_ms = 16 # 2:2",
      ])
    let configuration = try Configuration.load(files: [first, second])
    let again = try Configuration.parse([("merged", text)])
    #expect(again.devices == configuration.devices && again.touch == configuration.touch)
    #expect(again.layoutDescription == configuration.layoutDescription)
  }

  @Test("A matrix is CGAffineTransform's: a, b, c, d, tx, ty")
  func matrix() throws {
    #expect(
      try window("transform = { matrix = [1, 2, 3, 4, 5, 6] }").transform
        == AffineTransform(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6))
  }

  @Test("Outsets are one number or four, in the order top, left, bottom, right (H3)")
  func outsets() throws {
    #expect(try window("outset = 10").outset == Outset(10))
    #expect(
      try window("outset = [1, -2, 3, 4.5]").outset
        == Outset(top: 1, left: -2, bottom: 3, right: 4.5))
  }

  @Test("The plain properties of a view are read (L2, L3)")
  func properties() throws {
    let text = """
      [[window]]
      name = "home"
      level = -3
      application = "dashboard"
      [[view]]
      path = "home/a"
      frame = [1, 2, 3, 4]
      bounds_origin = [5, 6]
      hidden = true
      alpha = 0.25
      interaction = false
      controller = "bar"
      multiple_touch = false
      exclusive_touch = true
      secure = true
      label = "Zurück: 1"
      """
    let layout = try parse(text).layoutDescription
    #expect(layout.windows.first?.level == -3)
    #expect(layout.windows.first?.application == "dashboard")
    var properties = ViewProperties(
      frame: FrameDescription(Rect(x: 1, y: 2, width: 3, height: 4)))
    properties.boundsOrigin = Point(x: 5, y: 6)
    properties.hidden = true
    properties.alpha = 0.25
    properties.interaction = false
    properties.controller = "bar"
    properties.multipleTouch = false
    properties.exclusiveTouch = true
    properties.secure = true
    properties.label = "Zurück: 1"
    #expect(layout.views == [LayoutDescription.View(path: "home/a", properties: properties)])
  }

  @Test("A device's rule holds its filters, each with its default where nothing else is said (N1)")
  func filters() throws {
    let devices = try parse(
      """
      [[device]]
      bridge_ms = 25
      min_contact_ms = 15
      smooth = "one_euro"
      one_euro_beta = 0.2
      max_speed = 20_000
      dead_zones = [[0, 0, 800, 6], [790, 0, 10, 480]]
      edge = 4.5
      ghosts = ["far_apart", "same_place"]
      stuck_ms = 60_000
      palm_size = 25
      [[device]]
      bridge_ms = 1
      bridge_distance = 5
      smooth = "median"
      stuck_ms = 1000
      stuck_distance = 2
      [[device]]
      smooth = "iir"
      palm_aspect = 2.5
      palm_pen = true
      bridge_ms = 0
      stuck_ms = 0
      max_speed = 0
      [[device]]
      smooth = "none"
      palm_size = 0
      palm_pen = false
      """
    ).devices.map(\.signal)
    var first = SignalSettings()
    first.bridge = .init(milliseconds: 25, distance: 20)
    first.minimumContactMilliseconds = 15
    first.smoothing = .oneEuro(minimumCutoff: 0.5, beta: 0.2)
    first.maximumSpeed = 20_000
    first.deadZones = [
      Rect(x: 0, y: 0, width: 800, height: 6), Rect(x: 790, y: 0, width: 10, height: 480),
    ]
    first.edge = 4.5
    first.ghosts = [.farApart, .samePlace]
    first.stuck = .init(milliseconds: 60_000, distance: 4)
    first.palm = .init(size: 25)
    var second = SignalSettings()
    second.bridge = .init(milliseconds: 1, distance: 5)
    second.smoothing = .median(depth: 3)
    second.stuck = .init(milliseconds: 1000, distance: 2)
    var third = SignalSettings()
    third.smoothing = .iir(weight: 0.6)
    third.palm = .init(aspect: 2.5, pen: true)
    #expect(devices == [first, second, third, SignalSettings()])
    #expect(devices[3].isOff)
    // To say that there is no filter is to say something of filters.
    let setting = try parse(
      "[[device]]\nsmooth = \"none\"\n[[device]]\ngrab = true\nwarn_drift = 3")
    #expect(setting.devices.map(\.setsFilters) == [true, false])
  }

  @Test("A device's rule says when it counts as ill, and refuses what it can't (N10)")
  func health() throws {
    let devices = try parse(
      """
      [[device]]
      warn_silent_ms = 0
      warn_held_ms = 10_000
      warn_rate_percent = 70
      warn_ghosts_per_minute = 1
      warn_drops_per_minute = 2
      warn_losses_per_hour = 3
      warn_drift = 4
      [[device]]
      """
    ).devices
    var first = HealthSettings()
    first.silentMilliseconds = 0
    first.heldMilliseconds = 10_000
    first.ratePercent = 70
    first.ghostsPerMinute = 1
    first.dropsPerMinute = 2
    first.lossesPerHour = 3
    first.driftPoints = 4
    #expect(devices.map(\.health) == [first, HealthSettings()])
    #expect(devices.filter { !$0.signal.isOff }.isEmpty)
    #expect(throws: ConfigurationError.self) {
      try parse("[[device]]\nwarn_rate_percent = 95")
    }
    #expect(throws: ConfigurationError.self) { try parse("[[device]]\nwarn_held_ms = -1") }
  }

  @Test("A device's rule holds its patterns, its screen and its mapping")
  func device() throws {
    let text = """
      [[device]]
      match = { name = "Goodix*", id = "0416:00AB", path = "/dev/input/by-path/*", phys = "usb-*", properties = { ID_BUS = "usb" } }
      screen = "panel"
      calibration = [1, 0, 0.25, 0, -1, 1]
      region = [0, 0, 400, 480]
      grab = true
      [[device]]
      ignore = true
      """
    let devices = try parse(text).devices
    let match = DeviceRule.Match(
      name: "Goodix*", id: "0416:00ab", path: "/dev/input/by-path/*", phys: "usb-*",
      properties: ["ID_BUS": "usb"])
    #expect(
      devices == [
        DeviceRule(
          match: match, screen: ScreenIndex(0), calibration: [1, 0, 0.25, 0, -1, 1],
          region: Rect(x: 0, y: 0, width: 400, height: 480), grab: true, setsFilters: false),
        DeviceRule(
          match: DeviceRule.Match(), screen: ScreenIndex(0), ignore: true, setsFilters: false),
      ])
  }

  @Test(
    "The shorthands invert first and swap then, as the kernel's properties do",
    arguments: [
      ("invert_x = true", [0.8, 0.7]), ("invert_y = true", [0.2, 0.3]),
      ("swap_xy = true", [0.7, 0.2]), ("swap_xy = true\ninvert_x = true", [0.7, 0.8]),
      ("swap_xy = true\ninvert_y = true", [0.3, 0.2]),
    ])
  func shorthands(_ keys: String, _ expected: [Float]) throws {
    let rule = try #require(try parse("[[device]]\n" + keys).devices.first)
    let m = try #require(rule.calibration)
    let (x, y): (Float, Float) = (0.2, 0.7)
    let mapped = [m[0] * x + m[1] * y + m[2], m[3] * x + m[4] * y + m[5]]
    #expect(zip(mapped, expected).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test("Shapes, inside and hit are read in all their forms (H4, H5, H6)")
  func overrides() throws {
    #expect(try window("shape = \"ellipse\"").shape == .ellipse)
    #expect(try window("shape = { radius = 12 }").shape == .rounded(radius: 12))
    let corners = [Point(x: 0, y: 0), Point(x: 4.5, y: 0), Point(x: 0, y: 4)]
    #expect(
      try window("shape = { polygon = [[0, 0], [4.5, 0], [0, 4]] }").shape == .polygon(corners))
    for (word, rule) in [
      ("bounds", InsideRule.bounds), ("always", .always), ("never", .never),
      ("children", .children([])),
    ] {
      #expect(try window("inside = \"\(word)\"").inside == rule)
    }
    for (word, rule) in [
      ("default", HitRule.standard), ("self", .itself), ("none", HitRule.none),
      ("pass_through", .passThrough),
    ] {
      #expect(try window("hit = \"\(word)\"").hit == rule)
    }
    let row = "[[view]]\npath = \"home/row\"\nframe = [0, 0, 1, 1]\n"
    #expect(
      try window("inside = { children = [\"row\"] }\n" + row).inside == .children(["row"]))
    #expect(try window("hit = { redirect = \"row\" }\n" + row).hit == .redirect("row"))
    #expect(try window("hit = { first = \"row\" }\n" + row).hit == .first("row"))
  }

  @Test("Settings of touches and limits are read")
  func settings() throws {
    let configuration = try parse(
      "[touch]\ntap_interval_ms = 500\ntap_distance = 60.5\n[limits]\nclients = 7\ndepth = 9")
    #expect(configuration.touch.tapIntervalMilliseconds == 500)
    #expect(configuration.touch.tapDistance == 60.5)
    #expect(configuration.limits.clients == 7)
    #expect(configuration.limits.layout.depth == 9)
  }

  @Test("A shorthand that is false leaves what udev says")
  func noShorthand() throws {
    #expect(try parse("[[device]]\ninvert_x = false").devices.first?.calibration == nil)
  }
}
