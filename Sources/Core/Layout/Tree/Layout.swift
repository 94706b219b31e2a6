public import TouchModel

/// The screens, windows and views in force: checked, resolved, flat and immutable. Rules L1 to L6.
///
/// Views lie in one array in pre-order, windows from back to front by level and then order, so that
/// a view's subtree is the range from its index to its `end`, and a higher index is nearer the
/// viewer. Responders are views, controllers and applications.
///
/// It is a reference only so that handing it on is cheap; it never changes.
public final class Layout: Sendable {
  /// The screens, as described.
  public let screens: [Screen]
  /// The windows, from back to front.
  public let windows: [Window]
  /// The names of the applications, in the order in which the description first names them.
  public let applications: [String]
  /// The views and their geometry.
  @usableFromInline let tree: ViewTree
  /// The names of the views.
  let names: ViewNames
  /// Which node of its description is which view.
  let viewOrder: ViewOrder
  /// The responders by their numbers.
  @usableFromInline let responders: ResponderTable
  /// The views that are secure themselves, in pre-order: few, and asked for by whoever attaches.
  /// Rule F7.
  public let secureViews: [ViewIndex]
  /// How it came of others.
  private let lineage: LayoutLineage

  /// A controller: a named responder without geometry. Rule L3.
  struct Controller: Sendable {
    var name: String
    var view: ViewIndex
  }

  /// A window: a root view placed on a screen. Rules L1 and L4.
  public struct Window: Sendable {
    /// The name, which is also the path of its root view.
    public let name: String
    /// Its root view.
    public let root: ViewIndex
    /// The screen it is placed on.
    public let screen: ScreenIndex
    /// Windows of a higher level are in front.
    public let level: Int
    /// The application it belongs to, as an index into ``Layout/applications``.
    public let application: Int?
    /// Whether it gets touches while its screen is dark. Rule D3.
    public let isAlwaysOn: Bool
  }

  /// Checks a description, resolves it and lays it out flat.
  ///
  /// - Throws: the problems of the description, in its order; see ``LayoutError``. Rule L6.
  public convenience init(_ description: LayoutDescription, limits: LayoutLimits = .default)
    throws(LayoutError)
  {
    try self.init(LayoutBuilder(description, limits: limits))
  }

  /// The same of a description that begins with all of another layout's, which was checked by the
  /// same limits: only what is new is checked.
  convenience init(
    _ description: LayoutDescription, extending other: Layout, limits: LayoutLimits
  ) throws(LayoutError) {
    try self.init(LayoutBuilder(description, of: other, limits: limits))
  }

  private convenience init(_ unchecked: LayoutBuilder) throws(LayoutError) {
    var builder = unchecked
    builder.check()
    let viewOrder = ViewOrder(builder.problems.isEmpty ? builder.preorder() : [])
    let parts = builder.problems.isEmpty ? builder.resolve(viewOrder) : LayoutParts()
    guard builder.problems.isEmpty else {
      throw LayoutError(problems: builder.problems.sorted, hasMore: builder.problems.hasMore)
    }
    self.init(
      parts, by: viewOrder, screens: builder.screens, applications: builder.applications)
  }

  /// A layout of other parts for the same screens, windows, views and controllers by name.
  convenience init(_ parts: LayoutParts, by viewOrder: ViewOrder, like other: Layout) {
    self.init(parts, by: viewOrder, screens: other.screens, applications: other.applications)
  }

  private init(
    _ parts: LayoutParts, by viewOrder: ViewOrder, screens: [Screen], applications: [String]
  ) {
    self.screens = screens
    windows = parts.windows
    self.applications = applications
    self.viewOrder = viewOrder
    names = ViewNames(parts)
    responders = ResponderTable(parts, applications: applications.count)
    tree = ViewTree(parts)
    secureViews = parts.views.indices.filter { parts.views[$0].isSecure }.map {
      ViewIndex(Int32($0))
    }
    lineage = LayoutLineage()
  }

  /// What became of a layout by a change of views' properties: shares all else with it.
  init(_ patch: LayoutPatch, of other: Layout) {
    screens = other.screens
    windows = other.windows
    applications = other.applications
    names = other.names
    viewOrder = other.viewOrder
    responders = other.responders
    tree = patch.tree
    let others = patch.changed.filter { patch.tree[$0].isSecure != other.tree[$0].isSecure }
    secureViews =
      others.isEmpty
      ? other.secureViews : Set(other.secureViews).symmetricDifference(others).sorted()
    lineage = LayoutLineage(after: other.lineage, changing: patch.changed)
  }

  /// The views of which a property is not what it was in a layout that this one came of by a few
  /// changes, in pre-order; what is known of all others is true of both. Nil where it did not, or
  /// where there were too many changes since: nothing is known then.
  ///
  /// It is what everybody asks who keeps something for each view, so that a change costs what it
  /// changes.
  public func changedViews(since other: Layout) -> [ViewIndex]? {
    lineage.changes(since: other.lineage)
  }

  /// Whether both are made of one layout by changes of properties alone, and so have the same
  /// responders by the same numbers. Others may have them too.
  public func hasSameTree(as other: Layout) -> Bool { names.hasSameTree(as: other.names) }

  /// The views in pre-order.
  @inlinable
  public var views: PagedArray<View> { tree.views }

  /// The number of views, windows included.
  @inlinable
  public var viewCount: Int { tree.views.count }

  /// The view at an index of this layout.
  @inlinable
  public subscript(view: ViewIndex) -> View { _read { yield tree[view] } }

