import Layout
import TouchModel

/// The answer to one hit-test.
struct HitAnswer {
  let point: Point
  let screen: Screen
  let isOnScreen: Bool
  let target: String?
  /// The point in the target's coordinates.
  let location: Point?
  /// The responders that would be asked, from the target up. Rule R1.
  let chain: [String]

  init(
    _ point: Point, on screen: ScreenIndex, target: ViewIndex?, isOnScreen: Bool, in layout: Layout
  ) {
    self.point = point
    self.screen = layout.screens[Int(screen.rawValue)]
    self.isOnScreen = isOnScreen
    self.target = target.map(layout.path(of:))
    location = target.map { layout.screenTransform(of: $0).apply(point) }
    chain = target.map { layout.chain(of: $0).map(layout.path(of:)) } ?? []
  }

  var lines: [String] {
    guard let target, let location else {
      let size = "\(Text.number(screen.size.width)) by \(Text.number(screen.size.height)) points"
      let reason =
        isOnScreen
        ? "no window takes it" : "it is outside screen \"\(screen.name)\", which has \(size)"
      return ["nothing at \(Text.point(point)): \(reason)"]
    }
    return [
      target, "  at \(Text.point(location)) in its coordinates",
      "  asked in this order: \(chain.joined(separator: ", "))",
    ]
  }
}
