package import TouchModel

/// What a touchscreen has reported and what its filters leave of it, side by side, as an SVG; and,
/// below, the stroke that the filters change most, enlarged.
package struct StrokeDrawing {
  /// The way of one contact, from report to report.
  package typealias Way = [Point]

  /// The lines of the document.
  package let lines: [String]

  /// As many points are drawn of each side: more make a file that no browser likes.
  private static let pointLimit = 50_000
  /// The width of each picture, in pixels.
  private static let width = 480.0
  private static let gap = 20.0
  private static let font = 14.0
  private static let zoomedHeight = 300.0

  /// - Parameters:
  ///   - before: What was reported.
  ///   - after: What the filters leave; nil where there are none to try.
  ///   - region: The part of the screen that the touchscreen covers.
  ///   - names: What stands above the two.
  package init(
    before: [Way], after: [Way]?, in region: Rect, names: (before: String, after: String)
  ) {
    let height = Self.width * region.height / max(region.width, 1)
    let zoom = after.flatMap { Self.mostChanged(before, $0) }
    var writer = SVGWriter()
    let top = Self.gap + Self.font * 1.5
    let size = Size(
      width: (after == nil ? 1 : 2) * (Self.width + Self.gap) + Self.gap,
      height: top + height + Self.gap
        + (zoom == nil ? 0 : Self.zoomedHeight + Self.font * 1.5 + Self.gap))
    Self.begin(&writer, size)
    for (column, (ways, name)) in [(before, names.before), (after, names.after)].enumerated() {
      guard let ways else { continue }
      let corner = Point(x: Self.gap + Double(column) * (Self.width + Self.gap), y: top)
      Picture(
        corner: corner, size: Size(width: Self.width, height: height), shown: region
      ).draw(ways, title: name, &writer)
    }
    if let zoom, let after {
      let box = Self.box(around: zoom, Size(width: Self.width, height: Self.zoomedHeight))
      let y = top + height + Self.gap + Self.font * 1.5
      for (column, ways) in [before, after].enumerated() {
        let corner = Point(x: Self.gap + Double(column) * (Self.width + Self.gap), y: y)
        let size = Size(width: Self.width, height: Self.zoomedHeight)
        Picture(corner: corner, size: size, shown: box).draw(
          ways, title: "the stroke that changes most, enlarged", &writer)
      }
    }
    writer.end()
    lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"] + writer.lines
  }

  private static func begin(_ writer: inout SVGWriter, _ size: Size) {
    let (width, height) = (Text.number(size.width), Text.number(size.height))
    writer.begin(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height,
        "viewBox": "0 0 \(width) \(height)", "font-size": Text.number(font),
        "font-family": "DejaVu Sans, Helvetica, Arial, sans-serif",
      ])
    writer.element("rect", ["width": width, "height": height, "fill": "#ffffff"])
  }

  // MARK: The stroke that changes most

  /// The stroke of those before that the ones after miss by the most; nil where none is missed by a
  /// point.
  private static func mostChanged(_ before: [Way], _ after: [Way]) -> Way? {
    let grid = PointGrid(after)
    var most = (distance: 1.0, way: Way?.none)
    for way in before where way.count >= 5 {
      let distances = way.map { grid.distance(to: $0) }
      let mean = distances.reduce(0, +) / Double(distances.count)
      if mean > most.distance { most = (mean, way) }
    }
    if most.way != nil { return most.way }
    // Smoothing moves points by less: then the longest one shows it.
    return before.filter { $0.count >= 10 }.max { $0.count < $1.count }
  }

  /// Around a stroke, with the proportions of a picture.
  private static func box(around way: Way, _ size: Size) -> Rect {
    let xs = way.map(\.x).sorted()
    let ys = way.map(\.y).sorted()
    let (x, y) = ((xs[0] + xs[xs.count - 1]) / 2, (ys[0] + ys[ys.count - 1]) / 2)
    let width = max(
      xs[xs.count - 1] - xs[0], (ys[ys.count - 1] - ys[0]) * size.width / size.height, 20)
    let wide = width * 1.2
    let high = wide * size.height / size.width
    return Rect(x: x - wide / 2, y: y - high / 2, width: wide, height: high)
  }

  /// One picture: a part of the screen.
  private struct Picture {
    let corner: Point
    let size: Size
    let shown: Rect

    func draw(_ ways: [Way], title: String, _ writer: inout SVGWriter) {
      let font = StrokeDrawing.font
      writer.element(
        "text", ["x": Text.number(corner.x), "y": Text.number(corner.y - font / 2)], text: title)
      writer.begin(
        "svg",
        [
          "x": Text.number(corner.x), "y": Text.number(corner.y),
          "width": Text.number(size.width), "height": Text.number(size.height),
        ])
      writer.element(
        "rect",
        [
          "width": Text.number(size.width), "height": Text.number(size.height),
          "fill": "#f4f4f4", "stroke": "#777777",
        ])
      var left = StrokeDrawing.pointLimit
      for way in ways where left > 0 && way.contains(where: isSeen) {
        draw(way.prefix(left), &writer)
        left -= way.count
      }
      writer.end()
    }

    private func isSeen(_ point: Point) -> Bool { shown.contains(point) }

    private func draw(_ way: ArraySlice<Point>, _ writer: inout SVGWriter) {
      let points = way.map { point in
        Point(
          x: (point.x - shown.x) * size.width / shown.width,
          y: (point.y - shown.y) * size.height / shown.height)
      }
      guard let start = points.first else { return }
      writer.element(
        "polyline",
        [
          "points": points.map { "\(Text.number($0.x)),\(Text.number($0.y))" }
            .joined(separator: " "),
          "fill": "none", "stroke": "#1f5fa8", "stroke-width": "1.5",
          "stroke-linejoin": "round",
        ])
      // Where it began: of a tap that is all there is.
      writer.element(
        "circle",
        ["cx": Text.number(start.x), "cy": Text.number(start.y), "r": "3", "fill": "#d00020"])
    }
  }
}

/// Points by the cells that they lie in, to find how near the nearest one is.
private struct PointGrid {
  private static let cell = 8.0
  /// What is farther than a cell counts as so far.
  private static let far = 16.0
  private var cells: [Cell: [Point]] = [:]

  private struct Cell: Hashable {
    let x: Int
    let y: Int
  }

  init(_ ways: [StrokeDrawing.Way]) {
    for point in ways.joined() { cells[Self.cell(of: point), default: []].append(point) }
  }

  func distance(to point: Point) -> Double {
    let own = Self.cell(of: point)
    var least = Self.far
    for x in (own.x - 1)...(own.x + 1) {
      for y in (own.y - 1)...(own.y + 1) {
        for other in cells[Cell(x: x, y: y)] ?? [] { least = min(least, other.distance(to: point)) }
      }
    }
    return least
  }

  private static func cell(of point: Point) -> Cell {
    func index(_ value: Double) -> Int { Int(max(-1e6, min(1e6, value / cell)).rounded(.down)) }
    return Cell(x: index(point.x), y: index(point.y))
  }
}
