public import TouchModel

/// Finds the view under a point. Rules H1 to H9.
public struct HitTester {
  /// The layout that it answers for.
  public var layout: Layout { index.layout }

  private var index: HitIndex

  /// A point further from the origin than this is in no view, whatever the layout: nothing that is
  /// computed from one that is nearer can overflow.
  private static let reach = 1e12

  /// Compiles a layout.
  ///
  /// - Parameter isToChange: Whether what the first change of it needs is made too, so that neither
  ///   that nor the touch after it waits for a look at every view.
  public init(_ layout: Layout, isToChange: Bool = false) {
    index = HitIndex(layout)
    if isToChange { index.prepareForChanges() }
  }

  /// Goes over to another layout. Where that came of this one's by a few changes of properties, it
  /// takes the time of those, whatever the layout is; else it is compiled anew.
  ///
  /// A list that scrolls stays compiled. What else was changed is found at the places where it was
  /// and is by a walk down the views, which is some 40 ns slower than the compiled form.
  ///
  /// - Parameter compiled: What was compiled ahead of this layout, or of one that it came of.
  public mutating func move(to layout: Layout, taking compiled: CompiledLayout? = nil) {
    if let ready = compiled?.take() { self = ready }
    if isKnownUniquelyReferenced(&index), index.move(to: layout) { return }
    index = HitIndex(layout)
  }

  /// The bytes of the compiled form, the layout itself not counted.
  public var compiledByteCount: Int { index.byteCount }

  /// The view that a touch beginning at that point of the screen belongs to; nil where it belongs
  /// to none, or where the point is not finite or over 10¹² points away. Rule H7.
  public func hitTest(_ point: Point, on screen: ScreenIndex) -> ViewIndex? {
    guard HitTester.isInReach(point) else { return nil }
    let found = index.find(point, on: Int(screen.rawValue))
    return found < 0 ? nil : ViewIndex(found)
  }

  /// The same hit-test, made by the recursion of rule H2, with its calls. Rule H9.
  public func trace(_ point: Point, on screen: ScreenIndex) -> HitTrace {
    guard HitTester.isInReach(point) else { return HitTrace() }
    var walk = HitWalk(layout: layout, trace: HitTrace())
    let target = walk.hitTest(point, on: screen)
    var trace = walk.trace ?? HitTrace()
    trace.target = target
    return trace
  }

  private static func isInReach(_ point: Point) -> Bool {
    abs(point.x) <= reach && abs(point.y) <= reach
  }
}
