import Layout
import TouchModel

/// A layout as an SVG: its screens side by side, and a legend.
struct SVGDocument {
  /// The lines of the document.
  let lines: [String]

  /// More views can't be told apart in a drawing, and their labels would take minutes to place.
  static let maximumViews = 2000

  /// - Parameter point: a point of the first of the screens, to be marked with the hit-test's
  ///   answer.
  /// - Throws: where the screens have more than ``maximumViews`` views.
  init(_ layout: Layout, screens: [ScreenIndex], point: Point?) throws(Failure) {
    let windows = layout.windows.indices.filter { screens.contains(layout.windows[$0].screen) }
    let views = windows.reduce(0) { count, window in
      let root = layout.windows[window].root
      return count + Int(layout[root].end.rawValue - root.rawValue)
    }
    guard views <= Self.maximumViews else {
      throw Failure(
        "--svg draws at most \(Self.maximumViews) views, and there are \(views): "
          + (screens.count == 1 ? "draw a smaller layout" : "name one --screen"))
    }
    let sizes = screens.map { layout.screens[Int($0.rawValue)].size }
    let content = sizes.reduce(0) { $0 + $1.width }
    let tallest = sizes.reduce(0) { max($0, $1.height) }
    // The drawing is read at the size of a page, whatever the screen's.
    let font = max(content, tallest * 1.4) / 66
    let gap = font * 2
    let inner = content + gap * Double(screens.count - 1)
    let legend = SVGLegend(
      layout, windows: windows, hasPoint: point != nil, font: font, width: inner)
    let size = Size(
      width: inner + gap * 2,
      height: tallest + gap * 3 + legend.height + (point == nil ? 0 : gap))

    var writer = SVGWriter()
    Self.begin(&writer, size: size, font: font)
    var x = gap
    for (screen, size) in zip(screens, sizes) {
      let name = layout.screens[Int(screen.rawValue)].name
      let mark = screen == screens.first ? point : nil
      writer.begin(
        "g",
        [
          "class": "screen", "data-screen": name,
          "transform": "translate(\(Text.number(x)) \(Text.number(gap * 1.5)))",
        ])
      Self.write(
        LayoutTree.text(
          name, size, rotation: layout.screens[Int(screen.rawValue)].rotation.rawValue),
        y: -font * 0.6, font, &writer)
      SVGScreen(layout, screen: screen, point: mark, font: font).draw(&writer)
      writer.end()
      x += size.width + gap
    }
    writer.begin(
      "g",
      ["transform": "translate(\(Text.number(gap)) \(Text.number(tallest + gap * 2.2)))"])
    legend.draw(&writer)
    if let point, let screen = screens.first {
      let answer = Self.answer(point, on: screen, in: layout)
      // In one line, however narrow the screen.
      let fitting = min(font, inner / (Double(answer.count) * 0.62))
      Self.write(answer, y: legend.height + font * 1.5, fitting, &writer)
    }
    writer.end()
    writer.end()
    lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"] + writer.lines
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
