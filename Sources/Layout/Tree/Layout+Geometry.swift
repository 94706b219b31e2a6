public import TouchModel

extension Layout {
  /// The bounds of a view, in its own coordinates.
  public func bounds(of view: ViewIndex) -> Rect {
    let view = views[view]
    return Rect(
      x: view.boundsOrigin.x, y: view.boundsOrigin.y,
      width: view.frame.width, height: view.frame.height)
  }

  /// A point of the superview, or of the screen for a window's root, in the view's own coordinates.
  /// Rule L2.
  ///
  /// Where the transform only moves, this is one addition for each axis, so that a point on the
  /// left or top edge of a frame comes out on that of the bounds exactly. Everything that hit-tests
  /// converts by this function, step by step, or proves that its result is the same.
  @inline(__always)
  func convert(_ point: Point, fromSuperviewOf view: View) -> Point {
    guard view.extrasIndex >= 0 else {
      return Point(
        x: point.x + (view.boundsOrigin.x - view.frame.x),
        y: point.y + (view.boundsOrigin.y - view.frame.y))
    }
    return step(of: view).apply(point)
  }

  /// How a view's coordinates follow from its superview's.
  @inline(__always)
  func step(of view: View) -> Step {
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

  /// The map from points of the screen to a view's own coordinates. Rules L2 and T9.
  public func screenTransform(of view: ViewIndex) -> AffineTransform { placement(of: view).toView }

  /// What a touch must know of the view that it belongs to: one walk up to the window.
  public struct Placement: Sendable, BitwiseCopyable {
    /// From points of the screen to the view's own coordinates. Rules L2 and T9.
    public var toView: AffineTransform
    /// From points of the screen to its window's own coordinates. Rule T9.
    public var toWindow: AffineTransform
    /// Whether it is secure, or lies in a view that is. Rule F7.
    public var isSecure: Bool
  }

  /// Where a view lies, as a touch must know it.
  public func placement(of view: ViewIndex) -> Placement {
    var place = Int(view.rawValue)
    var isSecure = views[place].isSecure
    // Nearly all views are only moved: of those it is a sum.
    var offset = Point.zero
    while views[place].extrasIndex < 0 {
      offset.x += views[place].boundsOrigin.x - views[place].frame.x
      offset.y += views[place].boundsOrigin.y - views[place].frame.y
      guard views[place].rawParent >= 0 else {
        let toWindow = step(of: views[place]).transform
        let toView = AffineTransform(translationX: offset.x, y: offset.y)
        return Placement(toView: toView, toWindow: toWindow, isSecure: isSecure)
      }
      place = Int(views[place].rawParent)
      isSecure = isSecure || views[place].isSecure
    }
    var toView = AffineTransform(translationX: offset.x, y: offset.y)
    var toWindow = step(of: views[place]).transform
    toView = toWindow.concatenating(toView)
    while views[place].rawParent >= 0 {
      place = Int(views[place].rawParent)
      isSecure = isSecure || views[place].isSecure
      toWindow = step(of: views[place]).transform
      toView = toWindow.concatenating(toView)
    }
    return Placement(toView: toView, toWindow: toWindow, isSecure: isSecure)
  }

  /// The map from a view's own coordinates to those of its superview, or to points of the screen
  /// for a window's root: what ``screenTransform(of:)`` undoes, one step of it. Rule L2.
  public func superviewTransform(of view: ViewIndex) -> AffineTransform {
    let transform = transform(of: view)
    let view = views[view]
    let toCenter = AffineTransform(
      translationX: -view.boundsOrigin.x - view.frame.width / 2,
      y: -view.boundsOrigin.y - view.frame.height / 2)
    let center = view.frame.center
    return toCenter.concatenating(transform)
      .concatenating(AffineTransform(translationX: center.x, y: center.y))
  }

  /// The smallest upright rectangle around a view's bounds, in points of the screen.
  public func frameOnScreen(of view: ViewIndex) -> Rect {
    var transform = superviewTransform(of: view)
    var next = views[view].parent
    while let view = next {
      transform = transform.concatenating(superviewTransform(of: view))
      next = views[view].parent
    }
    return bounds(of: view).boundingBox(under: transform)
  }
}

extension AffineTransform {
  /// Whether it moves every point by the same displacement.
  var isTranslation: Bool { a == 1 && b == 0 && c == 0 && d == 1 }
}

extension Rect {
  /// The smallest upright rectangle around the image of this one.
  func boundingBox(under transform: AffineTransform) -> Rect {
    let corners = [
      Point(x: x, y: y), Point(x: maxX, y: y), Point(x: x, y: maxY), Point(x: maxX, y: maxY),
    ].map(transform.apply)
    let minX = corners.reduce(.infinity) { min($0, $1.x) }
    let minY = corners.reduce(.infinity) { min($0, $1.y) }
    let maxX = corners.reduce(-.infinity) { max($0, $1.x) }
    let maxY = corners.reduce(-.infinity) { max($0, $1.y) }
    return Rect(x: minX, y: minY, width: maxX - minX, height: maxY - minY)
  }
}
