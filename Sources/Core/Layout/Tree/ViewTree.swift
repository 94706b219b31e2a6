import TouchModel

/// The views of a layout in pre-order, and their geometry: everything that is asked of views
/// without their names and responders.
@usableFromInline
struct ViewTree: Sendable {
  /// The views in pre-order.
  @usableFromInline private(set) var views: PagedArray<Layout.View>
  /// What few views have; ``Layout/View/extrasIndex`` leads here.
  private var extras: PagedArray<Layout.ViewExtras>
  /// The names of feedback; ``Layout/View/feedbackIndex`` leads here.
  private var feedbacks: PagedArray<String>

  init(_ parts: LayoutParts) {
    views = PagedArray(parts.views)
    extras = PagedArray(parts.extras)
    feedbacks = PagedArray(parts.feedbacks)
  }

  /// Puts another view in a view's place in the tree.
  mutating func replace(_ view: ViewIndex, with other: Layout.View) {
    views.replace(at: Int(view.rawValue), with: other)
  }

  /// What few views have, for a view that had some at an index, or none where that is -1; the index
  /// now. Who had some keeps the place for it.
  mutating func put(_ new: Layout.ViewExtras?, at index: Int32) -> Int32 {
    guard index >= 0 else {
      guard let new else { return -1 }
      extras.append(new)
      return Int32(extras.count - 1)
    }
    if new ?? .none != extras[Int(index)] { extras.replace(at: Int(index), with: new ?? .none) }
    return index
  }

  /// The name of a view's feedback, for a view that had one at an index, or none where that is -1;
  /// the index now. An empty name is none.
  mutating func put(feedback name: String, at index: Int32) -> Int32 {
    guard index >= 0 else {
      if name.isEmpty { return -1 }
      feedbacks.append(name)
      return Int32(feedbacks.count - 1)
    }
    if name != feedbacks[Int(index)] { feedbacks.replace(at: Int(index), with: name) }
    return index
  }

  /// Whether what few views have is the same for two views of two trees.
  func hasSameExtras(_ view: Layout.View, as other: Layout.View, of tree: ViewTree) -> Bool {
    if view.extrasIndex < 0, other.extrasIndex < 0 { return true }
    return extras(of: view) == tree.extras(of: other)
  }

  @inlinable
  subscript(view: ViewIndex) -> Layout.View { _read { yield views[Int(view.rawValue)] } }

  /// What few views have, and this one may not.
  func extras(of view: Layout.View) -> Layout.ViewExtras { extras(at: view.extrasIndex) }

  /// What few views have, by a view's ``Layout/View/extrasIndex``.
  func extras(at index: Int32) -> Layout.ViewExtras { index < 0 ? .none : extras[Int(index)] }

  /// The subviews of a view, from back to front.
  func subviews(of view: ViewIndex) -> [ViewIndex] {
    var subviews: [ViewIndex] = []
    var next = self[view].lastChild
    while next >= 0 {
      subviews.append(ViewIndex(next))
      next = views[Int(next)].previousSibling
    }
    return subviews.reversed()
  }

  /// The bounds of a view, in its own coordinates.
  func bounds(of view: ViewIndex) -> Rect {
    let view = self[view]
    return Rect(
      x: view.boundsOrigin.x, y: view.boundsOrigin.y,
      width: view.frame.width, height: view.frame.height)
  }

  /// Where a view itself is touchable, in its own coordinates. Rules H3 and H4.
  func touchRegion(of view: ViewIndex) -> TouchRegion {
    let extras = extras(of: self[view])
    return TouchRegion(bounds: bounds(of: view), outset: extras.outset, shape: extras.shape)
  }

  /// Where a view without extras is touchable, in its own coordinates. Rule H3.
  @inline(__always)
  func plainEdges(of view: ViewIndex) -> Edges {
    let bounds = bounds(of: view)
    return Edges(x0: bounds.x, y0: bounds.y, x1: bounds.maxX, y1: bounds.maxY)
  }

