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
  /// The views in pre-order.
  public let views: [View]

  /// The paths of the views; ``View/path`` leads here.
  let paths: ViewPaths
  /// What few views have; ``View/extrasIndex`` leads here.
  let extras: [ViewExtras]
  /// The controllers, in the order of their views.
  let controllers: [Controller]
  /// For each responder the next one up its chain, or -1. Rule R1.
  @usableFromInline let nextResponders: [Int32]
  /// For each application its windows, back to front.
  let applicationWindows: [[Int32]]
  /// For each application the views of its windows, counted.
  let applicationViewCounts: [Int]
  /// Subviews by their superview and name.
  let childTable: ChildTable

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
  }

  /// Checks a description, resolves it and lays it out flat.
  ///
  /// - Throws: the problems of the description, in its order; see ``LayoutError``. Rule L6.
  public convenience init(_ description: LayoutDescription, limits: LayoutLimits = .default)
    throws(LayoutError)
  {
    var builder = LayoutBuilder(description, limits: limits)
    builder.check()
    let order = builder.problems.isEmpty ? builder.preorder() : []
    let parts = builder.problems.isEmpty ? builder.resolve(order) : LayoutParts()
    guard builder.problems.isEmpty else {
      throw LayoutError(problems: builder.problems.sorted, hasMore: builder.problems.hasMore)
    }
    self.init(
      parts, screens: description.screens, applications: builder.applications,
      childTable: ChildTable(parts.views, parts.paths))
  }

  /// A layout of other parts for the same screens, windows, views and controllers by name; with the
  /// same tree, also in the same places.
  convenience init(_ parts: LayoutParts, like other: Layout, hasSameTree: Bool) {
    self.init(
      parts, screens: other.screens, applications: other.applications,
      childTable: hasSameTree ? other.childTable : ChildTable(parts.views, parts.paths))
  }

  private init(
    _ parts: LayoutParts, screens: [Screen], applications: [String],
    childTable: ChildTable
  ) {
    self.screens = screens
    windows = parts.windows
    self.applications = applications
    paths = parts.paths
    extras = parts.extras
    controllers = parts.controllers
    self.childTable = childTable
    var applicationWindows: [[Int32]] = Array(repeating: [], count: applications.count)
    var counts: [Int] = Array(repeating: 0, count: applications.count)
    for (index, window) in windows.enumerated() {
      guard let application = window.application else { continue }
      applicationWindows[application].append(Int32(index))
      counts[application] += parts.views[window.root].subtreeCount(from: window.root)
    }
    self.applicationWindows = applicationWindows
    applicationViewCounts = counts
    nextResponders = Layout.nextResponders(parts, applications: applications.count)
    views = parts.views
  }

  /// Whether both are made of one layout by changes of properties alone, and so have the same
  /// responders in the same places. Others may have them too.
  public func hasSameTree(as other: Layout) -> Bool { childTable === other.childTable }

  /// The number of views, windows included.
  public var viewCount: Int { views.count }

  /// The view at an index of this layout.
  public subscript(view: ViewIndex) -> View { views[view] }

  /// All of a screen, in points. A touch that begins outside of it is discarded. Rule T8.
  public func bounds(of screen: ScreenIndex) -> Rect {
    let size = screens[Int(screen.rawValue)].size
    return Rect(x: 0, y: 0, width: size.width, height: size.height)
  }

  /// The window that a view belongs to, or is.
  public func window(of view: ViewIndex) -> Window { windows[views[view].windowIndex] }
}

extension Array where Element == Layout.View {
  /// The view at an index.
  subscript(view: ViewIndex) -> Layout.View { self[Int(view.rawValue)] }
}
