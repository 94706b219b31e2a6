package import Layout
package import TouchModel

/// The answer to one hit-test.
package struct HitAnswer {
  /// The point, in points of the screen.
  package let point: Point
  /// The screen that was asked.
  package let screen: Screen
  /// Whether the point lies on the screen; a touch that begins elsewhere is discarded. Rule T8.
  package let isOnScreen: Bool
  /// The path of the view found; nil where there is none.
  package let target: String?
  /// The point in the target's coordinates.
  package let location: Point?
  /// The responders that would be asked, from the target up. Rule R1.
  package let chain: [String]

  /// The answer for a point of a screen.
  ///
  /// - Parameter target: what the hit-test found.
  package init(
    _ point: Point, on screen: ScreenIndex, target: ViewIndex?, isOnScreen: Bool, in layout: Layout
  ) {
    self.point = point
    self.screen = layout.screens[Int(screen.rawValue)]
    self.isOnScreen = isOnScreen
    self.target = target.map(layout.path(of:))
    location = target.map { layout.screenTransform(of: $0).apply(point) }
    chain = target.map { layout.chain(of: $0).map(layout.path(of:)) } ?? []
  }

  /// For people: the target, where it was hit, and who would be asked.
  package var lines: [String] {
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