  /// A point of the superview, or of the screen for a window's root, in the view's own coordinates.
  /// Rule L2.
  ///
  /// Where the transform only moves, this is one addition for each axis, so that a point on the
  /// left or top edge of a frame comes out on that of the bounds exactly. Everything that hit-tests
  /// converts by this function, step by step, or proves that its result is the same.
  @inline(__always)
  func convert(_ point: Point, fromSuperviewOf view: Layout.View) -> Point {
    guard view.extrasIndex >= 0 else {
      return Point(
        x: point.x + (view.boundsOrigin.x - view.frame.x),
        y: point.y + (view.boundsOrigin.y - view.frame.y))
    }
    return step(of: view).apply(point)
  }

  /// How a view's coordinates follow from its superview's.
  @inline(__always)
  func step(of view: Layout.View) -> Step {
    guard view.extrasIndex >= 0 else {
      return Step(
        center: .zero, a: 1, b: 0, c: 0, d: 1,
        offset: Point(
          x: view.boundsOrigin.x - view.frame.x, y: view.boundsOrigin.y - view.frame.y),
        isTranslation: true)
    }
    let inverse = extras[Int(view.extrasIndex)].inverse
    guard extras[Int(view.extrasIndex)].transform.isTranslation else {
      return Step(
        center: view.frame.center, a: inverse.a, b: inverse.b, c: inverse.c, d: inverse.d,
        offset: Point(
          x: inverse.tx + view.boundsOrigin.x + view.frame.width / 2,
          y: inverse.ty + view.boundsOrigin.y + view.frame.height / 2),
        isTranslation: false)
    }
    return Step(
      center: .zero, a: 1, b: 0, c: 0, d: 1,
      offset: Point(
        x: view.boundsOrigin.x - view.frame.x + inverse.tx,
        y: view.boundsOrigin.y - view.frame.y + inverse.ty),
      isTranslation: true)
  }

  /// A point of one view in the coordinates of its descendant, converted step by step.
  func convert(_ point: Point, from ancestor: ViewIndex, to view: ViewIndex) -> Point {
    convert(point, root: ancestor.rawValue, to: view.rawValue)
  }

  /// A point of a space in the coordinates of a view, converted step by step; the space's root is a
  /// view above it, itself, or -1 for the screen.
  func convert(_ point: Point, root: Int32, to view: Int32) -> Point {
    if view == root { return point }
    let above = convert(point, root: root, to: views[Int(view)].rawParent)
    return convert(above, fromSuperviewOf: views[Int(view)])
  }

  /// One step from a superview's coordinates to a view's. Rule L2.
  struct Step: Sendable {
    var center: Point
    var a: Double
    var b: Double
    var c: Double
    var d: Double
    var offset: Point
    var isTranslation: Bool

    func apply(_ point: Point) -> Point {
      if isTranslation { return Point(x: point.x + offset.x, y: point.y + offset.y) }
      let x = point.x - center.x
      let y = point.y - center.y
      return Point(x: a * x + c * y + offset.x, y: b * x + d * y + offset.y)
    }

    /// The same step as a map of the plane.
    var transform: AffineTransform {
      AffineTransform(
        a: a, b: b, c: c, d: d,
        tx: offset.x - a * center.x - c * center.y, ty: offset.y - b * center.x - d * center.y)
    }
  }

