extension Layout {
  /// A view counted among the views of a responder, in pre-order: 0 is the responder's own view, or
  /// its window; an application's windows are counted one after another, from back to front. Nil
  /// where the view is none of them.
  public func targetIndex(of view: ViewIndex, in responder: ResponderID) -> UInt32? {
    switch kind(of: responder) {
    case .view(let base), .controller(let base):
      guard view >= base, view < views[base].end else { return nil }
      return UInt32(view.rawValue - base.rawValue)
    case .application(let application):
      var before: Int32 = 0
      for window in applicationWindows[application] {
        let root = windows[Int(window)].root
        if view >= root, view < views[root].end {
          return UInt32(before + view.rawValue - root.rawValue)
        }
        before += views[root].end.rawValue - root.rawValue
      }
      return nil
    }
  }

  /// The view of a number that ``targetIndex(of:in:)`` gave.
  public func view(at index: UInt32, in responder: ResponderID) -> ViewIndex? {
    switch kind(of: responder) {
    case .view(let base), .controller(let base):
      guard Int(index) < views[base].subtreeCount(from: base) else { return nil }
      return ViewIndex(base.rawValue + Int32(index))
    case .application(let application):
      var rest = Int(index)
      for window in applicationWindows[application] {
        let root = windows[Int(window)].root
        let count = views[root].subtreeCount(from: root)
        if rest < count { return ViewIndex(root.rawValue + Int32(rest)) }
        rest -= count
      }
      return nil
    }
  }

  /// The number of views that ``targetIndex(of:in:)`` counts.
  public func viewCount(of responder: ResponderID) -> Int {
    switch kind(of: responder) {
    case .view(let base), .controller(let base): views[base].subtreeCount(from: base)
    case .application(let application): applicationViewCounts[application]
    }
  }
}
