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
