import Layout
import Server
import TouchModel

/// Layouts for tests.
enum Layouts {
  /// Two windows of one application on a screen; the first has a toolbar with a button.
  static func home() throws -> Layout {
    var toolbar = ViewProperties(frame: frame(0, 0, 800, 60))
    toolbar.controller = "bar"
    var button = ViewProperties(frame: frame(8, 8, 44, 44))
    button.boundsOrigin = Point(x: 3, y: 4)
    button.transform = AffineTransform(scaleX: 2, y: 2)
    button.alpha = 0.5
    button.hidden = true
    return try Layout(
      LayoutDescription(
        screens: World.greeting.screens,
        windows: [
          LayoutDescription.Window(
            name: "home", screen: ScreenIndex(0), application: "dashboard",
            properties: ViewProperties(frame: frame(10, 20, 800, 480))),
          LayoutDescription.Window(
            name: "bar", screen: ScreenIndex(1), level: 1, application: "dashboard",
            properties: ViewProperties(frame: frame(0, 0, 1920, 120))),
        ],
        views: [
          LayoutDescription.View(path: "home/toolbar", properties: toolbar),
          LayoutDescription.View(path: "home/toolbar/back", properties: button),
        ]))
  }

  /// One window with `count` views of long names.
  static func wide(_ count: Int, nameLength: Int = 200) throws -> Layout {
    let views = (0..<count).map { number in
      let digits = String(number)
      let name = String(repeating: "v", count: nameLength - digits.count) + digits
      return LayoutDescription.View(
        path: "home/\(name)", properties: ViewProperties(frame: frame(0, 0, 10, 10)))
    }
    return try Layout(
      LayoutDescription(
        screens: [Screen(name: "panel", size: Size(width: 800, height: 480))],
        windows: [
          LayoutDescription.Window(
            name: "home", screen: ScreenIndex(0),
            properties: ViewProperties(frame: frame(0, 0, 800, 480)))
        ], views: views))
  }

  static func frame(_ x: Double, _ y: Double, _ width: Double, _ height: Double)
    -> FrameDescription
  {
    FrameDescription(Rect(x: x, y: y, width: width, height: height))
  }
}
