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
}
