package import TouchModel

extension LayoutDescription {
  /// The properties of a view in the layout that is made of this description.
  package func properties(of view: ViewIndex, in layout: Layout) -> ViewProperties {
    let node = Int(layout.viewOrder.node(view))
    return node < windows.count ? windows[node].properties : views[node - windows.count].properties
  }
}

/// Who has made of a view what it is. Rules L6 and L7.
package struct ViewOrigin: Sendable {
  /// Who has added it; nil of a configured one.
  package private(set) var adder: LayoutSetter?
  /// Whether it is a window that its holder may have take more of its screen.
  package private(set) var isResizable = false
  /// Its texts, as configured or as it was added.
  package private(set) var texts: [ViewChange.Property]
  /// What is set of it and in force, each property once, and by whom.
  package private(set) var settings: [(property: ViewChange.Property, setter: LayoutSetter)] = []

  /// That of a configured view of which nothing is set.
  ///
  /// - Parameter description: What the layout was made of.
  package init(of view: ViewIndex, in layout: Layout, of description: LayoutDescription) {
    let node = Int(layout.viewOrder.node(view))
    texts = description.properties(of: view, in: layout).texts
    guard node < description.windows.count else { return }
    isResizable = description.windows[node].isResizable
  }

  /// That of a view of an editor's layout. Costs the same however much is set of others.
  package init(of view: ViewIndex, in editor: LayoutEditor) {
    let base = editor.base
    self.init(of: view, in: editor.layout, of: base.description)
    let node = editor.layout.viewOrder.node(view)
    let number = Int(node) - base.description.windows.count - base.configuredViewCount
    if number >= 0 { adder = base.added[number].setter }
    var seen: Set<ViewChange.Property.Kind> = []
    for entry in (editor.overrides[node]?.entries ?? []).reversed()
    where seen.insert(entry.kind).inserted {
      // The latest may have it as configured, whatever others have set.
      if let property = entry.property { settings.append((property, entry.setter)) }
    }
    settings.sort { $0.property.kind.rawValue < $1.property.kind.rawValue }
  }
}
