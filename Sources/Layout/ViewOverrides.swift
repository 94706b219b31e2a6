import TouchModel

extension ViewChange.Property {
  /// Whether the views may not be laid out with it though it is possible by itself: a subview's
  /// frame may depend on it, or a chain of transforms.
  var mayBreakLayout: Bool {
    switch self {
    case .frame, .transform, .configured: true
    case .hidden, .alpha, .interaction, .boundsOrigin, .order: false
    }
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
