import Layout

extension Layout {
  /// The outermost view that is secure and that the view lies in, or is; what is inside such a view
  /// is as secret as its own touches. Rule F7.
  func secureRoot(of view: ViewIndex) -> ViewIndex? {
    var root: ViewIndex?
    var next: ViewIndex? = view
    while let view = next {
      if self[view].isSecure { root = view }
      next = self[view].parent
    }
    return root
  }
}
