/// A view of a ``Layout``, by its index in pre-order, windows from back to front: a higher index is
/// nearer the viewer.
public struct ViewIndex: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The index, from 0.
  public var rawValue: Int32

  /// The view at that index.
  @inlinable
  public init(_ rawValue: Int32) { self.rawValue = rawValue }

  /// Whether the left view comes before, so lies behind or above in the tree.
  @inlinable
  public static func < (left: ViewIndex, right: ViewIndex) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// A responder of a ``Layout``: a view, a controller or an application. Rule L5.
public struct ResponderID: Hashable, Sendable, BitwiseCopyable {
  /// Views come first, with their own index; then controllers; then applications.
  public var rawValue: Int32

  /// The responder of that number.
  @inlinable
  public init(_ rawValue: Int32) { self.rawValue = rawValue }

  /// The view as a responder.
  @inlinable
  public init(_ view: ViewIndex) { self.rawValue = view.rawValue }
}
