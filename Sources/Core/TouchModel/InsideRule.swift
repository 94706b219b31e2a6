/// What replaces a view's pointInside. Rule H5.
public enum InsideRule: Equatable, Sendable {
  /// H3 and H4.
  case bounds
  /// Every point is inside.
  case always
  /// No point is inside.
  case never
  /// Its own by H3 and H4, or pointInside of one of its subviews; of those named alone, where there
  /// are names.
  case children([String])
}
