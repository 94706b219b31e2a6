import TouchModel

/// A view that is there for touches by all that it says, and that no touch can hit: nothing of it
/// is left, or nothing of it lies where its superviews are asked. Rules H2 to H6.
public struct UnreachableView: Equatable, Sendable {
  /// Why no touch can hit a view.
  public enum Reason: Equatable, Sendable {
    /// Its frame has no width or no height, and its outset adds none.
    case noSize
    /// Its outset takes away all that its frame has.
    case outset
    /// A window: it is beside its screen.
    case offScreen
    /// It is beside its superview.
    case offSuperview
    /// It is within its superview, but not within what is left of that on the screen and in the
    /// superviews above.
    case clipped
  }

  /// The view; what it contains is not listed besides.
  public let view: ViewIndex
  /// Why no touch can hit it.
  public let reason: Reason

  /// The views of a layout that no touch can hit, in pre-order.
  ///
  /// Views that are hidden are left out, since who shows one may place it as well; so are those
  /// whose rules or whose superviews' rules decide otherwise (`inside`, `hit`). Boxes upright in a
  /// view's own coordinates are compared, so that a turned view beside a corner may be missed, and
  /// none is listed wrongly.
  ///
  /// - Parameter scrolls: Whether a view's contents may be scrolled, so that what is beside it now
  ///   need not stay so. Asked for few views alone.
  public static func all(
    in layout: Layout, limit: Int = .max, scrolls: (ViewIndex) -> Bool = { _ in false }
  ) -> [UnreachableView] {
    var finder = UnreachableViewFinder(layout)
    return finder.find(limit: limit, scrolls: scrolls)
  }
}

/// Goes down the tree, and keeps for each view the box at which its subviews are asked.
private struct UnreachableViewFinder {
  private let layout: Layout
  /// For each view the box in its own coordinates outside of which no subview is asked.
  private var asked: [Rect]
  /// Descendants that a hit rule asks first: wherever they lie.
  private var named: Set<ViewIndex> = []
  private var found: [UnreachableView] = []

  /// Outside of this nothing lies.
  private static let everywhere = Rect(x: -1e12, y: -1e12, width: 2e12, height: 2e12)

  init(_ layout: Layout) {
    self.layout = layout
    asked = Array(repeating: Self.everywhere, count: layout.viewCount)
  }

  mutating func find(limit: Int, scrolls: (ViewIndex) -> Bool) -> [UnreachableView] {
    var index = 0
    while index < layout.viewCount, found.count < limit {
      let view = ViewIndex(Int32(index))
      index = visit(view, scrolls) ? index + 1 : Int(layout[view].end.rawValue)
    }
    return found
  }

  /// Looks at a view, unless its hit rule says all; whether there is anything to look at in it.
  private mutating func visit(_ view: ViewIndex, _ scrolls: (ViewIndex) -> Bool) -> Bool {
    switch layout.hitRule(of: view) {
    case .itself, .none: return false
    case .first(let descendant): named.insert(descendant)
    case .standard, .passThrough, .redirect: break
    }
    return look(at: view, scrolls) && !isRedirecting(view)
  }

  /// Whether a view gets what would be its contents' for another view.
  private func isRedirecting(_ view: ViewIndex) -> Bool {
    if case .redirect = layout.hitRule(of: view) { true } else { false }
  }

  private mutating func look(at view: ViewIndex, _ scrolls: (ViewIndex) -> Bool) -> Bool {
    switch layout.insideRule(of: view) {
    case .never: return false
    case .always, .anyChild, .children: return true
    case .bounds: break
    }
    let region = touchBox(of: view)
    let isExempt = layout[view].isGated || named.contains(view)
    if region.isEmpty {
      if !isExempt { found.append(UnreachableView(view: view, reason: reason(ofEmpty: view))) }
      return false
    }
    let visible = region.intersection(askedBox(of: view))
    // Where it may be placed elsewhere, what it contains is looked at as if it were all there.
    asked[Int(view.rawValue)] = isExempt || visible.isEmpty ? region : visible
    if isExempt || !visible.isEmpty { return true }
    let reason = reason(ofClipped: view, region)
    if reason != .offScreen, mayScroll(above: view, reason, scrolls) { return true }
    found.append(UnreachableView(view: view, reason: reason))
    return false
  }

  /// The box at which a view is asked, in its own coordinates.
  private func askedBox(of view: ViewIndex) -> Rect {
    let transform = layout.superviewTransform(of: view)
    let box: Rect
    if let superview = layout[view].parent {
      box = asked[Int(superview.rawValue)]
    } else {
      box = layout.bounds(of: layout.window(of: view).screen)
    }
    guard box != Self.everywhere, let inverse = transform.inverted() else {
      return Self.everywhere
    }
    return box.boundingBox(under: inverse)
  }

  private func reason(ofEmpty view: ViewIndex) -> UnreachableView.Reason {
    let frame = layout[view].frame
    return frame.width > 0 && frame.height > 0 ? .outset : .noSize
  }

  private func reason(ofClipped view: ViewIndex, _ region: Rect) -> UnreachableView.Reason {
    guard let superview = layout[view].parent else { return .offScreen }
    let box = region.boundingBox(under: layout.superviewTransform(of: view))
    return box.intersection(touchBox(of: superview)).isEmpty ? .offSuperview : .clipped
  }

  /// Whether the superview may scroll, or one further up where it is not the superview's doing.
  private func mayScroll(
    above view: ViewIndex, _ reason: UnreachableView.Reason, _ scrolls: (ViewIndex) -> Bool
  ) -> Bool {
    var next = layout[view].parent
    while let superview = next {
      if scrolls(superview) { return true }
      next = reason == .clipped ? layout[superview].parent : nil
    }
    return false
  }

  /// The bounds of a view grown by its outset, in its own coordinates. Rule H3.
  private func touchBox(of view: ViewIndex) -> Rect {
    layout.bounds(of: view).grown(by: layout.outset(of: view))
  }
}

extension Rect {
  fileprivate var isEmpty: Bool { !(width > 0 && height > 0) }

  fileprivate func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return Rect(
      x: left, y: top, width: min(maxX, other.maxX) - left, height: min(maxY, other.maxY) - top)
  }
}
