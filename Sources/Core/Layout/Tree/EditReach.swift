public import TouchModel

/// What a change of a layout would take, before it is made: how many views are laid out anew or
/// looked at. Rule F1.
public struct EditReach {
  let layout: Layout
  let overrides: [Int32: ViewOverrides]
  let added: [AddedView]

  /// Of a layout in which nothing is set.
  public init(_ layout: Layout) { self.init(layout: layout, overrides: [:], added: []) }

  init(layout: Layout, overrides: [Int32: ViewOverrides], added: [AddedView]) {
    self.layout = layout
    self.overrides = overrides
    self.added = added
  }

  /// How many things are set and added: all of them are looked at where a right ends.
  public var entryCount: Int { overrides.count + added.count }

  /// How many views a change of a property concerns besides its own: of a layout that is laid out
  /// anew, all.
  public func views(changedBy change: ViewChange) -> Int {
    guard let view = layout.view(at: change.path) else { return 0 }
    switch change.property {
    case .order, .level: return layout.viewCount
    case let property where !property.extendsReach: return 0
    case .configured:
      let set = overrides[layout.viewOrder.node(view)]
      if set?.order != nil || set?.level != nil { return layout.viewCount }
      return max(viewsAround(frameOf: view), viewsInWindow(of: view, isReplacingInside: true))
    case .frame: return max(viewsAround(frameOf: view), viewsInWindow(of: view))
    case .inside, .hit: return viewsInWindow(of: view, isReplacingInside: true)
    default: return viewsInWindow(of: view)
    }
  }

  /// The same of taking back what fulfils the condition, of which setter and path it is; nil where
  /// nothing does.
  public func views(changedByEnd isOver: (LayoutSetter, String) -> Bool) -> Int? {
    if added.contains(where: { isOver($0.setter, $0.view.path) }) { return layout.viewCount }
    var count: Int?
    for (node, old) in overrides {
      let view = layout.viewOrder.view(node)
      let path = layout.path(of: view)
      var new = old
      new.removeAll { isOver($0.setter, path) }
      guard new != old else { continue }
      if new.order != old.order || new.level != old.level { return layout.viewCount }
      let here = viewsAround(frameOf: view) + viewsInWindow(of: view, isReplacingInside: true)
      count = (count ?? 0) + 1 + here
    }
    return count
  }

  /// The views of which the frame depends on this one's.
  private func viewsAround(frameOf view: ViewIndex) -> Int {
    layout[view].flags.contains(.hasRelativeSubviews) ? layout[view].subtreeCount(from: view) : 0
  }

  /// The views that are looked at because nothing clips them to their window, or may not then.
  private func viewsInWindow(of view: ViewIndex, isReplacingInside: Bool = false) -> Int {
    let root = layout.window(of: view).root
    let clips = WindowReach.clips(layout, root)
    guard !clips || isReplacingInside && view == root else { return 0 }
    return layout[root].subtreeCount(from: root)
  }
}
