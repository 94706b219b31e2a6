/// From which layouts one came by changes of properties, and which views each change touched: the
/// few latest changes are known.
struct LayoutLineage: Sendable {
  /// Tells a layout from all others, also after it is gone.
  private final class Identity: Sendable {}

  private struct Step: Sendable {
    var before: Identity
    /// In pre-order.
    var changed: [ViewIndex]
  }

  private let identity = Identity()
  /// Earlier ones first.
  private var steps: [Step] = []

  private static let limit = 8

  /// A layout that came of no other.
  init() {}

  /// A layout that came of another by a change of these views, which are in pre-order.
  init(after other: LayoutLineage, changing views: [ViewIndex]) {
    steps = other.steps.suffix(Self.limit - 1) + [Step(before: other.identity, changed: views)]
  }

  /// The views that were changed since another layout, in pre-order; nil where that is not known.
  func changes(since other: LayoutLineage) -> [ViewIndex]? {
    if other.identity === identity { return [] }
    guard let first = steps.lastIndex(where: { $0.before === other.identity }) else { return nil }
    if first == steps.count - 1 { return steps[first].changed }
    return Set(steps[first...].flatMap(\.changed)).sorted()
  }
}
