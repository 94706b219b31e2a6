import Layout
import TouchModel

/// An arrow from a view to the one that it gives its touches to, or asks first. Rule H6.
struct SVGArrow {
  let link: SVGReach.Link
  private let start: Point
  private let end: Point
  private let font: Double

  /// Nil where one of the two has no extent on the screen, or is not to be seen.
  init?(_ link: SVGReach.Link, in reach: SVGReach, of screen: Rect, font: Double) {
    func box(_ view: ViewIndex) -> Rect? {
      guard let node = reach.nodes.first(where: { $0.view == view }), !node.isHidden else {
        return nil
      }
      return (node.bounds ?? node.region)?.box.intersection(screen)
    }
    guard let from = box(link.from), let target = box(link.to) else { return nil }
    self.link = link
    self.font = font
    (start, end) = Self.ends(from, target, font)
  }

  /// From where the bearer reaches farthest beyond the target, to the target's edge there.
  private static func ends(_ from: Rect, _ target: Rect, _ font: Double) -> (Point, Point) {
    func clamped(_ value: Double, _ least: Double, _ most: Double) -> Double {
      min(max(value, least), most)
    }
    let y = clamped(target.center.y, from.y + font / 2, from.maxY - font / 2)
    let x = clamped(target.center.x, from.x + font / 2, from.maxX - font / 2)
    func length(_ gap: Double) -> Double { clamped(gap * 0.8, font, font * 5) }
    let sides: [(gap: Double, step: Point, end: Point)] = [
      (target.x - from.x, Point(x: -1, y: 0), Point(x: target.x, y: y)),
      (from.maxX - target.maxX, Point(x: 1, y: 0), Point(x: target.maxX, y: y)),
      (target.y - from.y, Point(x: 0, y: -1), Point(x: x, y: target.y)),
      (from.maxY - target.maxY, Point(x: 0, y: 1), Point(x: x, y: target.maxY)),
    ]
    let widest = sides.max { $0.gap < $1.gap } ?? sides[0]
    // A little into the target, so that it is clear which of two neighbours is meant.
    let inset = min(font * 0.5, target.width / 4, target.height / 4)
    let end = Point(
      x: widest.end.x - widest.step.x * inset, y: widest.end.y - widest.step.y * inset)
    let reach = length(max(widest.gap, 0)) + inset
    return (Point(x: end.x + widest.step.x * reach, y: end.y + widest.step.y * reach), end)
  }

  /// What it covers.
  var box: Rect {
    let pad = font * 0.3
    return Rect(
      x: min(start.x, end.x) - pad, y: min(start.y, end.y) - pad,
      width: abs(start.x - end.x) + pad * 2, height: abs(start.y - end.y) + pad * 2)
  }

  func draw(from: String, to: String, _ color: String, _ writer: inout SVGWriter) {
    writer.begin(
      "g",
      [
        "class": "arrow", "data-from": from, "data-to": to, "data-rule": link.rule,
        "stroke": color, "stroke-width": Text.number(font / 8), "fill": "none",
        "stroke-linecap": "round", "stroke-linejoin": "round",
      ])
    writer.element("title", text: "\(from): \(link.rule) \(to)")
    writer.element("path", ["d": Self.shape(from: start, to: end, font: font)])
    writer.end()
  }

  /// A line with a head at its end, and a dot at its beginning.
  static func shape(from start: Point, to end: Point, font: Double) -> String {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let length = max((dx * dx + dy * dy).squareRoot(), 1e-9)
    let (ux, uy) = (dx / length * font * 0.5, dy / length * font * 0.5)
    func text(_ x: Double, _ y: Double) -> String { "\(Text.number(x)) \(Text.number(y))" }
    return "M\(text(start.x, start.y))L\(text(end.x, end.y))"
      + "M\(text(end.x - ux - uy * 0.6, end.y - uy + ux * 0.6))L\(text(end.x, end.y))"
      + "L\(text(end.x - ux + uy * 0.6, end.y - uy - ux * 0.6))"
  }
}
