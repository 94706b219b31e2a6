import TouchModel

/// Whether a change of a layout takes touches from secure views. Rule F7.
///
/// It does where a secure view lies in the one that was changed; where that one is made exclusive
/// (T13) in the secure view's window; and where it, or what lies in it, may take touches in front
/// of a secure view at places where it did not as configured, nor as it was shown before. Whether
/// it is shown as configured is of no account: it may be. All is decided by boxes on the screen,
/// larger ones for what may be taken and smaller ones for what was.
package struct SecureCover {
  private let configured: Layout
  private let before: Layout
  private let after: Layout

  /// - Parameters:
  ///   - configured: The layout of the configuration alone.
  ///   - before: The one in force before the change.
  ///   - after: The one with the change.
  package init(configured: Layout, before: Layout, after: Layout) {
    self.configured = configured
    self.before = before
    self.after = after
  }

  /// What changes take from those secure views: of which change, and in words; nil where that is
  /// nothing.
  ///
  /// - Parameters:
  ///   - paths: The views that were changed or added.
  ///   - secrets: The paths of the secure views.
  package func excess(
    ofChanging paths: [String], takingFrom secrets: [String]
  ) -> (change: Int, words: String)? {
    let secrets = secrets.compactMap { after.view(at: $0) }
    var seen: Set<[ViewIndex]> = []
    for (number, path) in paths.enumerated() {
      guard let view = after.view(at: path) else { continue }
      for secure in secrets where view <= secure || !after.lies(view, in: secure) {
        let secret = "\"\(after.path(of: secure))\""
        let words: String? =
          if view == secure { "it is secure" } else if after.lies(secure, in: view) {
            "\(secret) lies in it, which is secure"
          } else if isAskedBy(view, secure) {
            "where \(secret) takes touches, which is secure, goes by it"
          } else if seen.insert([view, secure]).inserted, takes(view, from: secure) {
            "it would be in front of \(secret), which is secure"
          } else if keepsOut(view, secure) {
            "its exclusive_touch would keep touches out of \(secret), which is secure"
          } else { nil }
        if let words { return (number, words + after.wordsOfRight(to: secure)) }
      }
    }
    return nil
  }

  /// Whether a view was made one whose touches keep those of the secure one out. Rule T13.
  private func keepsOut(_ view: ViewIndex, _ secure: ViewIndex) -> Bool {
    guard after[view].exclusiveTouch, after[view].windowIndex == after[secure].windowIndex else {
      return false
    }
    return ![configured, before].contains { layout in
      counterpart(of: view, in: layout).map { layout[$0].exclusiveTouch } ?? false
    }
  }

  // MARK: - In front

  /// A layout before the change in which a view was in front of the secure one.
  private struct Earlier {
    let layout: Layout
    let view: ViewIndex
  }

  /// Whether a view, or what lies in it, may take touches from a secure one which it did not take.
  private func takes(_ view: ViewIndex, from secure: ViewIndex) -> Bool {
    guard isInFront(view, of: secure, in: after) else { return false }
    let path = after.path(of: secure)
    let earlier = [configured, before].compactMap { layout -> Earlier? in
      guard let counterpart = counterpart(of: view, in: layout), let secure = layout.view(at: path),
        isInFront(counterpart, of: secure, in: layout),
        layout === configured || !isHidden(counterpart, in: layout)
      else { return nil }
      return Earlier(layout: layout, view: counterpart)
    }
    let own = places(of: secure)
    var left = Self.mostViews
    return takes(view, from: own, earlier, &left)
  }

  /// Where a secure view may take touches: those too that one which it lies in leads to it.
  private func places(of secure: ViewIndex) -> [Rect] {
    let reach = WindowReach(after)
    var places = reach.boxes(in: secure)
    var next = after[secure].parent
    while let superview = next {
      if case .redirect(let target) = after.hitRule(of: superview), after.lies(target, in: secure) {
        places += reach.boxes(in: superview)
      }
      next = after[superview].parent
    }
    return places
  }

  /// - Parameters:
  ///   - own: Where the secure view may take touches.
  ///   - earlier: Where all that the view lies in was as it is.
  ///   - left: So many views are looked at yet, before the answer is that they take touches.
  private func takes(
    _ view: ViewIndex, from own: [Rect], _ earlier: [Earlier], _ left: inout Int
  ) -> Bool {
    left -= 1
    if left < 0 { return true }
    let box = WindowReach(after).whole(of: view)
    let common = own.map(box.intersection).filter { $0.width > 0 && $0.height > 0 }
    let clips = WindowReach.clips(after, view) || after.hitRule(of: view) == .itself
    if clips, common.isEmpty { return false }
    let unchanged = earlier.filter { isSame(view, as: $0) }
    let areas = earlier.compactMap { WindowReach($0.layout).surelyTaken(by: $0.view) }
    let isTaken = common.allSatisfy { WindowReach.isBox($0, in: areas) }
    if clips, isTaken { return false }
    if takesItself(view), !isTaken, unchanged.isEmpty { return true }
    return after.subviews(of: view).contains { subview in
      let next = unchanged.compactMap { earlier in
        counterpart(of: subview, in: earlier.layout).map {
          Earlier(layout: earlier.layout, view: $0)
        }
      }.filter { $0.layout === configured || !$0.layout[$0.view].isGated }
      return takes(subview, from: own, next, &left)
    }
  }

  /// Whether a view may be what is hit, or make one that it lies in that.
  private func takesItself(_ view: ViewIndex) -> Bool {
    switch after.hitRule(of: view) {
    case .none, .passThrough:
      guard let superview = after[view].parent else { return false }
      switch after.insideRule(of: superview) {
      case .children, .anyChild: return true
      case .bounds, .always, .never: return false
      }
    case .standard, .itself, .redirect, .first: return true
    }
  }

  /// Whether a view is what it was in all that says where it takes touches, but for being shown.
  private func isSame(_ view: ViewIndex, as earlier: Earlier) -> Bool {
    let (old, other) = (earlier.layout, earlier.view)
    guard old.bounds(of: other) == after.bounds(of: view),
      old.tree.toScreen(of: other) == after.tree.toScreen(of: view),
      old.hasSameTree(as: after) || !old.tree.namesOthers(other) && !after.tree.namesOthers(view)
    else { return false }
    return old.tree.hasSameExtras(old[other], as: after[view], of: after.tree)
  }

  private func counterpart(of view: ViewIndex, in layout: Layout) -> ViewIndex? {
    layout.hasSameTree(as: after) ? view : layout.view(at: after.path(of: view))
  }

  private func isHidden(_ view: ViewIndex, in layout: Layout) -> Bool {
    sequence(first: view) { layout[$0].parent }.contains { layout[$0].isGated }
  }

  /// So many views are looked at one by one.
  private static let mostViews = 256

  // MARK: - Order

  /// Whether a view is asked before another one, in which it does not lie.
  private func isInFront(_ view: ViewIndex, of other: ViewIndex, in layout: Layout) -> Bool {
    guard layout.window(of: view).screen == layout.window(of: other).screen else { return false }
    return view > other || isAskedFirst(view, in: layout)
  }

  /// Whether one of those that a view lies in asks it, or what lies in it, before all others.
  private func isAskedFirst(_ view: ViewIndex, in layout: Layout) -> Bool {
    var next = layout[view].parent
    while let superview = next {
      if case .first(let descendant) = layout.hitRule(of: superview),
        layout.lies(descendant, in: view) || layout.lies(view, in: descendant)
      {
        return true
      }
      next = layout[superview].parent
    }
    return false
  }

  /// Whether the view in which both lie has a point inside where that view has, and not where the
  /// secure one has: so that this one is asked where that one is. Rule H5.
  private func isAskedBy(_ view: ViewIndex, _ secure: ViewIndex) -> Bool {
    var branch = secure
    while let superview = after[branch].parent, !after.lies(view, in: superview) {
      branch = superview
    }
    guard let common = after[branch].parent else { return false }
    switch after.insideRule(of: common) {
    case .bounds, .always, .never: return false
    case .children(let named) where !named.contains(branch): return true
    case .children, .anyChild:
      let reach = WindowReach(after)
      return (branch.rawValue..<after[branch].end.rawValue).contains {
        reach.takesAll(ViewIndex($0))
      }
    }
  }

}

