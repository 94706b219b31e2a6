/// The layout of a configuration with the views that were added to it, in which nothing is set.
struct ExtendedLayout: Sendable {
  /// With the views that were added.
  let layout: Layout
  /// With the views that were added, behind all others.
  let description: LayoutDescription
  /// In the order in which they were.
  let added: [AddedView]
  /// How many each has added.
  let addedCounts: [LayoutSetter: Int]
  /// What the views may cost a lookup that each has added.
  let lookupCosts: Charges<LayoutSetter>
  /// What is charged for them, in bytes.
  let keptBytes: Charges<LayoutSetter>
  let limits: LayoutLimits
  /// The layout of the configuration alone.
  let original: Layout
  private let originalDescription: LayoutDescription

  /// A configuration's layout, which was made of that description.
  init(_ layout: Layout, of description: LayoutDescription, limits: LayoutLimits) {
    self.layout = layout
    self.description = description
    self.limits = limits
    added = []
    addedCounts = [:]
    lookupCosts = Charges()
    keptBytes = Charges()
    original = layout
    originalDescription = description
  }

  /// - Parameter checked: What was made of the configured views, and of as many of the added ones
  ///   as it has, which come first.
  private init(
    _ other: ExtendedLayout, adding views: [AddedView], checked: Layout
  ) throws(LayoutError) {
    original = other.original
    originalDescription = other.originalDescription
    limits = other.limits
    added = views
    addedCounts = Dictionary(views.map { ($0.setter, 1) }, uniquingKeysWith: +)
    var lookupCosts = Charges<LayoutSetter>()
    var keptBytes = Charges<LayoutSetter>()
    for view in views where !view.setter.isAdministrator {
      lookupCosts.add(view.view.properties.lookupCost, to: view.setter)
      keptBytes.add(KeptBytes.of(view.view), to: view.setter)
    }
    (self.lookupCosts, self.keptBytes) = (lookupCosts, keptBytes)
    guard !views.isEmpty else {
      layout = original
      description = originalDescription
      return
    }
    description = LayoutDescription(
      screens: originalDescription.screens, windows: originalDescription.windows,
      views: originalDescription.views + views.map(\.view))
    layout = try Layout(description, extending: checked, limits: limits)
  }

  /// The number of views that are configured.
  var configuredViewCount: Int { originalDescription.views.count }

  /// The same with those views added, and no others.
  func adding(_ views: [AddedView]) throws(LayoutError) -> ExtendedLayout {
    try ExtendedLayout(self, adding: views, checked: original)
  }

  /// The same with those views added, which begin with those that are: only the others are checked.
  func extended(to views: [AddedView]) throws(LayoutError) -> ExtendedLayout {
    try ExtendedLayout(self, adding: views, checked: layout)
  }

  /// The same with as many of those views as are possible without the others.
  func addingPossible(of views: [AddedView]) -> ExtendedLayout {
    var views = views
    while true {
      do throws(LayoutError) { return try adding(views) } catch {
        let faulty = error.problems.compactMap { problem -> String? in
          guard case .view(let index) = problem.subject, index >= configuredViewCount else {
            return nil
          }
          return views[index - configuredViewCount].view.path
        }
        // What is wrong with them together is no one's fault.
        views = faulty.isEmpty ? [] : views.removing { faulty.contains($0.view.path) }
      }
    }
  }
}
