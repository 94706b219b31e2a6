import Layout
import TouchModel

/// Where the names of the views of a screen are written: in a corner of the view, in a size that
/// fits, where the view is not covered, and apart from one another as far as there is room.
struct SVGLabels {
  struct Label {
    var text: String
    var box: Rect
    var size: Double
    /// Whether it stands where a touch is the view's, or where it matters not.
    var isOwn = true

    /// Where its baseline begins.
    var origin: Point { Point(x: box.x, y: box.y + size * 0.85) }
  }

  /// By the place of their views; nil for one without extent on the screen.
  private(set) var labels: [Label?]

  private let tester: HitTester
  private let layout: Layout
  private let screen: ScreenIndex
  private let base: Double
  private var placed: [Rect] = []
  /// Of DejaVu Sans and its like: the mean width of a letter, in units of the font's size.
  private static let letter = 0.62

  /// - Parameter base: the largest font, in points.
  init(_ nodes: [SVGReach.Node], layout: Layout, screen: ScreenIndex, base: Double) {
    tester = HitTester(layout)
    self.layout = layout
    self.screen = screen
    self.base = base
    labels = Array(repeating: nil, count: nodes.count)
    // The frontmost first: they are the small ones, and have the least choice.
    for (place, node) in nodes.enumerated().reversed() {
      guard let label = choose(node) else { continue }
      labels[place] = label
      placed.append(label.box)
    }
  }

  private func choose(_ node: SVGReach.Node) -> Label? {
    let bounds = layout.bounds(of: screen)
    guard let box = (node.bounds ?? node.region)?.box.intersection(bounds) else { return nil }
    let name = layout.name(of: node.view)
    let isTouchable = node.obstacle == nil && !node.isPassing
    var free: Label?
    for scale in [1, 0.85, 0.7, 0.55] {
      var isFound = false
      let size = base * scale
      guard Self.width(name, size) <= box.width - size * 0.4 else { continue }
      for place in places(for: name, size, in: box) {
        var label = Label(text: name, box: place, size: size)
        guard !placed.contains(where: { $0.intersection(place) != nil }) else { continue }
        if !isTouchable || isOwn(place, node.view) { return label }
        if !isFound, box.contains(place) {
          isFound = true
          label.isOwn = false
          free = label
        }
      }
    }
    if let free { return free }
    // Too narrow, or full: as small as it gets, shortened to what there is room for.
    let size = base * 0.55
    let room = Int((box.width - size * 0.2) / (size * Self.letter))
    let text = room >= name.count ? name : String(name.prefix(max(1, room - 1))) + "…"
    let choices = places(for: text, size, in: box)
    let place = choices.first { place in
      !placed.contains { $0.intersection(place) != nil }
    }
    return (place ?? choices.first).map { Label(text: text, box: $0, size: size) }
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
