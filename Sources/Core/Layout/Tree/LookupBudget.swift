package import TouchModel

/// What the views may cost a lookup that one user's programs have added or set: it may have to ask
/// all of them in vain. Rules F5 and L6.
public struct LookupBudget: Sendable {
  /// The most that it may be.
  public let limit: Int
  /// Whether somebody is a program of that user, or was.
  let isOwn: @Sendable (LayoutSetter) -> Bool

  /// A budget of those who fulfil the condition.
  public init(of limit: Int, for isOwn: @escaping @Sendable (LayoutSetter) -> Bool) {
    self.limit = limit
    self.isOwn = isOwn
  }

  /// Why an editor's layout is beyond it; nil where it is not.
  public func excess(in editor: LayoutEditor) -> String? {
    let cost = editor.lookupCost(of: isOwn)
    guard cost > limit else { return nil }
    return "views of one user's programs would cost a lookup \(cost), and \(limit) is the limit "
      + "(limits.lookup_cost_per_user): \(ViewChange.Property.unplainCost) for each shape, "
      + "transform, inside or hit, 1 for each point of a polygon, and "
      + "\(ViewChange.Property.secureCost) for each secure view"
  }
}

extension Shape {
  /// How many points a lookup may have to look at.
  var pointCount: Int { if case .polygon(let points) = self { points.count } else { 0 } }
}

extension ViewChange.Property {
  /// What it costs a lookup to ask a view in vain that is no plain rectangle: as much as so many
  /// points of a polygon. Plain ones are found by an index.
  package static let unplainCost = 64

  /// What a secure view costs: each later change has to be held against each secure view. So with
  /// the default limit a user's programs have 64 of them.
  package static let secureCost = 2_500

  /// What it may cost a lookup, where 1 is what a point of a polygon costs.
  package var lookupCost: Int {
    switch self {
    case .shape(let shape): shape == .rect ? 0 : Self.unplainCost + shape.pointCount
    case .transform(let transform): transform.isTranslation ? 0 : Self.unplainCost
    case .inside(let rule): rule == .bounds ? 0 : Self.unplainCost
    case .hit(let rule): rule == .standard ? 0 : Self.unplainCost
    case .secure(let isSecure): isSecure ? Self.secureCost : 0
    default: 0
    }
  }
}

extension ViewProperties {
  /// What they may cost a lookup.
  package var lookupCost: Int {
    let costly: [ViewChange.Property] = [
      .shape(shape), .transform(transform), .inside(inside), .hit(hit), .secure(secure),
    ]
    return costly.reduce(0) { $0 + $1.lookupCost }
  }
}
