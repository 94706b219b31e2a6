package import Layout
package import TouchModel

/// A layout as `tree` shows it, wherever it comes from.
package struct LayoutTree {
  /// A view.
  package struct Node {
    let path: String
    /// The index of its superview in ``LayoutTree/nodes``; nil for a window.
    let parent: Int?
    let controller: String?
    /// In its superview's coordinates, or in points of the screen for a window.
    let frame: Rect
    /// What else is to be said of it, where it is not the default.
    let remarks: [String]

    /// A view, wherever what is known of it comes from.
    package init(
      path: String, parent: Int?, controller: String?, frame: Rect, remarks: [String]
    ) {
      self.path = path
      self.parent = parent
      self.controller = controller
      self.frame = frame
      self.remarks = remarks
    }
  }

  /// What is to be said of the screens, a line each.
  private let screens: [String]
  /// In pre-order.
  private let nodes: [Node]

  /// A tree of views in pre-order, below a line for each screen.
  package init(screens: [String], nodes: [Node]) {
    self.screens = screens
    self.nodes = nodes
  }

  /// A line for each screen, then one for each view, drawn as a tree.
  package func lines() -> [String] {
    let last = lastChildren()
    var drawn: [String] = []
    // What stands before the subviews of a node.
    var indents = [String](repeating: "", count: nodes.count)
    for (index, node) in nodes.enumerated() {
      guard let parent = node.parent else {
        drawn.append(text(node))
        continue
      }
      let isLast = last[parent] == index
      drawn.append(indents[parent] + (isLast ? "└─ " : "├─ ") + text(node))
      indents[index] = indents[parent] + (isLast ? "   " : "│  ")
    }
    return screens + drawn
  }

  /// For each node the index of its last subview.
  private func lastChildren() -> [Int] {
    var last = [Int](repeating: -1, count: nodes.count)
    for (index, node) in nodes.enumerated() {
      if let parent = node.parent { last[parent] = index }
    }
    return last
  }

  /// What is to be said of a screen, such as `screen panel: 800x480, mounted at 90°`.
  package static func text(_ name: String, _ size: Size, rotation: UInt32) -> String {
    let size = "\(Text.number(size.width))x\(Text.number(size.height))"
    return "screen \(name): \(size)" + (rotation == 0 ? "" : ", mounted at \(rotation)°")
  }

  private func text(_ node: Node) -> String {
    let name = node.path[
      (node.path.lastIndex(of: "/").map(node.path.index(after:)) ?? node.path.startIndex)...]
    let controller = node.controller.map { "@" + $0 } ?? ""
    let parts = [name + controller, Text.rect(node.frame)] + node.remarks
    return parts.joined(separator: "  ")
  }
}

extension LayoutTree {
  /// A layout.
  ///
  /// - Parameters:
  ///   - properties: What each of its views is.
  ///   - notes: What else is to be said of views, by their paths, and of screens, by their names
  ///     behind `screen:`.
  package init(
    _ layout: Layout, properties: [ViewProperties], notes: [String: [String]] = [:]
  ) {
    screens = layout.screens.map { screen in
      let text = Self.text(screen.name, screen.size, rotation: screen.rotation.rawValue)
      return ([text] + notes["screen:\(screen.name)", default: []]).joined(separator: "  ")
    }
    nodes = zip(layout.views.indices, properties).map { index, properties in
      let view = ViewIndex(Int32(index))
      let path = layout.path(of: view)
      return Node(
        path: path, parent: layout[view].parent.map { Int($0.rawValue) },
        controller: properties.controller, frame: layout[view].frame,
        remarks: layout.remarks(onWindowOf: view) + properties.remarks(at: path)
          + notes[path, default: []])
    }
  }
}

extension Layout {
  /// What is to be said of a window, in words; of another view nothing.
  fileprivate func remarks(onWindowOf view: ViewIndex) -> [String] {
    guard self[view].parent == nil else { return [] }
    let window = window(of: view)
    var remarks: [String] = []
    if screens.count > 1 { remarks.append("on \(screens[Int(window.screen.rawValue)].name)") }
    if window.level != 0 { remarks.append("level \(window.level)") }
    if let application = window.application { remarks.append("app:\(applications[application])") }
    return remarks
  }
}

extension ViewProperties {
  /// What a view of a path is other than by default, in words.
  fileprivate func remarks(at path: String) -> [String] {
    let plain = ViewProperties(frame: frame)
    return ViewChange.Property.Kind.declared.compactMap { kind in
      guard kind != .frame, let property = property(kind), property != plain.property(kind) else {
        return nil
      }
      return Text.remark(property, at: path)
    }
  }
}

extension Text {
  /// A property that is not as by default, in words.
  fileprivate static func remark(_ property: ViewChange.Property, at path: String) -> String? {
    switch (property.value, property.kind.declaration.form) {
    case (.flag, .flag(let word, _)): word
    case (.point(let value), .point(let word, _)): "\(word) \(point(value))"
    case (.number(let value), _): "\(property.name) \(number(value))"
    case (.transform(let value), _): transform(value)
    case (.outset(let value), _): outset(value)
    case (.shape(let value), _): shape(value)
    case (.inside(let value), _): "\(property.name) \(words(value))"
    case (.hit(let value), _): "\(property.name) \(words(value, at: path))"
    case (.text(let value), _): "\(property.name) \"\(value)\""
    default: nil
    }
  }

  private static func words(_ rule: InsideRule) -> String {
    switch rule {
    case .bounds: "bounds"
    case .always: "always"
    case .never: "never"
    case .children([]): "children"
    case .children(let names): names.joined(separator: ", ")
    }
  }

  private static func words(_ rule: HitRule, at path: String) -> String {
    switch rule {
    case .standard: "default"
    case .itself: "self"
    case .none: "none"
    case .passThrough: "pass_through"
    case .redirect(let descendant): "redirect \(path)/\(descendant)"
    case .first(let descendant): "first \(path)/\(descendant)"
    }
  }
}
