import TouchModel

/// A ring and a cross around a point, with light around them so that they show on every colour.
struct SVGMark {
  let point: Point
  /// The class of the group.
  var name = "point"
  /// The length of the cross's arms, in points.
  let size: Double

  func draw(_ writer: inout SVGWriter) {
    let (x, y) = (point.x, point.y)
    let arms = [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)].map { dx, dy in
      "M\(Text.number(x + dx * size * 0.2)) \(Text.number(y + dy * size * 0.2))"
        + "L\(Text.number(x + dx * size)) \(Text.number(y + dy * size))"
    }
    writer.begin(
      "g",
      ["class": name, "data-x": Text.number(x), "data-y": Text.number(y), "fill": "none"])
    for (color, width) in [("#ffffff", size / 4), (SVGColor.target, size / 10)] {
      writer.element(
        "circle",
        [
          "cx": Text.number(x), "cy": Text.number(y), "r": Text.number(size * 0.55),
          "stroke": color, "stroke-width": Text.number(width),
        ])
      writer.element(
        "path",
        ["d": arms.joined(), "stroke": color, "stroke-width": Text.number(width)])
    }
    writer.end()
  }
}
