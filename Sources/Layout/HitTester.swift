public import TouchModel

/// Finds the view under a point. Rules H1 to H9.
public struct HitTester {
  /// The layout that it answers for.
  public let layout: Layout

  /// Compiles a layout.
  public init(_ layout: Layout) {
    self.layout = layout
  }

  /// The view that a touch beginning at that point of the screen belongs to; nil where it belongs to
  /// none, or where the point is not finite. Rule H7.
  public func hitTest(_ point: Point, on screen: ScreenIndex) -> ViewIndex? {
    guard point.isFinite else { return nil }
    var walk = HitWalk(layout: layout)
    return walk.hitTest(point, on: screen)
  }

  /// The same hit-test, made by the recursion of rule H2, with its calls. Rule H9.
  public func trace(_ point: Point, on screen: ScreenIndex) -> HitTrace {
    guard point.isFinite else { return HitTrace() }
    var walk = HitWalk(layout: layout, trace: HitTrace())
    let target = walk.hitTest(point, on: screen)
    var trace = walk.trace ?? HitTrace()
    trace.target = target
    return trace
  }
}
