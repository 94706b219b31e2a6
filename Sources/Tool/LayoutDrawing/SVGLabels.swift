import Layout
import TouchModel

/// Where the names of the views of a screen are written: inside the view, in a size that fits,
/// where the view is not covered; beside it, with a line that leads to it, where it is too small.
/// Apart from one another as far as there is room.
struct SVGLabels {
  struct Label {
    var text: String
    var box: Rect
    var size: Double
    /// Whether it stands where a touch is the view's, or where it matters not.
    var isOwn = true
    /// From a label beside its view to the view.
    var leader: (start: Point, end: Point)?

    /// Where its baseline begins.
    var origin: Point { Point(x: box.x, y: box.y + size * 0.85) }

    /// Whether it lies over all views: what stands beside a view that is to be seen stands on
    /// others.
    func liesInFront(of node: SVGReach.Node) -> Bool { leader != nil && !node.isHidden }
  }

  /// By the index of their views; nil for one without extent on the screen, or that is not to be
  /// seen and takes up much of it.
  private(set) var labels: [Label?]

  private let tester: HitTester
  private let layout: Layout
  private let screen: ScreenIndex
  private let base: Double
  private var placed: [Rect]
  /// The boxes of views without visible subviews, which labels of others are to keep off.
  private var leaves: [(view: ViewIndex, box: Rect)] = []
  /// Of DejaVu Sans and its like: the mean width of a letter, in units of the font's size.
  private static let letter = 0.62
  /// The sizes of labels, in units of the largest.
  private static let scales = [1, 0.85, 0.7, 0.55, 0.5]

  /// - Parameters:
  ///   - base: the largest font, in points.
  ///   - arrows: what the labels are to keep off.
  init(
    _ nodes: [SVGReach.Node], layout: Layout, screen: ScreenIndex, base: Double,
    besides arrows: [Rect]
  ) {
    tester = HitTester(layout)
    self.layout = layout
    self.screen = screen
    self.base = base
    placed = arrows
    labels = Array(repeating: nil, count: nodes.count)
    let visible = nodes.filter { !$0.isHidden }
    let parents = Set(visible.compactMap { layout[$0.view].parent })
    leaves = visible.filter { !parents.contains($0.view) }.compactMap { node in
      box(of: node).map { (node.view, $0) }
    }
    // The frontmost first: they are the small ones, and have the least choice. Then those that are
    // not to be seen.
    let order = nodes.indices.reversed().filter { !nodes[$0].isHidden }
    let hidden = nodes.indices.reversed().filter { isWorthNaming(nodes[$0]) }
    for index in order + hidden {
      guard let label = choose(nodes[index]) else { continue }
      labels[index] = label
      placed.append(label.box)
    }
  }

  private func box(of node: SVGReach.Node) -> Rect? {
    (node.bounds ?? node.region)?.box.intersection(layout.bounds(of: screen))
  }

  /// Whether a view that is not to be seen is named: one that covers much would name all of that.
  private func isWorthNaming(_ node: SVGReach.Node) -> Bool {
    guard node.isHidden, !node.isWithinHidden, let box = box(of: node) else { return false }
    let screen = layout.bounds(of: screen)
    return box.width * box.height <= screen.width * screen.height / 3
  }

  private func choose(_ node: SVGReach.Node) -> Label? {
    guard let box = box(of: node) else { return nil }
    let name = layout.name(of: node.view)
    return inside(node, name, box) ?? beside(node, name, box)
  }

  private func inside(_ node: SVGReach.Node, _ name: String, _ box: Rect) -> Label? {
    let isTouchable = node.obstacle == nil && !node.isPassing
    var covered: Label?
    var crowded: Label?
    for size in Self.scales.map({ base * $0 })
    where Self.width(name, size) <= box.width - size * 0.3 && size * 1.1 <= box.height {
      var own: Label?
      for place in places(for: name, size, in: box)
      where box.contains(place) && !placed.contains(where: { $0.intersection(place) != nil }) {
        var label = Label(text: name, box: place, size: size)
        if !isTouchable || isOwn(place, node.view) {
          if !touchesOther(place, node.view) { return label }
          own = own ?? label
        } else if size < base * 0.6 {
          // Small: it stands on a view of another name.
          label.isOwn = false
          if touchesOther(place, node.view) {
            crowded = crowded ?? label
          } else {
            covered = covered ?? label
          }
        }
      }
      if let own { return own }
    }
    return covered ?? crowded
  }

