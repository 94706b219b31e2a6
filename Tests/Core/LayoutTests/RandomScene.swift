import Layout
import TestSupport
import TouchModel

/// A layout with every property of section 2 combined at random, and points that tell its regions
/// apart.
struct RandomScene {
  var description: LayoutDescription
  private var random: SeededGenerator
  /// All numbers are multiples of 1/4 and all transforms exact, so that no sum is rounded.
  private let isExact: Bool
  /// How likely each property differs from its default.
  private let density: Double
  private var viewCount = 0
  private let maximum: Int
  private let depthLimit: Int

  init(seed: UInt64, isExact: Bool) {
    random = SeededGenerator(seed: seed)
    self.isExact = isExact
    density = random.pick([0, 0.05, 0.15, 0.4])
    maximum = random.pick([3, 12, 40, 40, 150, 600])
    depthLimit = random.pick([2, 4, 8, 12])
    description = LayoutDescription(screens: [
      Screen(name: "a", size: Size(width: 100, height: 80)),
      Screen(name: "b", size: Size(width: 50, height: 50)),
    ])
    for number in 0..<Int.random(in: 1...4, using: &random) {
      let screen = ScreenIndex(random.chance(0.8) ? 0 : 1)
      var properties = properties(in: description.screens[Int(screen.rawValue)].size, nil)
      let name = "w\(number)"
      let size = resolvedSize(properties, in: description.screens[Int(screen.rawValue)].size)
      let paths = addViews(to: name, size: size, depth: 1)
      addRules(to: &properties, descendants: paths)
      description.windows.append(
        LayoutDescription.Window(
          name: name, screen: screen, level: Int.random(in: 0...1, using: &random),
          properties: properties))
    }
  }

  /// Adds subviews of a path; the result is the descendants' paths relative to it.
  private mutating func addViews(to path: String, size: Size, depth: Int) -> [String] {
    var paths: [String] = []
    guard depth < depthLimit else { return paths }
    var sibling: FrameDescription?
    let count = Int.random(in: random.chance(0.1) ? 20...90 : 0...5, using: &random)
    for number in 0..<count where viewCount < maximum {
      viewCount += 1
      let name = "v\(number)"
      var properties = properties(in: size, sibling)
      sibling = properties.frame
      let inner = resolvedSize(properties, in: size)
      let below = addViews(to: path + "/" + name, size: inner, depth: depth + 1)
      addRules(to: &properties, descendants: below)
      description.views.append(
        LayoutDescription.View(path: path + "/" + name, properties: properties))
      paths.append(name)
      paths += below.map { name + "/" + $0 }
    }
    return paths
  }

  private func resolvedSize(_ properties: ViewProperties, in size: Size) -> Size {
    Size(
      width: properties.frame.width.resolved(in: size.width),
      height: properties.frame.height.resolved(in: size.height))
  }

  private mutating func number(_ range: ClosedRange<Double>) -> Double {
    let number = Double.random(in: range, using: &random)
    let isRound = isExact || random.chance(0.5)
    return isRound ? (number * 4).rounded() / 4 : number
  }

  private mutating func properties(in size: Size, _ sibling: FrameDescription?) -> ViewProperties {
    var frame = FrameDescription(Rect(0, 0, size.width, size.height))
    switch Int.random(in: 0..<10, using: &random) {
    case 0: break  // Fills its superview: all edges equal.
    case 1: if let sibling { frame = sibling }  // Lies right over its sibling.
    case 2:
      frame = FrameDescription(  // Off to a side.
        Rect(number(-150...150), number(-150...150), number(0...20), number(0...20)))
    case 3:
      frame.width = Length(points: 0, fraction: 0.5)
      frame.height = Length(points: 0, fraction: isExact ? 1 : 1.0 / 3)
    default:
      frame = FrameDescription(
        Rect(
          number(-10...max(1, size.width)), number(-10...max(1, size.height)),
          number(0...size.width + 10), number(0...size.height + 10)))
    }
    var properties = ViewProperties(frame: frame)
    if random.chance(density / 4) { properties.frame.width = Length(points: 0) }
    if random.chance(density / 4) { properties.frame.height = Length(points: 0) }
    if random.chance(density) {
      properties.boundsOrigin = Point(x: number(-50...50), y: number(-50...50))
    }
    if random.chance(density / 4) { properties.hidden = true }
    if random.chance(density / 4) { properties.interaction = false }
    if random.chance(density / 4) { properties.alpha = 0.01 }
    if random.chance(density) {
      properties.outset = Outset(
        top: number(-5...9), left: number(-5...9), bottom: number(-5...9), right: number(-5...9))
    }
    if random.chance(density) { properties.shape = shape(in: size) }
    if random.chance(density) { properties.transform = transform() }
    return properties
  }

