import Layout
import Measuring
import TouchModel

/// The layouts that are measured: one window on a screen of 1920 by 1080 points.
enum Layouts {
  static let size = Size(width: 1920, height: 1080)

  private static func empty() -> LayoutDescription {
    LayoutDescription(
      screens: [Screen(name: "screen", size: size)],
      windows: [
        LayoutDescription.Window(
          name: "w", screen: ScreenIndex(0),
          properties: properties(0, 0, size.width, size.height))
      ])
  }

  private static func properties(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double
  ) -> ViewProperties {
    ViewProperties(frame: FrameDescription(Rect(x: x, y: y, width: width, height: height)))
  }

  /// A bar with three buttons, a list with five rows, and a pop-up with a button.
  static func small() -> LayoutDescription {
    var layout = empty()
    func add(_ path: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double) {
      layout.views.append(
        LayoutDescription.View(path: "w/" + path, properties: properties(x, y, width, height)))
    }
    add("bar", 0, 0, 1920, 80)
    for button in 0..<3 { add("bar/\(button)", 20 + 200 * Double(button), 10, 160, 60) }
    add("list", 0, 80, 1920, 1000)
    for row in 0..<4 { add("list/\(row)", 40, 40 + 240 * Double(row), 1840, 200) }
    add("pop-up", 600, 300, 720, 480)
    add("pop-up/close", 640, 20, 60, 60)
    return layout
  }

  /// Siblings at random places, of which about 2.5 overlap at a point.
  static func wide(_ count: Int) -> LayoutDescription {
    var layout = empty()
    var random = SeededGenerator(state: UInt64(count))
    let side = (2.5 * size.width * size.height / Double(count)).squareRoot()
    for number in 0..<count - 1 {
      let width = side * Double.random(in: 0.5...1.5, using: &random)
      let height = side * Double.random(in: 0.5...1.5, using: &random)
      let x = Double.random(in: 0...max(0, size.width - width), using: &random)
      let y = Double.random(in: 0...max(0, size.height - height), using: &random)
      layout.views.append(
        LayoutDescription.View(
          path: "w/\(number)", properties: properties(x, y, width, height)))
    }
    return layout
  }

  /// Views in views in a grid with gaps: `columns[0]` by `rows[0]` in the window, and so on.
  static func nested(_ columns: [Int], _ rows: [Int]) -> LayoutDescription {
    var layout = empty()
    func fill(_ path: String, _ size: Size, _ level: Int) {
      guard level < columns.count else { return }
      let width = size.width / Double(columns[level])
      let height = size.height / Double(rows[level])
      for row in 0..<rows[level] {
        for column in 0..<columns[level] {
          let child = "\(path)/\(row * columns[level] + column)"
          let inner = Size(width: width * 0.9, height: height * 0.9)
          layout.views.append(
            LayoutDescription.View(
              path: child,
              properties: properties(
                Double(column) * width + width * 0.05, Double(row) * height + height * 0.05,
                inner.width, inner.height)))
          fill(child, inner, level + 1)
        }
      }
    }
    fill("w", size, 0)
    return layout
  }

  /// A list as large as the screen, of rows of 50 points.
  static func list(_ rows: Int) -> LayoutDescription {
    var layout = empty()
    layout.views.append(
      LayoutDescription.View(
        path: "w/list", properties: properties(0, 0, size.width, size.height)))
    for row in 0..<rows {
      layout.views.append(
        LayoutDescription.View(
          path: "w/list/\(row)", properties: properties(0, 50 * Double(row), size.width, 50)))
    }
    return layout
  }

  /// A chain of views each a little smaller than the one around it, with small siblings along it.
  static func chain(depth: Int, siblings: Int) -> LayoutDescription {
    var layout = empty()
    var random = SeededGenerator(state: 1)
    var path = "w"
    var (width, height) = (size.width, size.height)
    for _ in 0..<depth - 1 {
      for number in 0..<siblings {
        layout.views.append(
          LayoutDescription.View(
            path: "\(path)/\(number)",
            properties: properties(
              Double.random(in: 0...width, using: &random),
              Double.random(in: 0...height, using: &random), 40, 30)))
      }
      path += "/c"
      let step = 0.45 / Double(depth)
      width -= 2 * size.width * step
      height -= 2 * size.height * step
      layout.views.append(
        LayoutDescription.View(
          path: path,
          properties: properties(size.width * step, size.height * step, width, height)))
    }
    return layout
  }
}
