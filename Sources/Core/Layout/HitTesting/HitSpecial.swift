/// What a rectangle without conditions can't say.
struct HitSpecial: Sendable {
  enum Kind: Equatable, Sendable {
    /// Leads to that view.
    case target(Int32)
    /// Leads to whatever the grid says of the point in that view's coordinates, be it nothing.
    case space(grid: Int32, view: Int32)
    /// Leads to whatever the recursion says from that view on, be it nothing.
    case walk(Int32)
  }

  /// In the coordinates of the space that it belongs to.
  var rect: Edges
  var kind: Kind
  /// The last condition, or -1.
  var conditions: Int32
  /// The view whose coordinates the space has, or -1 for a screen.
  var root: Int32
}

/// What must hold besides a rectangle, evaluated as the recursion would.
struct HitCondition: Sendable {
  enum Test: Equatable, Sendable {
    /// The point is in the view's region by H3 and H4.
    case shape(Int32)
    /// pointInside of the view by H5.
    case inside(Int32)
  }

  var test: Test
  /// The condition that must hold as well, or -1.
  var before: Int32
}

extension HitSpecial {
  var isWalk: Bool {
    if case .walk = kind { true } else { false }
  }

  /// Whether it leads to a target for every point of its rectangle.
  var isCertain: Bool {
    guard conditions < 0, case .target = kind else { return false }
    return true
  }
}
