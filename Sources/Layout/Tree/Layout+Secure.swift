extension Layout {
  /// The outermost view that is secure and that the view lies in, or is; what is inside such a view
  /// is as secret as its own touches. Rule F7.
  public func secureRoot(of view: ViewIndex) -> ViewIndex? {
    var root: ViewIndex?
    var next: ViewIndex? = view
    while let view = next {
      if views[view].isSecure { root = view }
      next = views[view].parent
    }
    return root
  }

  /// The view itself where it is secure, one that it lies in, or one that lies in it: whoever gets
  /// the view's touches may get those of that one. Rule F6.
  public func secureView(near view: ViewIndex) -> ViewIndex? {
    if let root = secureRoot(of: view) { return self[view].isSecure ? view : root }
    return (view.rawValue..<self[view].end.rawValue).lazy.map { ViewIndex($0) }
      .first { self[$0].isSecure }
  }
}
