import TouchModel

/// Where the views of a window may take touches, as boxes on its screen, whatever gates they have
/// now: hidden ones may be shown. Rule L6.
struct WindowReach {
  /// Boxes within this many points of an area's edge lie in it: a rotation does not come out even.
  static let tolerance = 0.001

  /// Whether subviews of such a view get no touch outside of its own box, wherever they are. Rules
  /// H2, H5 and H6.
  static func clips(_ properties: ViewProperties) -> Bool {
    if case .first = properties.hit { return false }
    switch properties.inside {
    case .bounds, .never: return true
    case .always, .children: return false
    }
  }

  /// The same of a view of a layout.
  static func clips(_ layout: Layout, _ view: ViewIndex) -> Bool {
    if case .first = layout.hitRule(of: view) { return false }
    switch layout.insideRule(of: view) {
    case .bounds, .never: return true
    case .always, .anyChild, .children: return false
    }
  }

  /// Whether such a view takes every touch that it is asked about, inside or not, whatever its
  /// subviews are. Rules H5 and H6.
  static func takesAll(_ properties: ViewProperties) -> Bool {
    switch properties.hit {
    case .itself: true
    case .none, .passThrough: false
    case .standard, .redirect, .first: properties.inside == .always
    }
  }

  /// The box of a window's root, which needs no layout.
  static func box(ofRoot properties: ViewProperties, on screen: Screen) -> Rect {
    box(of: properties, in: screen.size).clipped(to: screen.size)
  }

  /// The box of a view with its outset, in the coordinates of its superview, which has that size;
  /// all there is where roundings would make it another one for touches.
  static func box(of properties: ViewProperties, in size: Size) -> Rect {
    let frame = properties.frame
    let rect = Rect(
      x: frame.x.resolved(in: size.width), y: frame.y.resolved(in: size.height),
      width: frame.width.resolved(in: size.width),
      height: frame.height.resolved(in: size.height))
    let center = rect.center
    if !isExact(properties, rect, in: size) { return everything }
    return Rect(x: -rect.width / 2, y: -rect.height / 2, width: rect.width, height: rect.height)
      .grown(by: properties.outset)
      .boundingBox(
        under: properties.transform.concatenating(
          AffineTransform(translationX: center.x, y: center.y)))
  }

  /// Larger than any layout.
  private static let everything = Rect(x: -1e300, y: -1e300, width: 2e300, height: 2e300)

  /// Whether a view of that frame is where its box says, as far as its own step is concerned.
  private static func isExact(_ properties: ViewProperties, _ frame: Rect, in size: Size) -> Bool {
    let transform = properties.transform
    guard !transform.isTranslation else { return true }
    guard let inverse = transform.inverted() else { return false }
    var roundings = Roundings(size)
    let origin = properties.boundsOrigin
    roundings.take(
      ViewTree.Step(
        center: frame.center, a: inverse.a, b: inverse.b, c: inverse.c, d: inverse.d,
        offset: Point(
          x: abs(inverse.tx) + abs(origin.x) + frame.width,
          y: abs(inverse.ty) + abs(origin.y) + frame.height),
        isTranslation: false),
      transform)
    return roundings.areSmall
  }

  /// Whether a box lies in one of those; an empty one does.
  static func isBox(_ box: Rect, in areas: [Rect]) -> Bool {
    guard box.width > 0, box.height > 0 else { return true }
    return areas.contains { area in
      box.x >= area.x - tolerance && box.y >= area.y - tolerance
        && box.maxX <= area.maxX + tolerance && box.maxY <= area.maxY + tolerance
    }
  }

  let layout: Layout

  init(_ layout: Layout) { self.layout = layout }

  /// The box of a view with its outset, as far as it is on the screen; the whole screen where
  /// roundings would make it another one for touches.
  func box(of view: ViewIndex) -> Rect {
    guard isExact(view) else { return screen(of: view) }
    return layout.bounds(of: view).grown(by: layout.outset(of: view))
      .boundingBox(under: layout.tree.toScreen(of: view)).clipped(to: screenSize(of: view))
  }

  /// The whole screen that a view is on.
  func screen(of view: ViewIndex) -> Rect {
    let size = screenSize(of: view)
    return Rect(x: 0, y: 0, width: size.width, height: size.height)
  }

  private func screenSize(of view: ViewIndex) -> Size {
    layout.screens[Int(layout.window(of: view).screen.rawValue)].size
  }

  /// Whether a view is where its box says, whatever is rounded on the way to it.
  func isExact(_ view: ViewIndex) -> Bool {
    let tree = layout.tree
    let way = sequence(first: view) { layout[$0].parent }
    // Steps that only move make no rounding larger.
    if way.allSatisfy({ tree.step(of: layout[$0]).isTranslation }) { return true }
    var roundings = Roundings(screenSize(of: view))
    for view in Array(way).reversed() {
      roundings.take(tree.step(of: layout[view]), tree.toScreen(of: view))
    }
    return roundings.areSmall
  }

  /// Whether a view takes every touch that it is asked about, inside or not. Rules H5 and H6.
  func takesAll(_ view: ViewIndex) -> Bool {
    switch layout.hitRule(of: view) {
    case .itself: true
    case .none, .passThrough: false
    case .standard, .redirect, .first: hasAllInside(view)
    }
  }

  /// Whether every point is inside a view: by itself, or by a subview that it asks.
  private func hasAllInside(_ view: ViewIndex) -> Bool {
    switch layout.insideRule(of: view) {
    case .always: true
    case .bounds, .never: false
    case .children(let subviews): subviews.contains(where: hasAllInside)
    case .anyChild: layout.subviews(of: view).contains(where: hasAllInside)
    }
  }

  /// The views in a view that one which it lies in asks first, whatever is between them. Rule H6.
  func askedFirst(in view: ViewIndex) -> [ViewIndex] {
    sequence(first: view) { [layout] in layout[$0].parent }.dropFirst().compactMap { superview in
      guard case .first(let descendant) = layout.hitRule(of: superview),
        view < descendant, descendant < layout[view].end
      else { return nil }
      return descendant
    }
  }

  /// The views in a view that nothing between them and it clips, so that a touch outside of it may
  /// be theirs; the view itself first.
  func unclippedViews(in root: ViewIndex) -> [ViewIndex] {
    var found: [ViewIndex] = []
    var seen: Set<ViewIndex> = []
    var left = [root]
    while let view = left.popLast() {
      guard seen.insert(view).inserted else { continue }
      found.append(view)
      if case .first(let descendant) = layout.hitRule(of: view) { left.append(descendant) }
      switch layout.insideRule(of: view) {
      case .bounds, .never: break
      case .children(let subviews): left += subviews
      case .always, .anyChild: left += layout.subviews(of: view).reversed()
      }
    }
    return found
  }
}

extension Rect {
  /// The rectangle with an outset around it; of no size where the outset leaves nothing of it.
  func grown(by outset: Outset) -> Rect {
    Rect(
      x: x - outset.left, y: y - outset.top,
      width: max(0, width + outset.left + outset.right),
      height: max(0, height + outset.top + outset.bottom))
  }

  fileprivate func clipped(to size: Size) -> Rect {
    let left = max(x, 0)
    let top = max(y, 0)
    return Rect(
      x: left, y: top, width: min(maxX, size.width) - left, height: min(maxY, size.height) - top)
  }
}