  /// The subviews of a view, from back to front.
  public func subviews(of view: ViewIndex) -> [ViewIndex] { tree.subviews(of: view) }

  /// The window that a view belongs to, or is.
  @inlinable
  public func window(of view: ViewIndex) -> Window { windows[self[view].windowIndex] }

  // MARK: - Names

  /// The view of a path. Rule L5.
  public func view(at path: String) -> ViewIndex? { names.view(at: path[...], in: tree) }

  /// The path of a view. Rule L5.
  public func path(of view: ViewIndex) -> String { names.path(of: self[view]) }

  /// The bytes of the path of a view. Rule L5.
  public func pathLength(of view: ViewIndex) -> Int { self[view].path.byteCount }

  /// Writes the path of a view to memory of exactly its length: a touch that begins asks for it,
  /// and a string would have to be made each time.
  public func writePath(of view: ViewIndex, to bytes: UnsafeMutableRawBufferPointer) {
    names.writePath(of: self[view], to: bytes)
  }

  /// A view's own name: the last part of its path. Rule L5.
  public func name(of view: ViewIndex) -> String { names.name(of: self[view]) }

  /// Whether a view has the same name as a view of another layout. Makes no text of it.
  public func hasSameName(_ view: ViewIndex, as other: ViewIndex, of layout: Layout) -> Bool {
    names.isSameName(self[view], as: layout[other], of: layout.names)
  }

  // MARK: - Geometry

  /// All of a screen, in points. A touch that begins outside of it is discarded. Rule T8.
  public func bounds(of screen: ScreenIndex) -> Rect {
    let size = screens[Int(screen.rawValue)].size
    return Rect(x: 0, y: 0, width: size.width, height: size.height)
  }

  /// The bounds of a view, in its own coordinates.
  public func bounds(of view: ViewIndex) -> Rect { tree.bounds(of: view) }

  /// The transform about the view's centre, forward: from the view to its superview. Rule L2.
  public func transform(of view: ViewIndex) -> AffineTransform {
    // Of nearly all views there is nothing to be copied.
    self[view].extrasIndex < 0 ? .identity : tree.extras(of: self[view]).transform
  }

  /// The map from a view's own coordinates to those of its superview, or to points of the screen
  /// for a window's root: what ``screenTransform(of:)`` undoes, one step of it. Rule L2.
  public func superviewTransform(of view: ViewIndex) -> AffineTransform {
    tree.superviewTransform(of: view)
  }

  /// The map from points of the screen to a view's own coordinates. Rules L2 and T9.
  public func screenTransform(of view: ViewIndex) -> AffineTransform { placement(of: view).toView }

  /// Where a view lies, as a touch must know it: one walk up to the window.
  public func placement(of view: ViewIndex) -> Placement { tree.placement(of: view) }

  /// The smallest upright rectangle around a view's bounds, in points of the screen.
  public func frameOnScreen(of view: ViewIndex) -> Rect { tree.frameOnScreen(of: view) }

  // MARK: - What hit-testing and observers ask

  /// How far its touchable region reaches beyond its bounds. Rule H3.
  public func outset(of view: ViewIndex) -> Outset { tree.extras(of: self[view]).outset }

  /// What refines its touchable region. Rule H4.
  public func shape(of view: ViewIndex) -> Shape { tree.extras(of: self[view]).shape }

  /// What replaces its pointInside. Rule H5.
  public func insideRule(of view: ViewIndex) -> ResolvedInsideRule {
    tree.extras(of: self[view]).inside
  }

  /// What replaces its hitTest. Rule H6.
  public func hitRule(of view: ViewIndex) -> ResolvedHitRule { tree.extras(of: self[view]).hit }

  /// The outermost view that is secure and that the view lies in, or is; what is inside such a view
  /// is as secure as its own touches. Rule F7.
  public func secureRoot(of view: ViewIndex) -> ViewIndex? { tree.secureRoot(of: view) }

  /// The name of the feedback that a finger on a view gives, its own or inherited; nil for none.
  /// Rules D10 and D12.
  public func feedback(of view: ViewIndex) -> String? { tree.feedback(of: view) }

  /// Whether no view is secure.
  public var hasNoSecureView: Bool { secureViews.isEmpty }

  /// Whether other views are secure than in another layout, by their paths.
  public func hasOtherSecureViews(than other: Layout) -> Bool {
    if let changed = changedViews(since: other) {
      return changed.contains { self[$0].isSecure != other[$0].isSecure }
    }
    if secureViews.count != other.secureViews.count { return true }
    return secureViews.contains { view in
      let before = hasSameTree(as: other) ? view : other.view(at: path(of: view))
      return before.map { !other[$0].isSecure } ?? true
    }
  }

  /// The first view that is secure of a view and those that lie in it. Takes the same time however
  /// many these are.
  public func firstSecureView(in view: ViewIndex) -> ViewIndex? {
    var first = 0
    var end = secureViews.count
    while first < end {
      let middle = (first + end) / 2
      if secureViews[middle] < view { first = middle + 1 } else { end = middle }
    }
    return first < secureViews.count && secureViews[first] < self[view].end
      ? secureViews[first] : nil
  }

  /// The view itself where it is secure, one that it lies in, or one that lies in it: whoever gets
  /// the view's touches may get those of that one. Rule F6.
  public func secureView(near view: ViewIndex) -> ViewIndex? {
    if let root = secureRoot(of: view) { return self[view].isSecure ? view : root }
    return firstSecureView(in: view)
  }
}
