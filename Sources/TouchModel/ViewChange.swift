/// A property of a window or view, or of a recognizer, as it is to be while the layout is in force.
public struct ViewChange: Equatable, Sendable {
  /// Which property, and its value. Rule L2.
  public enum Property: Equatable, Sendable {
    /// Whether hit-testing passes over the view and what is in it. Rule H2.
    case hidden(Bool)
    /// From 0 to 1; at 0.01 or below it is as good as hidden. Rule H2.
    case alpha(Double)
    /// Whether the view and what is in it take touches: UIKit's isUserInteractionEnabled. Rule H2.
    case interaction(Bool)
    /// Where it is, in the superview's coordinates; of a window, in points of the screen.
    case frame(Rect)
    /// The point of its own coordinates at its top left corner: where a list is scrolled to.
    case boundsOrigin(Point)
    /// Turns, scales or moves it about the frame's centre.
    case transform(AffineTransform)
    /// Its place among its siblings, a window's among those of its level: 0 at the back, and at the
    /// front where there are fewer.
    case order(Int)
    /// How far the touchable region reaches beyond the bounds. Rule H3.
    case outset(Outset)
    /// What refines the touchable region. Rule H4.
    case shape(Shape)
    /// What replaces pointInside. Rule H5.
    case inside(InsideRule)
    /// What replaces hitTest. Rule H6.
    case hit(HitRule)
    /// Whether observers get no location of its touches. Rule F7.
    case secure(Bool)
    /// Whether its touch keeps those of other views of the window out, and theirs its own. Rule
    /// T13.
    case exclusiveTouch(Bool)
    /// Whether it takes several touches at a time. Rule T13.
    case multipleTouch(Bool)
    /// A window's: those of a higher one are in front. Rule L1.
    case level(Int)
    /// A recognizer's: whether it takes part, UIKit's isEnabled. Rule G2.
    case enabled(Bool)
    /// All of these as the configuration says.
    case configured
  }

  /// The window's or view's path, or the recognizer's: `home/list#scroll`. Rules L5 and G1.
  public var path: String
  /// What it is to be.
  public var property: Property

  /// A change of the window, view or recognizer at the path.
  public init(_ path: String, _ property: Property) {
    self.path = path
    self.property = property
  }

  /// Where a recognizer lies whose path this is: a view's path, or `screen:NAME`; nil where the
  /// path is no recognizer's.
  public var recognizerOwner: String? {
    path.lastIndex(of: "#").map { String(path[..<$0]) }
  }
}
