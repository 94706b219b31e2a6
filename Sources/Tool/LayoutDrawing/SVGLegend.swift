import Layout
import TouchModel

/// What the colours and lines of a drawing mean, in rows that fill its width.
struct SVGLegend {
  private enum Swatch {
    case window(SVGColor)
    case hatched
    case dashed(String)
    case line(String)
    case arrow
    case zone
    case point
  }

  private var items: [(swatch: Swatch, text: String)]
  private let font: Double
  private let width: Double

  /// - Parameter windows: indices into the layout's windows.
  init(
    _ layout: Layout, windows: [Int], hasPoint: Bool, hasZones: Bool, font: Double, width: Double
  ) {
    self.font = font
    self.width = width
    items = windows.map { index in
      let window = layout.windows[index]
      let isHidden = layout[window.root].isHidden
      return (.window(SVGColor(window: index)), window.name + (isHidden ? " (hidden)" : ""))
    }
    items += [
      (.hatched, "untouchable"), (.dashed("1.2 2.4"), "hidden"),
      (.dashed("3.5 3.5"), "region with outset"), (.dashed("5 2.5 1.2 2.5"), "passes touches on"),
      (.arrow, "redirect, first"),
    ]
    if hasZones { items.append((.zone, "gesture from an edge")) }
    guard hasPoint else { return }
    items += [
      (.point, "point"), (.line(SVGColor.target), "target"),
      (.line(SVGColor.superview), "its superviews"),
    ]
  }

  /// The height of its rows, in points.
  var height: Double { Double(1 + (positions.map(\.row).max() ?? 0)) * rowHeight }

  private var rowHeight: Double { font * 1.9 }
  private var swatchWidth: Double { font * 2 }

  private var positions: [(row: Int, x: Double)] {
    var (row, x) = (0, 0.0)
    return items.map { item in
      let needed = swatchWidth + font * (1.7 + 0.62 * Double(item.text.count))
      if x > 0, x + needed > width { (row, x) = (row + 1, 0) }
      defer { x += needed }
      return (row, x)
    }
  }

  /// Draws it with its top left corner at the origin.
  func draw(_ writer: inout SVGWriter) {
    writer.begin("g", ["class": "legend"])
    for (item, position) in zip(items, positions) {
      let top = Double(position.row) * rowHeight + font * 0.25
      let box = Rect(x: position.x, y: top, width: swatchWidth, height: font * 1.3)
      draw(item.swatch, in: box, &writer)
      writer.element(
        "text",
        [
          "x": Text.number(box.maxX + font * 0.5), "y": Text.number(top + font),
          "font-size": Text.number(font), "fill": "#222222",
        ], text: item.text)
    }
    writer.end()
  }

  private func draw(_ swatch: Swatch, in box: Rect, _ writer: inout SVGWriter) {
    func fill(_ part: Rect, _ fill: String, _ stroke: String, dashes: String, _ width: Double) {
      writer.element(
        "path",
        [
          "d": SVGPath(part).data, "fill": fill, "stroke": stroke,
          "stroke-width": Text.number(width), "stroke-dasharray": dashes,
        ])
    }
    switch swatch {
    case .window(let color):
      for depth in 0..<4 {
        let width = box.width / 4
        let part = Rect(
          x: box.x + Double(depth) * width, y: box.y, width: width, height: box.height)
        fill(part, color.fill(depth: depth), "none", dashes: "none", 0)
      }
      fill(box, "none", color.stroke, dashes: "none", font / 12)
    case .hatched: fill(box, "url(#hatch)", SVGColor.untouchable, dashes: "none", font / 12)
    case .dashed(let dashes):
      let scaled = dashes.split(separator: " ").compactMap { Double($0) }
        .map { Text.number($0 * font / 12) }
      fill(box, "none", "#333333", dashes: scaled.joined(separator: " "), font / 12)
    case .line(let color): fill(box, "none", color, dashes: "none", font / 5)
    case .arrow:
      let (start, end) = (
        Point(x: box.x, y: box.center.y), Point(x: box.maxX, y: box.center.y)
      )
      writer.element(
        "path",
        [
          "d": SVGArrow.shape(from: start, to: end, font: font), "fill": "none",
          "stroke": "#333333", "stroke-width": Text.number(font / 8),
        ])
    case .zone: drawZone(in: box, &writer)
    case .point: SVGMark(point: box.center, name: "swatch", size: font * 0.65).draw(&writer)
    }
  }

  private func drawZone(in box: Rect, _ writer: inout SVGWriter) {
    writer.element(
      "path",
      [
        "d": SVGPath(box).data, "fill": SVGColor.zone, "fill-opacity": "0.18",
        "stroke": SVGColor.zone, "stroke-width": Text.number(font / 12),
        "stroke-dasharray": "\(Text.number(font * 0.6)) \(Text.number(font * 0.2))",
      ])
  }
}
