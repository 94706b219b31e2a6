import Layout
import TouchModel

/// The recursion of rule H2 over a tree of objects, written as the rules say it and made from the
/// description alone: what every other form must agree with (H8).
final class Oracle {
  /// How L2's formula is evaluated.
  enum Arithmetic {
    /// As it is written.
    case literal
    /// As the layout documents it: one addition for each axis where the transform only moves.
    case folded
  }

  final class View {
    let path: String
    let properties: ViewProperties
    let frame: Rect
    let arithmetic: Arithmetic
    var subviews: [View] = []
    /// What the layout calls it.
    var index: ViewIndex?

    init(
      _ path: String, _ properties: ViewProperties, in superview: Size, _ arithmetic: Arithmetic
    ) {
      self.path = path
      self.properties = properties
      self.arithmetic = arithmetic
      let frame = properties.frame
      self.frame = Rect(
        x: frame.x.resolved(in: superview.width), y: frame.y.resolved(in: superview.height),
        width: frame.width.resolved(in: superview.width),
        height: frame.height.resolved(in: superview.height))
    }

    var size: Size { Size(width: frame.width, height: frame.height) }
  }

  /// Windows from back to front, with their screens.
  private(set) var windows: [(screen: ScreenIndex, root: View)] = []
  private var byPath: [String: View] = [:]
  var views: [View] { Array(byPath.values) }

  init(_ layout: Layout, _ description: LayoutDescription, _ arithmetic: Arithmetic) {
    let order = description.windows.enumerated().sorted {
      ($0.element.level, $0.offset) < ($1.element.level, $1.offset)
    }
    for (_, window) in order {
      let size = description.screens[Int(window.screen.rawValue)].size
      let root = View(window.name, window.properties, in: size, arithmetic)
      windows.append((window.screen, root))
      byPath[window.name] = root
    }
    for view in description.views.sorted(by: { depth($0.path) < depth($1.path) }) {
      guard let slash = view.path.lastIndex(of: "/"),
        let superview = byPath[String(view.path[..<slash])]
      else { preconditionFailure("\(view.path) has no superview") }
      byPath[view.path] = View(view.path, view.properties, in: superview.size, arithmetic)
    }
    for description in description.views {
      guard let slash = description.path.lastIndex(of: "/"), let view = byPath[description.path]
      else { continue }
      byPath[String(description.path[..<slash])]?.subviews.append(view)
    }
    for (path, view) in byPath { view.index = layout.view(at: path) }
  }

  private func depth(_ path: String) -> Int { path.utf8.count { $0 == UInt8(ascii: "/") } }

  /// H7.
  func hitTest(_ point: Point, on screen: ScreenIndex) -> ViewIndex? {
    for (itsScreen, root) in windows.reversed() where itsScreen == screen {
      if let found = hitTest(root, convert(point, to: root)) { return found.index }
    }
    return nil
  }

  /// H6, with the gates of H2 in front.
  private func hitTest(_ view: View, _ point: Point) -> View? {
    let properties = view.properties
    if properties.hidden || !properties.interaction || properties.alpha <= 0.01 { return nil }
    switch properties.hit {
    case .standard:
      return defaultHitTest(view, point)
    case .itself:
      return view
    case .none:
      return nil
    case .passThrough:
      let found = defaultHitTest(view, point)
      return found === view ? nil : found
    case .redirect(let path):
      return defaultHitTest(view, point) == nil ? nil : byPath[view.path + "/" + path]
    case .first(let path):
      var local = point
      var descendant = view
      for name in path.split(separator: "/") {
        guard let next = byPath[descendant.path + "/" + name] else { return nil }
        descendant = next
        local = convert(local, to: descendant)
      }
      return hitTest(descendant, local) ?? defaultHitTest(view, point)
    }
  }

  /// H2, steps 2 to 4.
  private func defaultHitTest(_ view: View, _ point: Point) -> View? {
    if !pointInside(view, point) { return nil }
    for subview in view.subviews.reversed() {
      if let found = hitTest(subview, convert(point, to: subview)) { return found }
    }
    return view
  }

