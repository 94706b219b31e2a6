import Layout
import TestSupport
import TouchModel

/// Draws small layouts, and properties of their views, of which many lie over each other. Every
/// property that says where a view takes touches is drawn.
enum CoverScene {
  static func make(_ random: inout SeededGenerator) -> LayoutDescription {
    var description = LayoutDescription(screens: [
      Screen(name: "a", size: Size(width: 100, height: 80)),
      Screen(name: "b", size: Size(width: 50, height: 50)),
    ])
    let density = random.pick([0.05, 0.15, 0.3])
    for number in 0..<random.pick([1, 1, 2, 3]) {
      var root = properties(&random, density)
      if random.chance(0.7) { root.frame = FrameDescription(Rect(0, 0, 100, 80)) }
      description.windows.append(
        LayoutDescription.Window(
          name: "w\(number)", screen: ScreenIndex(random.chance(0.9) ? 0 : 1),
          level: random.pick([0, 0, 0, 1]), application: random.chance(0.3) ? "app" : nil,
          properties: root))
    }
    for number in 0..<random.pick([2, 3, 4, 5, 8]) {
      let superviews = description.windows.map(\.name) + description.views.map(\.path)
      description.views.append(
        LayoutDescription.View(
          path: random.pick(superviews) + "/v\(number)", properties: properties(&random, density)))
    }
    for index in description.views.indices {
      addRules(to: index, of: &description, density, &random)
    }
    for index in description.windows.indices {
      let below = below(description.windows[index].name, in: description)
      if random.chance(density) { description.windows[index].properties.hit = hit(below, &random) }
      if random.chance(density) {
        description.windows[index].properties.inside = inside(below, &random)
      }
    }
    description.views[random.below(description.views.count)].properties.secure = true
    return description
  }

  private static func addRules(
    to index: Int, of description: inout LayoutDescription, _ density: Double,
    _ random: inout SeededGenerator
  ) {
    let below = below(description.views[index].path, in: description)
    if random.chance(density) { description.views[index].properties.hit = hit(below, &random) }
    if random.chance(density) {
      description.views[index].properties.inside = inside(below, &random)
    }
    description.views[index].properties.secure = random.chance(density / 4)
  }

  private static func below(_ path: String, in description: LayoutDescription) -> [String] {
    description.views.map(\.path).filter { $0.hasPrefix(path + "/") }.map {
      String($0.dropFirst(path.utf8.count + 1))
    }
  }

  /// A configuration that was edited: one view, or one window, has another property.
  static func change(_ description: inout LayoutDescription, _ random: inout SeededGenerator) {
    let views = description.views.count
    let index = random.below(views + description.windows.count)
    let path =
      index < views ? description.views[index].path : description.windows[index - views].name
    let property = property(isWindow: true, below(path, in: description), &random)
    if index < views {
      description.views[index].properties.take(property)
    } else if case .level(let level) = property {
      description.windows[index - views].level = level
    } else {
      description.windows[index - views].properties.take(property)
    }
  }

  /// A property that a program sets. `below` are the paths of what lies in the view, in it.
  static func property(
    isWindow: Bool, _ below: [String], _ random: inout SeededGenerator
  ) -> ViewChange.Property {
    switch random.below(24) {
    case 0, 1: .hidden(random.chance(0.4))
    case 2: .alpha(random.pick([0, 1]))
    case 3: .interaction(random.chance(0.7))
    case 4, 5, 6: .frame(frame(&random))
    case 7: .boundsOrigin(origin(&random))
    case 8: .transform(transform(&random))
    case 9, 10: .outset(outset(&random))
    case 11: .shape(shape(&random))
    case 12, 13: .inside(inside(below, &random))
    case 14, 15, 16: .hit(hit(below, &random))
    case 17: .exclusiveTouch(random.chance(0.5))
    case 18: .secure(random.chance(0.6))
    case 19: isWindow ? .level(random.below(3)) : .order(random.below(4))
    case 20, 21: .order(random.below(4))
    case 22: .multipleTouch(random.chance(0.5))
    default: .configured
    }
  }

  static func properties(
    _ random: inout SeededGenerator, _ density: Double = 0.2
  ) -> ViewProperties {
    var properties = ViewProperties(frame: FrameDescription(frame(&random)))
    if random.chance(0.15) { properties.frame.width = Length(points: 0, fraction: 1) }
    if random.chance(0.15) { properties.frame.height = Length(points: 0, fraction: 0.5) }
    if random.chance(density) { properties.boundsOrigin = origin(&random) }
    if random.chance(density) { properties.transform = transform(&random) }
    if random.chance(density) { properties.outset = outset(&random) }
    if random.chance(density) { properties.shape = shape(&random) }
    if random.chance(density) { properties.hidden = true }
    if random.chance(density / 2) { properties.alpha = 0 }
    if random.chance(density / 2) { properties.interaction = false }
    if random.chance(density / 2) { properties.exclusiveTouch = true }
    return properties
  }

  private static func number(_ range: ClosedRange<Int>, _ random: inout SeededGenerator) -> Double {
    Double(Int.random(in: range, using: &random) * 5)
  }

  private static func frame(_ random: inout SeededGenerator) -> Rect {
    random.chance(0.15)
      ? Rect(0, 0, 100, 80)
      : Rect(
        number(-2...12, &random), number(-2...10, &random), number(1...16, &random),
        number(1...14, &random))
  }

  private static func origin(_ random: inout SeededGenerator) -> Point {
    Point(x: number(-6...6, &random), y: number(-6...6, &random))
  }

  private static func outset(_ random: inout SeededGenerator) -> Outset {
    Outset(
      top: number(-1...4, &random), left: number(-1...4, &random), bottom: number(-1...4, &random),
      right: number(-1...4, &random))
  }

  private static func transform(_ random: inout SeededGenerator) -> AffineTransform {
    let turn = random.pick([(1.0, 0.0), (0, 1), (-1, 0), (0.6, 0.8)])
    let scale = random.pick([1.0, 1, 2])
    return AffineTransform(
      a: turn.0 * scale, b: turn.1 * scale, c: -turn.1, d: turn.0, tx: number(-4...4, &random),
      ty: number(-4...4, &random))
  }

  private static func shape(_ random: inout SeededGenerator) -> Shape {
    random.pick([
      .rect, .ellipse, .rounded(radius: 10),
      .polygon([Point(x: 0, y: 0), Point(x: 40, y: 0), Point(x: 10, y: 40)]),
      .polygon([Point(x: 0, y: 0), Point(x: 0, y: 60), Point(x: 60, y: 60), Point(x: 60, y: 0)]),
    ])
  }

  private static func inside(_ below: [String], _ random: inout SeededGenerator) -> InsideRule {
    let subviews = below.filter { !$0.contains("/") }
    if !subviews.isEmpty, random.chance(0.3) { return .children([random.pick(subviews)]) }
    return random.pick([.bounds, .always, .never, .children([]), .children([])])
  }

  private static func hit(_ below: [String], _ random: inout SeededGenerator) -> HitRule {
    if !below.isEmpty, random.chance(0.6) {
      return random.chance(0.65) ? .first(random.pick(below)) : .redirect(random.pick(below))
    }
    return random.pick([.standard, .itself, .none, .passThrough, .passThrough])
  }
}
