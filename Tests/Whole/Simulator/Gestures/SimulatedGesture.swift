import TestSupport

/// A recognizer of a random world, as its configuration says it. Rule G1.
struct SimulatedGesture {
  enum Kind: String, CaseIterable {
    case tap, pan, swipe, pinch, rotation
    case longPress = "long_press"
    case edgePan = "edge_pan"
  }

  var kind: Kind
  /// Its view; nil for the screen.
  var view: String?
  var name: String
  var fewest = 1
  var most = 1
  var taps = 1
  var slop = 10.0
  var slopDegrees = 10.0
  var duration = 750
  var interval = 350
  var distance = 45.0
  var gather = 150
  var margin = 20.0
  /// Of a pan an axis or `any`, of a swipe a direction, of an edge pan its edge.
  var way = ""
  var isEnabled = true
  var cancelsTouches = true
  var delaysEnded = true
  var delaysBegan = false
  var hasPriority = false
  var after: [String] = []
  var simultaneous: [String] = []
  var to: String?

  var path: String { (view ?? "screen:" + GestureWorld.screen) + "#" + name }

  /// Whether it is over with `recognized`. Rule G3.
  var isDiscrete: Bool { kind == .tap || kind == .swipe }

  /// Whether its fingers must come together. Rule G3.
  var gathers: Bool { kind == .tap || kind == .longPress || kind == .swipe }

  /// With the defaults of its kind.
  init(_ kind: Kind, view: String?, name: String) {
    self.kind = kind
    self.view = view
    self.name = name
    switch kind {
    case .pan: most = 10
    case .pinch, .rotation: (fewest, most) = (2, 10)
    case .longPress: (duration, taps) = (500, 0)
    case .swipe: (duration, distance) = (500, 50)
    case .tap: slop = 18
    case .edgePan: break
    }
    if kind == .pan { way = "any" }
  }

  /// One at random.
  static func random(
    view: String?, name: String, using generator: inout SeededGenerator
  ) -> SimulatedGesture {
    var gesture = SimulatedGesture(generator.pick(Kind.allCases), view: view, name: name)
    gesture.chooseNumbers(using: &generator)
    gesture.chooseFingers(using: &generator)
    switch gesture.kind {
    case .pan: gesture.way = generator.pick(["any", "horizontal", "vertical"])
    case .swipe: gesture.way = generator.pick(["left", "right", "up", "down"])
    case .edgePan: gesture.way = generator.pick(["left", "right", "top", "bottom"])
    default: break
    }
    // To have moved 0 points one way is to have moved 0 points the other way too.
    if !gesture.way.isEmpty, gesture.way != "any", gesture.slop == 0 { gesture.slop = 1 }
    gesture.isEnabled = !generator.oneIn(12)
    gesture.cancelsTouches = !generator.oneIn(3)
    gesture.delaysEnded = !generator.oneIn(3)
    gesture.delaysBegan = generator.oneIn(5)
    gesture.hasPriority = generator.oneIn(8)
    return gesture
  }

  private mutating func chooseNumbers(using generator: inout SeededGenerator) {
    if generator.oneIn(3) { slop = generator.pick([0, 3, 5, 10, 20, 40]) }
    if generator.oneIn(3) { slopDegrees = generator.pick([0, 5, 30]) }
    if generator.oneIn(3) { duration = generator.pick([0, 50, 100, 200, 400, 1000]) }
    if generator.oneIn(3) { interval = generator.pick([0, 50, 100, 200, 500]) }
    if generator.oneIn(3) { distance = generator.pick([0, 10, 20, 100]) }
    if generator.oneIn(3) { gather = generator.pick([0, 20, 50, 300]) }
    if generator.oneIn(3) { margin = generator.pick([0, 5, 50, 200]) }
    if kind == .tap { taps = generator.pick([1, 1, 2, 2, 3]) }
    if kind == .longPress { taps = generator.pick([0, 0, 0, 1, 2]) }
  }

  private mutating func chooseFingers(using generator: inout SeededGenerator) {
    guard generator.oneIn(2) else { return }
    fewest = generator.pick([1, 1, 2, 2, 3])
    most = fewest
    let isOpen = kind == .pan || kind == .pinch || kind == .rotation || kind == .edgePan
    if kind == .pinch || kind == .rotation { fewest = max(fewest, 2) }
    most = fewest + (isOpen ? generator.below(3) : 0)
  }

  /// What the configuration says of it.
  var toml: String {
    var lines = ["[[gesture]]"]
    lines.append(view.map { "view = \"\($0)\"" } ?? "screen = \"\(GestureWorld.screen)\"")
    lines += [
      "name = \"\(name)\"", "kind = \"\(kind.rawValue)\"", "touches = [\(fewest), \(most)]",
    ]
    switch kind {
    case .tap, .longPress:
      lines += [
        "taps = \(taps)", "interval_ms = \(interval)", "distance = \(distance)",
        "duration_ms = \(duration)", "gather_ms = \(gather)",
      ]
    case .swipe:
      lines += [
        "direction = \"\(way)\"", "distance = \(distance)", "duration_ms = \(duration)",
        "gather_ms = \(gather)",
      ]
    case .pan: lines.append("direction = \"\(way)\"")
    case .rotation: lines.append("slop_degrees = \(slopDegrees)")
    case .edgePan: lines += ["edge = \"\(way)\"", "margin = \(margin)"]
    case .pinch: break
    }
    lines += [
      "slop = \(slop)", "enabled = \(isEnabled)", "cancels_touches = \(cancelsTouches)",
      "delays_ended = \(delaysEnded)", "delays_began = \(delaysBegan)", "priority = \(hasPriority)",
    ]
    if !after.isEmpty { lines.append("after = \(after)") }
    if !simultaneous.isEmpty { lines.append("simultaneous = \(simultaneous)") }
    if let to { lines.append("to = \"\(to)\"") }
    return lines.joined(separator: "\n") + "\n"
  }
}
