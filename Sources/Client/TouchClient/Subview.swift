public import TouchModel

/// A view of this program's own, with the views in it. Rule L7. The corresponding class is UIKit's
/// UIView.
public struct Subview: Equatable, Sendable {
  /// Its name, unique among its siblings. Rule L5.
  public var name: String
  /// Where it is, in its superview's coordinates.
  public var frame: Rect
  /// Its other properties that differ from the default.
  public var properties: [ViewChange.Property]
  /// The name of its controller. Rule L3.
  public var controller: String?
  /// The views in it, from back to front.
  public var subviews: [Subview]

  /// A view, and the views in it.
  public init(
    _ name: String, frame: Rect, _ properties: ViewChange.Property..., controller: String? = nil,
    @SubviewBuilder subviews: () -> [Subview] = { [] }
  ) {
    self.name = name
    self.frame = frame
    self.properties = properties
    self.controller = controller
    self.subviews = subviews()
  }
}

/// Builds a list of views, from back to front, with `if` and `for`.
@resultBuilder
public enum SubviewBuilder {
  /// One view.
  public static func buildExpression(_ view: Subview) -> [Subview] { [view] }

  /// Views made elsewhere.
  public static func buildExpression(_ views: [Subview]) -> [Subview] { views }

  /// Views from back to front.
  public static func buildBlock(_ views: [Subview]...) -> [Subview] { views.flatMap(\.self) }

  /// The views of each turn of a loop.
  public static func buildArray(_ views: [[Subview]]) -> [Subview] { views.flatMap(\.self) }

  /// The views of a condition; none if it does not hold.
  public static func buildOptional(_ views: [Subview]?) -> [Subview] { views ?? [] }

  /// The views of a condition that holds.
  public static func buildEither(first views: [Subview]) -> [Subview] { views }

  /// The views of a condition that does not hold.
  public static func buildEither(second views: [Subview]) -> [Subview] { views }
}

/// A step that changes the views in an attachment's view. Paths start at that view: `row-1`,
/// `row-1/icon`. Rule L7.
public enum ViewStep: Equatable, Sendable {
  /// Adds a view, with the views in it, in front of its siblings: in the attachment's view, or in
  /// the view at a path.
  case add(Subview, to: String = "")
  /// Removes a view that this program has added, with everything in it.
  case remove(String)
  /// Changes properties of a view. An empty path means the attachment's view itself.
  case change(String, [ViewChange.Property])
}
