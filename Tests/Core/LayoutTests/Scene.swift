import Layout
import TouchModel

/// A layout written down briefly: one screen, windows and views by path with their frames.
struct Scene {
  var description = LayoutDescription(
    screens: [Screen(name: "panel", size: Size(width: 800, height: 480))])

  static let screen = ScreenIndex(0)

  mutating func window(
    _ name: String, _ frame: Rect, level: Int = 0, application: String? = nil, screen: Int32 = 0,
    _ change: (inout ViewProperties) -> Void = { _ in }
  ) {
    var properties = ViewProperties(frame: FrameDescription(frame))
    change(&properties)
    description.windows.append(
      LayoutDescription.Window(
        name: name, screen: ScreenIndex(screen), level: level, application: application,
        properties: properties))
  }

  mutating func view(
    _ path: String, _ frame: Rect, _ change: (inout ViewProperties) -> Void = { _ in }
  ) {
    var properties = ViewProperties(frame: FrameDescription(frame))
    change(&properties)
    description.views.append(LayoutDescription.View(path: path, properties: properties))
  }

  func layout() throws -> Layout { try Layout(description) }
}

extension Rect {
  /// x, y, width, height.
  init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    self.init(x: x, y: y, width: width, height: height)
  }
}

extension HitTester {
  /// The path of the view at (x, y) of the first screen; `-` for none.
  func path(_ x: Double, _ y: Double) -> String {
    hitTest(Point(x: x, y: y), on: Scene.screen).map(layout.path(of:)) ?? "-"
  }

  /// The names of the views whose hitTest is called for (x, y), in the order of the calls.
  func visited(_ x: Double, _ y: Double) -> [String] {
    trace(Point(x: x, y: y), on: Scene.screen).steps.compactMap { step in
      if case .hit(let view) = step { layout.name(of: view) } else { nil }
    }
  }
}
