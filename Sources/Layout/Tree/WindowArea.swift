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

  /// What of the window reaches beyond it in a layout, in words; nil where nothing does. What lies
  /// where it is configured may, and what does not reach further than before.
  func excess(in staged: () -> Layout) -> String? {
    if window.isResizable { return nil }
    let screen = configured.screens[Int(window.screen.rawValue)]
    let areas = lasting.map { WindowReach.box(ofRoot: $0, on: screen) }
    let box = WindowReach.box(ofRoot: window.properties, on: screen)
    if !WindowReach.isBox(box, in: areas + earlierBoxes(of: window.name)) {
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
    return excess(ofViews: staged(), areas, mayTakeAll: mayTakeAll)
  }

  /// The same for the views that nothing clips.
  private func excess(
    ofViews staged: Layout, _ areas: [Rect], mayTakeAll: Bool
  ) -> String? {
    guard let root = staged.view(at: window.name) else { return nil }
    let reach = WindowReach(staged)
    for view in reach.unclippedViews(in: root) {
      let path = staged.path(of: view)
      let box = reach.box(of: view)
      if !WindowReach.isBox(box, in: areas + earlierBoxes(of: path)) {
        return AreaWords.outside(path, box, window.name, areas[0])
      }
      let isNew = !WindowReach.takesAll(window.properties) || view != root
      if isNew, !mayTakeAll, reach.takesAll(view), !tookAll(path) {
        return AreaWords.takingAll(path, window.name, areas[0])
      }
    }
    return nil
  }

  /// Whether a view took every touch that it was asked about as configured, or before.
  private func tookAll(_ path: String) -> Bool {
    [configured, before].contains { layout in
      layout.map { layout in
        layout.view(at: path).map { WindowReach(layout).takesAll($0) } ?? false
      } ?? false
    }
  }

  private func earlierBoxes(of path: String) -> [Rect] {
    [configured, before].compactMap { layout in
      layout.flatMap { layout in
        layout.view(at: path).map { WindowReach(layout).box(of: $0) }
      }
    }
  }
}
