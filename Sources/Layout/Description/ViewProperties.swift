public import TouchModel

/// A distance that may depend on the superview: `points + fraction · (the superview's extent)`.
public struct Length: Equatable, Sendable {
  /// The fixed part, in points.
  public var points: Double
  /// The share of the superview's width or height; 0.5 for "50%".
  public var fraction: Double

  /// A length of points and a share of the superview.
  @inlinable
  public init(points: Double, fraction: Double = 0) {
    self.points = points
    self.fraction = fraction
  }

  /// The length in points under a superview of that extent.
  @inlinable
  public func resolved(in extent: Double) -> Double { points + fraction * extent }
}

/// A frame whose numbers may depend on the superview's size.
public struct FrameDescription: Equatable, Sendable {
  /// The left edge, in the superview's coordinates.
  public var x: Length
  /// The top edge, in the superview's coordinates.
  public var y: Length
  /// The width.
  public var width: Length
  /// The height.
  public var height: Length

  /// A frame of four lengths.
  public init(x: Length, y: Length, width: Length, height: Length) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// A frame of four fixed numbers, in points.
  public init(_ rect: Rect) {
    self.init(
      x: Length(points: rect.x), y: Length(points: rect.y),
      width: Length(points: rect.width), height: Length(points: rect.height))
  }
}

/// How far a view's touchable region reaches beyond its bounds, in points; negative shrinks. Rule
/// H3.
public struct Outset: Equatable, Sendable {
  /// Beyond the top edge.
  public var top: Double
  /// Beyond the left edge.
  public var left: Double
  /// Beyond the bottom edge.
  public var bottom: Double
  /// Beyond the right edge.
  public var right: Double

  /// No outset.
  public static let zero = Outset(top: 0, left: 0, bottom: 0, right: 0)

  /// An outset of four numbers.
  public init(top: Double, left: Double, bottom: Double, right: Double) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }

  /// The same outset at every edge.
  public init(_ all: Double) { self.init(top: all, left: all, bottom: all, right: all) }
}

/// What refines a view's touchable region. Rule H4.
public enum Shape: Equatable, Sendable {
  /// The grown bounds.
  case rect
  /// The grown bounds with round corners of that radius, in points.
  case rounded(radius: Double)
  /// The ellipse inscribed in the grown bounds.
  case ellipse
  /// A polygon by the even-odd rule, in coordinates that start at the bounds' origin.
  case polygon([Point])
}

/// What replaces a view's pointInside. Rule H5.
public enum InsideRule: Equatable, Sendable {
  /// H3 and H4.
  case bounds
  /// Every point is inside.
  case always
  /// No point is inside.
  case never
  /// Its own by H3 and H4, or pointInside of one of its subviews; of those named alone, where there
  /// are names.
  case children([String])
}

/// What replaces a view's hitTest. Rule H6; paths are those of descendants, relative to the view.
public enum HitRule: Equatable, Sendable {
  /// H2.
  case standard
  /// The view itself, for every point that it is asked about.
  case itself
  /// Nothing, subtree included.
  case none
  /// H2, but nothing where the result is the view itself.
  case passThrough
  /// Where H2 finds anything: that descendant.
  case redirect(String)
  /// That descendant is asked first; then H2.
  case first(String)
}

/// What a view is, but for its name and where it is in the tree. Rules L2 and section 2.
public struct ViewProperties: Equatable, Sendable {
  /// x, y, width and height in the superview's coordinates, or the screen's for a window.
  public var frame: FrameDescription
  /// The coordinates of the top left corner of its bounds, in its own coordinates.
  public var boundsOrigin = Point.zero
  /// Applied about its centre.
  public var transform = AffineTransform.identity
  /// Not there for touches, subtree included.
  public var hidden = false
  /// At 0.01 or less it is not there for touches, subtree included.
  public var alpha = 1.0
  /// UIKit's isUserInteractionEnabled: where false, not there for touches, subtree included.
  public var interaction = true
  /// Rule H3.
  public var outset = Outset.zero
  /// Rule H4.
  public var shape = Shape.rect
  /// Rule H5.
  public var inside = InsideRule.bounds
  /// Rule H6.
  public var hit = HitRule.standard
  /// Rule T13.
  public var multipleTouch = true
  /// Rule T13.
  public var exclusiveTouch = false
  /// Observers get no location of its touches. Rule F7.
  public var secure = false
  /// The name of its controller. Rule L3.
  public var controller: String?

  /// A view of that frame, with every other property at its default.
  public init(frame: FrameDescription) { self.frame = frame }
}
