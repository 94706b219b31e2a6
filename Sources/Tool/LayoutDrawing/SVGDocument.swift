package import Layout
package import TouchModel

/// A layout as an SVG: its screens side by side, and a legend.
package struct SVGDocument {
  /// The lines of the document.
  package let lines: [String]

  /// More views can't be told apart in a drawing, and their labels would take minutes to place.
  package static let maximumViews = 2000

  /// The screens have more views than can be drawn. Rule F5.
  package struct TooManyViews: Error, Equatable {
    /// How many there are.
    package let count: Int
  }

  /// Draws screens of a layout, side by side in the order given.
  ///
  /// - Parameters:
  ///   - points: points of the first of the screens, to be marked with the hit-tests' answers.
  ///   - notes: what else is to be said of views, by their paths.
  ///   - zones: where gestures from an edge begin.
  /// - Throws: where the screens have more than ``maximumViews`` views.
  package init(
    _ layout: Layout, screens: [ScreenIndex], points: [Point] = [],
    notes: [String: [String]] = [:], zones: [GestureZone] = []
  ) throws(TooManyViews) {
    let windows = layout.windows.indices.filter { screens.contains(layout.windows[$0].screen) }
    let views = windows.reduce(0) { count, window in
      let root = layout.windows[window].root
      return count + Int(layout[root].end.rawValue - root.rawValue)
    }
    guard views <= Self.maximumViews else { throw TooManyViews(count: views) }
    let page = Page(screens.map { layout.screens[Int($0.rawValue)].size })
    let legend = SVGLegend(
      layout, windows: windows, hasPoint: !points.isEmpty,
      hasZones: zones.contains { screens.contains($0.screen) }, font: page.font,
      width: page.inner)
    var writer = SVGWriter()
    Self.begin(
      &writer, size: page.size(legend: legend.height, answers: points.count), font: page.font)
    for (screen, corner) in zip(screens, page.corners) {
      let marks = screen == screens.first ? points : []
      Self.begin(screen, of: layout, at: corner, page.font, &writer)
      SVGScreen(
        layout, screen: screen, points: marks, font: page.font, notes: notes, zones: zones
      ).draw(&writer)
      writer.end()
    }
    writer.begin("g", ["transform": Self.translation(to: page.legendCorner)])
    legend.draw(&writer)
    if let screen = screens.first {
      let answers = points.map { Self.answer($0, on: screen, in: layout) }
      page.write(answers, below: legend.height, &writer)
    }
    writer.end()
    writer.end()
    lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"] + writer.lines
  }

  /// Where the parts of a drawing are, in points.
  private struct Page {
    /// The size of the largest text.
    let font: Double
    /// The width between the margins.
    let inner: Double
    /// The top left corner of each screen.
    let corners: [Point]
    private let tallest: Double
    private var gap: Double { font * 2 }

    init(_ screens: [Size]) {
      let content = screens.reduce(0) { $0 + $1.width }
      tallest = screens.reduce(0) { max($0, $1.height) }
      // The drawing is read at the size of a page, whatever the screen's.
      font = max(content, tallest * 1.4) / 66
      let gap = font * 2
      inner = content + gap * Double(screens.count - 1)
      var x = gap
      corners = screens.map { screen in
        defer { x += screen.width + gap }
        return Point(x: x, y: gap * 1.5)
      }
    }

    var legendCorner: Point { Point(x: gap, y: tallest + gap * 2.2) }

    /// Writes each answer in one line, however narrow the screen.
    func write(_ answers: [String], below top: Double, _ writer: inout SVGWriter) {
      for (row, answer) in answers.enumerated() {
        let fitting = min(font, inner / (Double(answer.count) * 0.62))
        SVGDocument.write(answer, y: top + font * 1.5 + gap * Double(row), fitting, &writer)
      }
    }

    func size(legend: Double, answers: Int) -> Size {
      Size(
        width: inner + gap * 2, height: tallest + gap * 3 + legend + gap * Double(answers))
    }
  }

  private static func translation(to point: Point) -> String {
    "translate(\(Text.number(point.x)) \(Text.number(point.y)))"
  }

  private static func begin(
    _ index: ScreenIndex, of layout: Layout, at corner: Point, _ font: Double,
    _ writer: inout SVGWriter
  ) {
    let screen = layout.screens[Int(index.rawValue)]
    writer.begin(
      "g",
      [
        "class": "screen", "data-screen": screen.name,
        "transform": translation(to: corner),
      ])
    write(
      LayoutTree.text(screen.name, screen.size, rotation: screen.rotation.rawValue),
      y: -font * 0.6, font, &writer)
  }

  private static func begin(_ writer: inout SVGWriter, size: Size, font: Double) {
    let (width, height) = (Text.number(size.width), Text.number(size.height))
    writer.begin(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height,
        "viewBox": "0 0 \(width) \(height)",
        "font-family": "DejaVu Sans, Helvetica, Arial, sans-serif",
      ])
    let step = Text.number(font * 0.55)
    writer.begin(
      "pattern",
      [
        "id": "hatch", "width": step, "height": step, "patternUnits": "userSpaceOnUse",
        "patternTransform": "rotate(45)",
      ])
    writer.element(
      "rect",
      ["width": Text.number(font * 0.1), "height": step, "fill": "#999999"])
    writer.end()
    writer.element("rect", ["width": width, "height": height, "fill": "#f4f4f4"])
  }

  private static func write(
    _ text: String, y: Double, _ font: Double, _ writer: inout SVGWriter
  ) {
    writer.element(
      "text",
      ["x": "0", "y": Text.number(y), "font-size": Text.number(font), "fill": "#222222"],
      text: text)
  }

  /// What `hit-test` would say, in a line.
  private static func answer(_ point: Point, on screen: ScreenIndex, in layout: Layout) -> String {
    let isOnScreen = layout.bounds(of: screen).contains(point)
    let target = isOnScreen ? HitTester(layout).hitTest(point, on: screen) : nil
    let answer = HitAnswer(point, on: screen, target: target, isOnScreen: isOnScreen, in: layout)
    guard target != nil else { return answer.lines.joined() }
    return "\(Text.point(point)) asks \(answer.chain.joined(separator: ", "))"
  }
}