  private mutating func shape(in size: Size) -> Shape {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: .ellipse
    case 1: .rounded(radius: number(0...30))
    default:
      .polygon(
        (0..<Int.random(in: 3...6, using: &random)).map { _ in
          Point(x: number(-5...size.width + 5), y: number(-5...size.height + 5))
        })
    }
  }

  private mutating func transform() -> AffineTransform {
    if random.chance(0.25) {
      return AffineTransform(translationX: number(-20...20), y: number(-20...20))
    }
    if isExact {
      let turn = random.pick([(1.0, 0.0), (0, 1), (-1, 0), (0, -1)])
      let scale = random.pick([0.5, 1, 2])
      return AffineTransform(
        a: turn.0 * scale, b: turn.1 * scale, c: -turn.1, d: turn.0, tx: number(-20...20), ty: 4)
    }
    // A turn of atan(2t / (1 - t²)), scaled and sheared.
    let t = Double.random(in: -3...3, using: &random)
    let (cosine, sine) = ((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t))
    let scaleX = random.pick([1, 1, 0.3, 1.7, -1])
    let scaleY = random.pick([1, 1, 0.6, 2.5])
    return AffineTransform(
      a: cosine * scaleX, b: sine * scaleX, c: -sine * scaleY + random.pick([0, 0, 0.4]),
      d: cosine * scaleY, tx: number(-20...20), ty: number(-20...20))
  }

  private mutating func addRules(to properties: inout ViewProperties, descendants: [String]) {
    if random.chance(density) {
      let subviews = descendants.filter { !$0.contains("/") }
      switch Int.random(in: 0..<5, using: &random) {
      case 0: properties.inside = .always
      case 1: properties.inside = .never
      case 2: if !subviews.isEmpty { properties.inside = .children([random.pick(subviews)]) }
      default: properties.inside = .children([])
      }
    }
    guard random.chance(density) else { return }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: properties.hit = .itself
    case 1: properties.hit = .none
    case 2, 3: properties.hit = .passThrough
    case 4: if !descendants.isEmpty { properties.hit = .redirect(random.pick(descendants)) }
    default: if !descendants.isEmpty { properties.hit = .first(random.pick(descendants)) }
    }
  }

  /// A point of the screen; half of them on an edge of a view, or next to one.
  ///
  /// - Parameter views: Half of these views are of those, where there are some.
  mutating func point(_ layout: Layout, at views: [ViewIndex] = []) -> Point {
    if random.chance(0.5) {
      return Point(x: number(-20...120), y: number(-20...100))
    }
    let view =
      !views.isEmpty && random.chance(0.5)
      ? random.pick(views)
      : ViewIndex(Int32.random(in: 0..<Int32(layout.viewCount), using: &random))
    let bounds = layout.bounds(of: view)
    let outset = layout.outset(of: view)
    var local = Point(
      x: bounds.x + bounds.width * Double.random(in: 0...1, using: &random),
      y: bounds.y + bounds.height * Double.random(in: 0...1, using: &random))
    if isExact { local = Point(x: (local.x * 4).rounded() / 4, y: (local.y * 4).rounded() / 4) }
    if random.chance(0.7) {
      local.x = random.pick([bounds.x - outset.left, bounds.maxX + outset.right])
    }
    if random.chance(0.7) {
      local.y = random.pick([bounds.y - outset.top, bounds.maxY + outset.bottom])
    }
    var point = layout.superviewTransform(of: view).apply(local)
    var parent = layout[view].parent
    while let view = parent {
      point = layout.superviewTransform(of: view).apply(point)
      parent = layout[view].parent
    }
    return Point(x: nudged(point.x), y: nudged(point.y))
  }

  private mutating func nudged(_ x: Double) -> Double {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: isExact ? x : x.nextUp
    case 1: isExact ? x : x.nextDown
    case 2: x + 0.25
    case 3: x - 0.25
    case 4: isExact ? x : x + 1e-12
    default: x
    }
  }
}