  /// Where a view lies, as a touch must know it.
  func placement(of view: ViewIndex) -> Layout.Placement {
    var index = Int(view.rawValue)
    var isSecure = views[index].isSecure
    // Nearly all views are only moved: of those it is a sum.
    var offset = Point.zero
    while views[index].extrasIndex < 0 {
      offset.x += views[index].boundsOrigin.x - views[index].frame.x
      offset.y += views[index].boundsOrigin.y - views[index].frame.y
      guard views[index].rawParent >= 0 else {
        let toWindow = step(of: views[index]).transform
        let toView = AffineTransform(translationX: offset.x, y: offset.y)
        return Layout.Placement(toView: toView, toWindow: toWindow, isSecure: isSecure)
      }
      index = Int(views[index].rawParent)
      isSecure = isSecure || views[index].isSecure
    }
    var toView = AffineTransform(translationX: offset.x, y: offset.y)
    var toWindow = step(of: views[index]).transform
    toView = toWindow.concatenating(toView)
    while views[index].rawParent >= 0 {
      index = Int(views[index].rawParent)
      isSecure = isSecure || views[index].isSecure
      toWindow = step(of: views[index]).transform
      toView = toWindow.concatenating(toView)
    }
    return Layout.Placement(toView: toView, toWindow: toWindow, isSecure: isSecure)
  }

  /// The map from a view's own coordinates to those of its superview, or to points of the screen
  /// for a window's root: one step of it. Rule L2.
  func superviewTransform(of view: ViewIndex) -> AffineTransform {
    let transform = extras(of: self[view]).transform
    let view = self[view]
    let toCenter = AffineTransform(
      translationX: -view.boundsOrigin.x - view.frame.width / 2,
      y: -view.boundsOrigin.y - view.frame.height / 2)
    let center = view.frame.center
    return toCenter.concatenating(transform)
      .concatenating(AffineTransform(translationX: center.x, y: center.y))
  }

  /// The map from a view's own coordinates to points of the screen. Rule L2.
  func toScreen(of view: ViewIndex) -> AffineTransform {
    var transform = superviewTransform(of: view)
    var next = self[view].parent
    while let view = next {
      transform = transform.concatenating(superviewTransform(of: view))
      next = self[view].parent
    }
    return transform
  }

  /// The smallest upright rectangle around a view's bounds, in points of the screen.
  func frameOnScreen(of view: ViewIndex) -> Rect {
    bounds(of: view).boundingBox(under: toScreen(of: view))
  }

  /// The name of the feedback that a finger on a view gives: its own, or that of the nearest view
  /// around it that has one; nil for none. Of a view in a secure one it is that view's, so that it
  /// does not tell what in it was hit. Rules D10 and D12.
  func feedback(of view: ViewIndex) -> String? {
    var next: ViewIndex? = secureRoot(of: view) ?? view
    while let view = next {
      let index = self[view].feedbackIndex
      if index >= 0, !feedbacks[Int(index)].isEmpty {
        return feedbacks[Int(index)] == Self.noFeedback ? nil : feedbacks[Int(index)]
      }
      next = self[view].parent
    }
    return nil
  }

  /// The name that ends what a view inherits. Rule D10.
  private static let noFeedback = "none"

  /// The outermost view that is secure and that the view lies in, or is; what is inside such a view
  /// is as secure as its own touches. Rule F7.
  func secureRoot(of view: ViewIndex) -> ViewIndex? {
    var root: ViewIndex?
    var next: ViewIndex? = view
    while let view = next {
      if self[view].isSecure { root = view }
      next = self[view].parent
    }
    return root
  }
}

extension AffineTransform {
  /// Whether it moves every point by the same displacement.
  var isTranslation: Bool { a == 1 && b == 0 && c == 0 && d == 1 }
}

extension Rect {
  /// The smallest upright rectangle around the image of this one.
  func boundingBox(under transform: AffineTransform) -> Rect {
    let (a, b) = (transform.apply(Point(x: x, y: y)), transform.apply(Point(x: maxX, y: y)))
    let (c, d) = (transform.apply(Point(x: x, y: maxY)), transform.apply(Point(x: maxX, y: maxY)))
    let minX = min(min(a.x, b.x), min(c.x, d.x))
    let minY = min(min(a.y, b.y), min(c.y, d.y))
    let maxX = max(max(a.x, b.x), max(c.x, d.x))
    let maxY = max(max(a.y, b.y), max(c.y, d.y))
    return Rect(x: minX, y: minY, width: maxX - minX, height: maxY - minY)
  }
}
