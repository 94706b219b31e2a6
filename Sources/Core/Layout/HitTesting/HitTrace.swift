public import TouchModel

/// The calls of one hit-test, in the order in which the recursion of rule H2 makes them. Rule H9.
public struct HitTrace: Equatable, Sendable {
  /// One call, or its end.
  public enum Step: Equatable, Sendable {
    /// hitTest was called on the view.
    case hit(ViewIndex)
    /// pointInside was called on the view with a point of its own coordinates, and gave `answer`.
    case inside(ViewIndex, Point, answer: Bool)
    /// hitTest of the view gave that result.
    case result(ViewIndex, found: ViewIndex?)
  }

  /// The steps, in order.
  public internal(set) var steps: [Step] = []

  /// The target. Rule H7.
  public internal(set) var target: ViewIndex?

  /// The steps as lines: `yellow hit`, `yellow inside (12.0, 40.0): no`, `yellow hit: nothing`,
  /// `gray hit: gray/red`.
  public func lines(_ layout: Layout) -> [String] {
    steps.map { step in
      switch step {
      case .hit(let view):
        "\(layout.name(of: view)) hit"
      case .inside(let view, let point, let answer):
        "\(layout.name(of: view)) inside "
          + "(\(point.x.toTwoDecimals), \(point.y.toTwoDecimals)): "
          + (answer ? "yes" : "no")
      case .result(let view, let found):
        "\(layout.name(of: view)) hit: \(found.map(layout.path(of:)) ?? "nothing")"
      }
    }
  }
}
