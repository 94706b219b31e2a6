import Layout
import TestSupport
import TouchModel

/// Lists in panels and in each other, with more rows than they show, and changes of which most
/// scroll.
struct RandomLists {
  private(set) var description: LayoutDescription
  private var random: SeededGenerator
  /// All numbers are multiples of 1/4, so that no sum is rounded.
  private let isExact: Bool
  private var lists: [String] = []
  private var rows: [String] = []
  private var panels: [String] = []

  init(seed: UInt64, isExact: Bool) {
    random = SeededGenerator(seed: seed)
    self.isExact = isExact
    description = LayoutDescription(screens: [
      Screen(name: "s", size: Size(width: 100, height: 100))
    ])
    for number in 0..<Int.random(in: 1...2, using: &random) {
      description.windows.append(
        LayoutDescription.Window(
          name: "w\(number)", screen: ScreenIndex(0), properties: properties(100, 100)))
      panels.append("w\(number)")
      addPanel("w\(number)/panel")
    }
  }

  private mutating func addPanel(_ path: String) {
    var panel = properties(90, 90)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: panel.shape = .rounded(radius: 10)
    case 1: panel.transform = AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
    case 2: panel.inside = .children([])
    case 3: panel.inside = .always
    case 4: panel.hit = .passThrough
    default: break
    }
    add(path, panel)
    panels.append(path)
    for number in 0..<Int.random(in: 1...2, using: &random) {
      addList("\(path)/list\(number)", depth: 1)
    }
  }

  private mutating func addList(_ path: String, depth: Int) {
    add(path, properties(70, 70))
    lists.append(path)
    for number in 0..<Int.random(in: 17...20, using: &random) {
      let row = "\(path)/\(number)"
      let frame = Rect(
        Double(number) * 0.5 - 2, Double(number) * 10 + 0.25, 60, random.pick([8, 10, 14]))
      add(row, ViewProperties(frame: FrameDescription(frame)))
      rows.append(row)
      if number % 7 == 2, depth < 5 {
        if random.chance(0.3) { addList("\(row)/list", depth: depth + 2) }
        add("\(row)/button", properties(20, 6))
        rows.append("\(row)/button")
      }
    }
  }

  private mutating func add(_ path: String, _ properties: ViewProperties) {
    description.views.append(LayoutDescription.View(path: path, properties: properties))
  }

  private mutating func properties(_ width: Double, _ height: Double) -> ViewProperties {
    ViewProperties(
      frame: FrameDescription(Rect(number(-5...20), number(-5...20), width, height)))
  }

  private mutating func number(_ range: ClosedRange<Double>) -> Double {
    let number = Double.random(in: range, using: &random)
    return isExact ? (number * 4).rounded() / 4 : number
  }

  /// What a program might do next.
  mutating func change() -> ViewChange {
    let far = random.chance(0.1) && !isExact ? 1e9 : 200
    let origin = Point(x: number(-20...40), y: number(-40...far))
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return ViewChange(random.pick(rows), .hidden(random.chance(0.7)))
    case 1, 2:
      let frame = Rect(number(-10...40), number(-10...200), 40, 10)
      return ViewChange(random.pick(rows), .frame(frame))
    case 3: return ViewChange(random.pick(lists), .frame(Rect(number(-10...40), 4, 50, 50)))
    case 4: return ViewChange(random.pick(panels), .boundsOrigin(origin))
    case 5: return ViewChange(random.pick(lists + rows + panels), .configured)
    case 6: return rule()
    default: return ViewChange(random.pick(lists), .boundsOrigin(origin))
    }
  }

  private mutating func rule() -> ViewChange {
    let view = random.pick(lists + rows + panels)
    let below = description.views.map(\.path).filter { $0.hasPrefix(view + "/") }
      .map { String($0.dropFirst(view.utf8.count + 1)) }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return ViewChange(view, .inside(random.pick([.bounds, .always, .children([])])))
    case 1: return ViewChange(view, .hit(.first(below.isEmpty ? "none" : random.pick(below))))
    case 2: return ViewChange(view, .hit(random.pick([.standard, .itself, .passThrough])))
    case 3: return ViewChange(view, .shape(random.pick([.rect, .ellipse])))
    case 4: return ViewChange(view, .interaction(random.chance(0.5)))
    default: return ViewChange(view, .outset(Outset(top: 3, left: 0, bottom: 3, right: -1)))
    }
  }

  /// A point of the screen; half of them on an edge of a view, or next to one.
  mutating func point(_ layout: Layout) -> Point {
    if random.chance(0.4) { return Point(x: number(-5...110), y: number(-5...110)) }
    let view = ViewIndex(Int32.random(in: 0..<Int32(layout.viewCount), using: &random))
    let frame = layout.frameOnScreen(of: view)
    var point = Point(
      x: random.pick([frame.x, frame.maxX, frame.center.x]),
      y: random.pick([frame.y, frame.maxY, frame.center.y]))
    if isExact {
      point = Point(x: (point.x * 4).rounded() / 4, y: (point.y * 4).rounded() / 4)
    } else {
      point.x = random.pick([point.x, point.x.nextUp, point.x.nextDown])
      point.y = random.pick([point.y, point.y.nextUp, point.y.nextDown])
    }
    return point
  }
}