  /// H5.
  private func pointInside(_ view: View, _ point: Point) -> Bool {
    switch view.properties.inside {
    case .bounds: return ownPointInside(view, point)
    case .always: return true
    case .never: return false
    case .children(let names):
      if ownPointInside(view, point) { return true }
      let subviews =
        names.isEmpty ? view.subviews : names.compactMap { byPath[view.path + "/" + $0] }
      return subviews.contains { pointInside($0, convert(point, to: $0)) }
    }
  }

  /// H3 and H4.
  private func ownPointInside(_ view: View, _ point: Point) -> Bool {
    let origin = view.properties.boundsOrigin
    let outset = view.properties.outset
    let x0 = origin.x - outset.left
    let y0 = origin.y - outset.top
    let x1 = origin.x + view.size.width + outset.right
    let y1 = origin.y + view.size.height + outset.bottom
    guard x0 <= point.x, point.x < x1, y0 <= point.y, point.y < y1 else { return false }
    switch view.properties.shape {
    case .rect:
      return true
    case .ellipse:
      let (rx, ry) = ((x1 - x0) / 2, (y1 - y0) / 2)
      let (dx, dy) = (point.x - (x0 + x1) / 2, point.y - (y0 + y1) / 2)
      return (dx * ry) * (dx * ry) + (dy * rx) * (dy * rx) <= (rx * ry) * (rx * ry)
    case .rounded(let radius):
      let radius = min(radius, (x1 - x0) / 2, (y1 - y0) / 2)
      let dx = max(x0 + radius - point.x, point.x - (x1 - radius), 0)
      let dy = max(y0 + radius - point.y, point.y - (y1 - radius), 0)
      return dx == 0 || dy == 0 || dx * dx + dy * dy <= radius * radius
    case .polygon(let corners):
      if view.size.width == 0 || view.size.height == 0 { return false }
      let x = (point.x - x0) * (view.size.width / (x1 - x0))
      let y = (point.y - y0) * (view.size.height / (y1 - y0))
      return isInPolygon(Point(x: x, y: y), corners)
    }
  }

  /// Even-odd, edges included: along the ray to the right, edges crossed an odd number of times.
  private func isInPolygon(_ point: Point, _ corners: [Point]) -> Bool {
    var crossings = 0
    for (index, end) in corners.enumerated() {
      let start = corners[(index + corners.count - 1) % corners.count]
      let area =
        (end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x)
      let isBetween =
        min(start.x, end.x)...max(start.x, end.x) ~= point.x
        && min(start.y, end.y)...max(start.y, end.y) ~= point.y
      if area == 0 && isBetween { return true }
      if start.y <= point.y && end.y > point.y && area > 0 { crossings += 1 }
      if end.y <= point.y && start.y > point.y && area < 0 { crossings += 1 }
    }
    return crossings % 2 == 1
  }

  /// L2.
  private func convert(_ point: Point, to view: View) -> Point {
    let transform = view.properties.transform
    guard let inverse = transform.inverted() else { preconditionFailure("not invertible") }
    let origin = view.properties.boundsOrigin
    let frame = view.frame
    let isMove = (transform.a, transform.b, transform.c, transform.d) == (1, 0, 0, 1)
    switch view.arithmetic {
    case .folded where isMove:
      return Point(
        x: point.x + (origin.x - frame.x + inverse.tx),
        y: point.y + (origin.y - frame.y + inverse.ty))
    case .folded:
      let (x, y) = (point.x - frame.center.x, point.y - frame.center.y)
      return Point(
        x: inverse.a * x + inverse.c * y + (inverse.tx + origin.x + frame.width / 2),
        y: inverse.b * x + inverse.d * y + (inverse.ty + origin.y + frame.height / 2))
    case .literal:
      let moved = inverse.apply(
        Point(x: point.x - frame.center.x, y: point.y - frame.center.y))
      return Point(
        x: moved.x + origin.x + frame.width / 2, y: moved.y + origin.y + frame.height / 2)
    }
  }
}
