public import TouchModel

/// A step of a batch that may add and remove views. Rule L6.
public enum ViewEdit: Equatable, Sendable {
  /// A view is added, in front of the other subviews of its superview.
  case add(LayoutDescription.View)
  /// A view that was added is removed, with all that lies in it.
  case remove(String)
  /// A property of a view is another.
  case change(ViewChange)
  /// The same, by another than who makes the batch.
  case set(SetChange)
}