  /// The nearest place that is free of other names, and of other small views if there is one.
  private func beside(_ node: SVGReach.Node, _ name: String, _ box: Rect) -> Label {
    let size = base * 0.55
    let bounds = layout.bounds(of: screen)
    let around = surroundings(of: box, Self.width(name, size), size * 1.1, size)
      .filter { bounds.contains($0) }
    let free = around.filter { place in !placed.contains { $0.intersection(place) != nil } }
    let clear = free.first { !touchesOther($0, node.view) }
    let place =
      clear ?? free.first ?? around.first
      ?? Rect(x: box.x, y: box.y, width: Self.width(name, size), height: size * 1.1)
    func clamped(_ value: Double, _ least: Double, _ most: Double) -> Double {
      min(max(value, least), most)
    }
    let end = Point(
      x: clamped(place.center.x, box.x, box.maxX), y: clamped(place.center.y, box.y, box.maxY))
    let start = Point(
      x: clamped(end.x, place.x, place.maxX), y: clamped(end.y, place.y, place.maxY))
    return Label(text: name, box: place, size: size, leader: (start, end))
  }

  /// Whether a place lies on another view that has no visible subviews, in part or whole.
  private func touchesOther(_ place: Rect, _ view: ViewIndex) -> Bool {
    leaves.contains { $0.view != view && $0.box.intersection(place) != nil }
  }

  /// Places around a box, the nearest first.
  private func surroundings(
    of box: Rect, _ width: Double, _ height: Double, _ size: Double
  ) -> [Rect] {
    [0.4, 1, 1.8, 3, 4.5, 6.5].flatMap { step in
      let gap = size * step
      let (left, right) = (box.x - gap - width, box.maxX + gap)
      let (top, bottom) = (box.y - gap - height, box.maxY + gap)
      let (middle, center) = (box.center.x - width / 2, box.center.y - height / 2)
      return [
        (right, center), (left, center), (middle, bottom), (middle, top), (right, bottom),
        (right, top), (left, bottom), (left, top), (box.x, bottom), (box.maxX - width, bottom),
        (box.x, top), (box.maxX - width, top),
      ].map { Rect(x: $0, y: $1, width: width, height: height) }
    }
  }

  /// Whether a touch at the label would be the view's.
  private func isOwn(_ place: Rect, _ view: ViewIndex) -> Bool {
    [place.x, place.center.x, place.maxX].allSatisfy { x in
      [place.y, place.maxY].allSatisfy { y in
        tester.hitTest(Point(x: x, y: y), on: screen) == view
      }
    }
  }

  private func places(for text: String, _ size: Double, in box: Rect) -> [Rect] {
    let (width, height, pad) = (Self.width(text, size), size * 1.1, size * 0.25)
    let (left, right) = (box.x + pad, box.maxX - pad - width)
    let (top, bottom) = (box.y + pad, box.maxY - pad - height)
    let (middle, center) = (box.center.x - width / 2, box.center.y - height / 2)
    var corners = [
      (left, top), (right, top), (left, bottom), (right, bottom), (middle, center), (middle, top),
      (middle, bottom), (left, center), (right, center),
    ]
    for line in 1...6 {
      corners.append((left, top + Double(line) * height))
      corners.append((left, box.y + Double(line) * box.height / 7))
      corners.append((left + Double(line) * box.width / 8, top))
      corners.append((left + Double(line) * box.width / 8, bottom))
    }
    return corners.map { Rect(x: $0, y: $1, width: width, height: height) }
  }

  private static func width(_ text: String, _ size: Double) -> Double {
    Double(text.count) * size * letter
  }
}

extension Rect {
  /// Whether all of the other lies in this one.
  func contains(_ other: Rect) -> Bool {
    x <= other.x && y <= other.y && other.maxX <= maxX && other.maxY <= maxY
  }

  /// What both cover; nil where they have no area in common.
  func intersection(_ other: Rect) -> Rect? {
    let (x0, y0) = (max(x, other.x), max(y, other.y))
    let (x1, y1) = (min(maxX, other.maxX), min(maxY, other.maxY))
    return x0 < x1 && y0 < y1 ? Rect(x: x0, y: y0, width: x1 - x0, height: y1 - y0) : nil
  }
}
