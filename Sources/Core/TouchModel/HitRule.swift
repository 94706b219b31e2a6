/// What replaces a view's hitTest. Rule H6; paths are those of descendants, relative to the view.
public enum HitRule: Equatable, Sendable {
  /// H2.
  case standard
  /// The view itself, for every point that it is asked about.
  case itself
  /// Nothing, subtree included.
  case none
  /// H2, but nothing where the result is the view itself.
  case passThrough
  /// Where H2 finds anything: that descendant.
  case redirect(String)
  /// That descendant is asked first; then H2.
  case first(String)
}
