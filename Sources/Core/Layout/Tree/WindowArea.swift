import TouchModel

/// The part of its screen in which a window may take touches, whatever holders make of it.
/// Rule L6.
struct WindowArea {
  /// The layout of the configuration alone.
  let configured: Layout
  /// What was in force before, if anything was.
  let before: Layout?
  /// The window with all that is set of it.
  let window: LayoutDescription.Window
  /// Its root as configured, and as those who are above holders have made it.
  let lasting: [ViewProperties]

  /// What of the window reaches beyond it in a layout, in words; nil where nothing does. What may
  /// take touches where it is configured may, and what does not reach further than before.
  func excess(in staged: () -> Layout) -> String? {
    if window.isResizable { return nil }
    let screen = configured.screens[Int(window.screen.rawValue)]
    // Only what reaches beyond these has to be looked for in the layouts before.
    let areas = lasting.map { WindowReach.box(ofRoot: $0, on: screen) }
    let box = WindowReach.box(ofRoot: window.properties, on: screen)
    let reached = Reached(areas: areas, layouts: [configured, before], window: window.name)
    if !reached.contains(box, of: window.name) {
      return AreaWords.outside(window.name, box, window.name, areas[0])
    }
    let all = Rect(x: 0, y: 0, width: screen.size.width, height: screen.size.height)
    let mayTakeAll = WindowReach.isBox(all, in: areas)
    if WindowReach.takesAll(window.properties), !mayTakeAll,
      !lasting.contains(where: WindowReach.takesAll)
    {
      return AreaWords.takingAll(window.name, window.name, areas[0])
    }
    if window.properties.hit == .itself || WindowReach.clips(window.properties) { return nil }
    return excess(ofViews: staged(), reached, mayTakeAll: mayTakeAll)
  }

  /// The same for the views that nothing clips.
  private func excess(
    ofViews staged: Layout, _ reached: Reached, mayTakeAll: Bool
  ) -> String? {
    guard let root = staged.view(at: window.name) else { return nil }
    let reach = WindowReach(staged)
    for view in reach.unclippedViews(in: root) {
      let path = staged.path(of: view)
      let box = reach.box(of: view)
      if !reached.contains(box, of: path) {
        return AreaWords.outside(path, box, window.name, reached.areas[0])
      }
      let isNew = !WindowReach.takesAll(window.properties) || view != root
      if isNew, !mayTakeAll, reach.takesAll(view), !reached.tookAll(path) {
        return AreaWords.takingAll(path, window.name, reached.areas[0])
      }
    }
    return nil
  }
}

/// Where a window and its views may take touches: in some areas, and where they could before.
private final class Reached {
  let areas: [Rect]
  private let layouts: [Layout?]
  private let window: String
  /// Costs a walk over the window in each layout: made where it is needed.
  private lazy var earlier = layouts.compactMap { $0.map { Earlier($0, window: window) } }

  init(areas: [Rect], layouts: [Layout?], window: String) {
    self.areas = areas
    self.layouts = layouts
    self.window = window
  }

  /// Whether the box of the view of a path lies in these.
  func contains(_ box: Rect, of path: String) -> Bool {
    WindowReach.isBox(box, in: areas)
      || WindowReach.isBox(box, in: areas + earlier.compactMap { $0.box(of: path) })
  }

  /// Whether the view of a path took every touch that it was asked about.
  func tookAll(_ path: String) -> Bool { earlier.contains { $0.tookAll(path) } }
}

/// Where the views of a window could take touches in another layout: those that nothing clipped.
private struct Earlier {
  private let reach: WindowReach
  private let unclipped: Set<ViewIndex>

  init(_ layout: Layout, window: String) {
    reach = WindowReach(layout)
    unclipped = Set(layout.view(at: window).map(reach.unclippedViews) ?? [])
  }

  private func view(_ path: String) -> ViewIndex? {
    reach.layout.view(at: path).flatMap { unclipped.contains($0) ? $0 : nil }
  }

  func box(of path: String) -> Rect? { view(path).map(reach.box) }

  /// Whether a view took every touch that it was asked about.
  func tookAll(_ path: String) -> Bool { view(path).map(reach.takesAll) ?? false }
}
