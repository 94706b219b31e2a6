import Layout

/// Which view of a layout is which of another that has other views, by path, and which of them are
/// where they were. Made once, with a look at each view, so that whoever asks waits for no other.
/// Rule R8.
struct ViewCounterparts: Sendable {
  /// For each view of the old layout that of the new; -1 where it is gone.
  private let views: [Int32]
  /// For each view of the old layout how many of those in front of it in pre-order are gone or are
  /// elsewhere in their superviews; then how many of all.
  private let changeCounts: [Int32]

  init(from old: Layout, to new: Layout) {
    var views = Array(repeating: Int32(-1), count: old.viewCount)
    var counts = Array(repeating: Int32(0), count: old.viewCount + 1)
    // For each view of the new layout which of its subviews comes next, if nothing has changed.
    var next = (0..<Int32(new.viewCount)).map { $0 + 1 }
    for index in views.indices {
      let view = ViewIndex(Int32(index))
      counts[index + 1] = counts[index] + 1
      guard let found = Self.counterpart(of: view, old, new, views, next) else { continue }
      views[index] = found.rawValue
      guard let superview = old[view].parent else { continue }
      let above = views[Int(superview.rawValue)]
      next[Int(above)] = new[found].end.rawValue
      let isInPlace = found.rawValue - above == view.rawValue - superview.rawValue
      if isInPlace, !LayoutChange.differ(view, old, found, new) { counts[index + 1] -= 1 }
    }
    self.views = views
    changeCounts = counts
  }

  /// The view of the same path.
  subscript(view: ViewIndex) -> ViewIndex? {
    let found = views[Int(view.rawValue)]
    return found < 0 ? nil : ViewIndex(found)
  }

  /// Whether one of those views of the old layout is gone, or elsewhere in its superview.
  func hasChanges(in range: Range<Int32>) -> Bool {
    changeCounts[Int(range.lowerBound)] != changeCounts[Int(range.upperBound)]
  }

  /// Finds a view by its superview's counterpart: nearly always it comes behind the one before it.
  private static func counterpart(
    of view: ViewIndex, _ old: Layout, _ new: Layout, _ views: [Int32], _ next: [Int32]
  ) -> ViewIndex? {
    guard let superview = old[view].parent else { return new.view(at: old.path(of: view)) }
    let above = views[Int(superview.rawValue)]
    if above < 0 { return nil }
    let guess = ViewIndex(next[Int(above)])
    if guess < new[ViewIndex(above)].end, new[guess].parent == ViewIndex(above),
      old.hasSameName(view, as: guess, of: new)
    {
      return guess
    }
    return new.view(at: old.path(of: view))
  }
}
