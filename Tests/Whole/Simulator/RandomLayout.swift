import Layout
import TestSupport
import TouchModel

/// Layouts that resemble one another: each has a part of the same tree of paths, so that a change
/// from one to another keeps, moves, removes and adds.
enum RandomLayout {
  /// Every path that a responder can have in one of them, and one that none has.
  static let paths: [String] = {
    var paths = ["app:p", "app:q", "nowhere"]
    for view in windows.flatMap({ views(below: $0, depth: 2) }) {
      paths += [view, view + "@c", view + "@d"]
    }
    return paths
  }()

  /// One of the paths, often one high up, where touches of many views come.
  static func anyPath(using generator: inout SeededGenerator) -> String {
    paths[generator.oneIn(2) ? generator.below(paths.count) : high[generator.below(high.count)]]
  }

  /// Which of the paths those of applications and windows are.
  static let high = [0, 1, 3, 24, 45]

  private static let windows = ["u", "v", "w"]

  private static func views(below path: String, depth: Int) -> [String] {
    depth == 0
      ? [path] : [path] + ["a", "b"].flatMap { views(below: path + "/" + $0, depth: depth - 1) }
  }

  /// Two screens of 200 by 100 points with some of the windows and views.
  static func make(using generator: inout SeededGenerator) -> LayoutDescription {
    let size = Size(width: 200, height: 100)
    var description = LayoutDescription(screens: [
      Screen(name: "left", size: size), Screen(name: "right", size: size),
    ])
    for name in windows where !generator.oneIn(6) {
      let applications: [String?] = ["p", "p", "q", nil]
      description.windows.append(
        LayoutDescription.Window(
          name: name, screen: ScreenIndex(generator.oneIn(5) ? 1 : 0), level: generator.below(2),
          application: applications[generator.below(4)],
          isResizable: generator.oneIn(4),
          properties: properties(200, 100, &generator)))
      var known: Set<String> = [name]
      for path in views(below: name, depth: 2).dropFirst() {
        let parent = path.split(separator: "/").dropLast().joined(separator: "/")
        guard known.contains(parent), !generator.oneIn(4) else { continue }
        known.insert(path)
        description.views.append(
          LayoutDescription.View(path: path, properties: properties(100, 60, &generator)))
      }
    }
    return description
  }

  /// The same tree with other properties of some views, as a client sets them.
  static func varied(
    _ description: LayoutDescription, using generator: inout SeededGenerator
  ) -> LayoutDescription {
    var description = description
    for index in description.windows.indices where generator.oneIn(3) {
      let controller = description.windows[index].properties.controller
      description.windows[index].properties = properties(200, 100, &generator)
      description.windows[index].properties.controller = controller
      if generator.oneIn(4) { description.windows[index].application = "p" }
    }
    for index in description.views.indices where generator.oneIn(5) {
      let controller = description.views[index].properties.controller
      description.views[index].properties = properties(100, 60, &generator)
      description.views[index].properties.controller = controller
    }
    return description
  }

  private static func properties(
    _ width: Int, _ height: Int, _ generator: inout SeededGenerator
  ) -> ViewProperties {
    let frame = Rect(
      x: Double(generator.below(60)), y: Double(generator.below(40)),
      width: Double(width / 2 + generator.below(width)),
      height: Double(height / 2 + generator.below(height)))
    var properties = ViewProperties(frame: FrameDescription(frame))
    properties.hidden = generator.oneIn(12)
    properties.multipleTouch = !generator.oneIn(5)
    properties.exclusiveTouch = generator.oneIn(8)
    properties.secure = generator.oneIn(12)
    properties.controller = generator.oneIn(2) ? nil : generator.oneIn(2) ? "c" : "d"
    if generator.oneIn(4) {
      properties.transform = AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 3, ty: 0)
    }
    if generator.oneIn(4) { properties.boundsOrigin = Point(x: 7, y: -3) }
    return properties
  }
}