extension WindowReach {
  /// The box of a view, or its whole screen where it takes every touch that it is asked about.
  fileprivate func whole(of view: ViewIndex) -> Rect {
    takesAll(view) ? screen(of: view) : box(of: view)
  }

  /// Where a view and what lies in it may take touches.
  fileprivate func boxes(in view: ViewIndex) -> [Rect] { unclippedViews(in: view).map(whole(of:)) }

  /// A box in which a view takes every touch that it is asked about, wherever it is shown; nil
  /// where that is none.
  fileprivate func surelyTaken(by view: ViewIndex) -> Rect? {
    switch layout.hitRule(of: view) {
    case .none, .passThrough: return nil
    case .itself: return screen(of: view)
    case .standard, .redirect, .first: break
    }
    switch layout.insideRule(of: view) {
    case .never: return nil
    case .always: return screen(of: view)
    case .bounds, .anyChild, .children: break
    }
    let transform = layout.tree.toScreen(of: view)
    let isUpright =
      transform.b == 0 && transform.c == 0 || transform.a == 0 && transform.d == 0
    return isUpright && layout.tree.touchRegion(of: view).shape == .rect ? box(of: view) : nil
  }

  private func screen(of view: ViewIndex) -> Rect {
    let size = layout.screens[Int(layout.window(of: view).screen.rawValue)].size
    return Rect(x: 0, y: 0, width: size.width, height: size.height)
  }
}

extension ViewTree {
  /// Whether a rule of a view names others, by their places in the layout.
  fileprivate func namesOthers(_ view: ViewIndex) -> Bool {
    let extras = extras(of: self[view])
    if case .children = extras.inside { return true }
    switch extras.hit {
    case .redirect, .first: return true
    case .standard, .itself, .none, .passThrough: return false
    }
  }
}

extension Layout {
  /// Who may change what a secure view gets, as the end of a sentence.
  func wordsOfRight(to secure: ViewIndex) -> String {
    "; that is for the program that holds \"\(window(of: secure).name)\", for root, and for those "
      + "whom an [[access]] rule for \"\(path(of: secure))\" names"
  }

  /// Whether a view lies in another one, or is that.
  fileprivate func lies(_ view: ViewIndex, in other: ViewIndex) -> Bool {
    other <= view && view < self[other].end
  }
}

extension Rect {
  /// What lies in both.
  fileprivate func intersection(_ other: Rect) -> Rect {
    let (left, top) = (max(x, other.x), max(y, other.y))
    return Rect(
      x: left, y: top, width: max(0, min(maxX, other.maxX) - left),
      height: max(0, min(maxY, other.maxY) - top))
  }
}
