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
  /// The layout of a configuration; nobody holds anything.
  ///
  /// - Parameter notes: what else is to be said of views, by their paths, and of screens, by their
  ///   names behind `screen:`.
  package init(_ layout: Layout, notes: [String: [String]] = [:]) {
    screens = layout.screens.map { screen in
      let text = Self.text(screen.name, screen.size, rotation: screen.rotation.rawValue)
      return ([text] + notes["screen:\(screen.name)", default: []]).joined(separator: "  ")
    }
    nodes = layout.views.indices.map { index in
      let view = ViewIndex(Int32(index))
      return Node(
        path: layout.path(of: view), parent: layout[view].parent.map { Int($0.rawValue) },
        controller: layout.controller(of: view).map(layout.name(of:)), frame: layout[view].frame,
        remarks: layout.remarks(on: view) + notes[layout.path(of: view), default: []])
    }
  }
}

extension Layout {
  /// What a view is other than by default, in words.
  fileprivate func remarks(on index: ViewIndex) -> [String] {
    let view = self[index]
    var remarks: [String] = []
    let window = window(of: index)
    if view.parent == nil {
      if screens.count > 1 { remarks.append("on \(screens[Int(window.screen.rawValue)].name)") }
      if window.level != 0 { remarks.append("level \(window.level)") }
      if let application = window.application { remarks.append("app:\(applications[application])") }
    }
    if view.isHidden { remarks.append("hidden") }
    if !view.interaction { remarks.append("no interaction") }
    if view.alpha != 1 { remarks.append("alpha \(Text.number(view.alpha))") }
    if view.boundsOrigin != .zero { remarks.append("origin \(Text.point(view.boundsOrigin))") }
    if transform(of: index) != .identity { remarks.append(Text.transform(transform(of: index))) }
    let outset = outset(of: index)
    if outset != .zero { remarks.append(Text.outset(outset)) }
    if let shape = Text.shape(shape(of: index)) { remarks.append(shape) }
    if let inside = text(insideRule(of: index)) { remarks.append("inside \(inside)") }
    if let hit = text(hitRule(of: index)) { remarks.append("hit \(hit)") }
    if !view.multipleTouch { remarks.append("single touch") }
    if view.exclusiveTouch { remarks.append("exclusive touch") }
    if view.isSecure { remarks.append("secure") }
    return remarks
  }

  private func text(_ rule: ResolvedInsideRule) -> String? {
    switch rule {
    case .bounds: nil
    case .always: "always"
    case .never: "never"
    case .anyChild: "children"
    case .children(let views): views.map(name(of:)).joined(separator: ", ")
    }
  }

  private func text(_ rule: ResolvedHitRule) -> String? {
    switch rule {
    case .standard: nil
    case .itself: "self"
    case .none: "none"
    case .passThrough: "pass_through"
    case .redirect(let view): "redirect \(path(of: view))"
    case .first(let view): "first \(path(of: view))"
    }
  }
}
