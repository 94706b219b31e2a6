public import TouchModel

extension Layout {
  /// A view, resolved. What few views have is asked of the layout: ``Layout/transform(of:)``,
  /// ``Layout/outset(of:)``, ``Layout/shape(of:)``, ``Layout/insideRule(of:)``,
  /// ``Layout/hitRule(of:)``.
  public struct View: Sendable, BitwiseCopyable {
    /// The bytes of its path, among the layout's. Rule L5.
    let path: ViewPaths.Span
    /// Its frame, in its superview's coordinates, or the screen's for a window: percentages
    /// resolved, in points.
    public internal(set) var frame: Rect
    /// The coordinates of the top left corner of its bounds, in its own coordinates.
    public internal(set) var boundsOrigin: Point
    /// Its opacity; at 0.01 or less it is not there for touches.
    public internal(set) var alpha: Double
    /// One past the last view of its subtree.
    public internal(set) var end: ViewIndex
    /// The window it belongs to, as an index into ``Layout/windows``.
    @inlinable
    public var windowIndex: Int { Int(rawWindow) }

    @usableFromInline var rawWindow: Int32
    /// -1 for a window's root.
    var rawParent: Int32
    /// The frontmost subview, or -1.
    var lastChild: Int32 = -1
    /// The next sibling towards the back, or -1.
    var previousSibling: Int32
    /// -1 where it has none.
    var rawController: Int32
    /// -1 where it has none.
    var extrasIndex: Int32
    /// -1 where it names no feedback.
    var feedbackIndex: Int32 = -1
    var flags: ViewFlags

    /// Its superview; nil for a window's root.
    public var parent: ViewIndex? { rawParent < 0 ? nil : ViewIndex(rawParent) }
    /// Not there for touches, subtree included.
    public var isHidden: Bool { flags.contains(.hidden) }
    /// Where false, not there for touches, subtree included.
    public var interaction: Bool { !flags.contains(.noInteraction) }
    /// Whether step 1 of rule H2 stops at it: it is hidden, takes no interaction, or has an alpha
    /// of 0.01 or less.
    public var isGated: Bool { flags.contains(.gated) }
    /// Whether it takes more than one touch at a time. Rule T13.
    public var multipleTouch: Bool { flags.contains(.multipleTouch) }
    /// Whether it and the other views of its window never have touches at once. Rule T13.
    public var exclusiveTouch: Bool { flags.contains(.exclusiveTouch) }
    /// Observers get no location of its touches. Rule F7.
    public var isSecure: Bool { flags.contains(.secure) }

    /// The number of views in its subtree, itself included.
    func subtreeCount(from index: ViewIndex) -> Int { Int(end.rawValue - index.rawValue) }
  }

  /// A view's yes-or-no properties, and what is known of its subviews.
  struct ViewFlags: OptionSet, Sendable, BitwiseCopyable {
    var rawValue: UInt16
    static let hidden = ViewFlags(rawValue: 1 << 0)
    static let noInteraction = ViewFlags(rawValue: 1 << 1)
    static let gated = ViewFlags(rawValue: 1 << 2)
    static let multipleTouch = ViewFlags(rawValue: 1 << 3)
    static let exclusiveTouch = ViewFlags(rawValue: 1 << 4)
    static let secure = ViewFlags(rawValue: 1 << 5)
    /// The frame of a subview may depend on this one's size.
    static let hasRelativeSubviews = ViewFlags(rawValue: 1 << 6)
    /// It, or a view in it, may be turned or scaled.
    static let hasTurnedViews = ViewFlags(rawValue: 1 << 7)
    /// It has more subviews than are looked through one by one.
    static let isWide = ViewFlags(rawValue: 1 << 8)
    /// What is known of its subviews.
    static let ofSubviews: ViewFlags = [.hasRelativeSubviews, .hasTurnedViews, .isWide]
  }

  /// A view with more subviews than that is wide.
  static let fewSubviews = 16

  /// What few views have, kept apart so that the others stay small.
  struct ViewExtras: Equatable, Sendable {
    var transform = AffineTransform.identity
    var inverse = AffineTransform.identity
    var outset = Outset.zero
    var shape = Shape.rect
    var inside = ResolvedInsideRule.bounds
    var hit = ResolvedHitRule.standard
    static let none = ViewExtras()
  }

  /// What makes a point lie inside a view, its names resolved. Rule H5.
  public enum ResolvedInsideRule: Equatable, Sendable {
    /// H3 and H4.
    case bounds
    /// Every point is inside.
    case always
    /// No point is inside.
    case never
    /// Its own by H3 and H4, or pointInside of any subview.
    case anyChild
    /// Its own by H3 and H4, or pointInside of any of these subviews.
    case children([ViewIndex])
  }

  /// What a view's hitTest finds, its paths resolved. Rule H6.
  public enum ResolvedHitRule: Equatable, Sendable {
    /// H2.
    case standard
    /// The view itself, for every point that it is asked about.
    case itself
    /// Nothing, subtree included.
    case none
    /// H2, but nothing where the result is the view itself.
    case passThrough
    /// Where H2 finds anything: that descendant.
    case redirect(ViewIndex)
    /// That descendant is asked first; then H2.
    case first(ViewIndex)
  }

  /// What a touch must know of the view that it belongs to.
  public struct Placement: Sendable, BitwiseCopyable {
    /// From points of the screen to the view's own coordinates. Rules L2 and T9.
    public var toView: AffineTransform
    /// From points of the screen to its window's own coordinates. Rule T9.
    public var toWindow: AffineTransform
    /// Whether it is secure, or lies in a view that is. Rule F7.
    public var isSecure: Bool
  }
}

extension Array where Element == Layout.View {
  /// The view at an index.
  subscript(view: ViewIndex) -> Layout.View { self[Int(view.rawValue)] }
}
