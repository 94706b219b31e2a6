public import TouchModel

/// A property of a window or view that is set while the layout is in force.
public struct ViewChange: Equatable, Sendable {
  /// Which property, and its value.
  public enum Property: Equatable, Sendable {
    /// Not there for touches, subtree included.
    case hidden(Bool)
    /// From 0 to 1.
    case alpha(Double)
    /// UIKit's isUserInteractionEnabled.
    case interaction(Bool)
    /// In the superview's coordinates, or in points of the screen for a window.
    case frame(Rect)
    /// The coordinates of the top left corner of its bounds.
    case boundsOrigin(Point)
    /// About its centre.
    case transform(AffineTransform)
    /// The place among its siblings, 0 at the back; of a window among those of its level. At the
    /// front where there are fewer.
    case order(Int)
    /// All of these as they are configured.
    case configured

    /// Whether the views may not be laid out with it though it is possible by itself: a subview's
    /// frame may depend on it, or a chain of transforms.
    var mayBreakLayout: Bool {
      switch self {
      case .frame, .transform, .configured: true
      case .hidden, .alpha, .interaction, .boundsOrigin, .order: false
      }
    }

    /// The configuration's key for it.
    public var name: String {
      switch self {
      case .hidden: "hidden"
      case .alpha: "alpha"
      case .interaction: "interaction"
      case .frame: "frame"
      case .boundsOrigin: "bounds_origin"
      case .transform: "transform"
      case .order: "order"
      case .configured: "configured"
      }
    }
  }

  /// The window's or view's path. Rule L5.
  public var path: String
  /// What is set.
  public var property: Property

  /// A change.
  public init(path: String, _ property: Property) {
    self.path = path
    self.property = property
  }
}

/// What was set of a window or view, over what is configured.
struct ViewOverrides: Equatable, Sendable {
  var hidden: Bool?
  var alpha: Double?
  var interaction: Bool?
  var frame: Rect?
  var boundsOrigin: Point?
  var transform: AffineTransform?
  var order: Placement?

  /// A place among siblings, and when it was set: of two that want one place, the later gets it.
  struct Placement: Equatable, Sendable {
    var place: Int
    var number: UInt64
  }

  /// Takes a change in; `number` tells later ones from earlier ones.
  mutating func take(_ property: ViewChange.Property, number: UInt64) {
    switch property {
    case .hidden(let value): hidden = value
    case .alpha(let value): alpha = value
    case .interaction(let value): interaction = value
    case .frame(let value): frame = value
    case .boundsOrigin(let value): boundsOrigin = value
    case .transform(let value): transform = value
    case .order(let value): order = Placement(place: value, number: number)
    case .configured: self = ViewOverrides()
    }
  }

  /// What is set, but for the place among siblings.
  var properties: [ViewChange.Property] {
    let all: [ViewChange.Property?] = [
      hidden.map { .hidden($0) }, alpha.map { .alpha($0) }, interaction.map { .interaction($0) },
      frame.map { .frame($0) }, boundsOrigin.map { .boundsOrigin($0) },
      transform.map { .transform($0) },
    ]
    return all.compactMap(\.self)
  }

  /// The properties with what was set in place of what is configured.
  func applied(to configured: ViewProperties) -> ViewProperties {
    var properties = configured
    properties.hidden = hidden ?? configured.hidden
    properties.alpha = alpha ?? configured.alpha
    properties.interaction = interaction ?? configured.interaction
    if let frame { properties.frame = FrameDescription(frame) }
    properties.boundsOrigin = boundsOrigin ?? configured.boundsOrigin
    properties.transform = transform ?? configured.transform
    return properties
  }
}
