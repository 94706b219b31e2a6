public import TouchModel

/// A view of this program's own, with what lies in it. Rule L7. The corresponding class is UIKit's
/// UIView.
public struct Subview: Equatable, Sendable {
  /// Its name, which none of its siblings has. Rule L5.
  public var name: String
  /// Where it is, in its superview's coordinates.
  public var frame: Rect
  /// What else it is not as every view is by default.
  public var properties: [ViewChange.Property]
  /// The name of its controller. Rule L3.
  public var controller: String?
  /// The views in it, from back to front.
  public var subviews: [Subview]

  /// A view with others in it.
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

/// Reads views as they lie in each other, from back to front, with `if` and `for`.
@resultBuilder
public enum SubviewBuilder {
  /// One view.
  public static func buildExpression(_ view: Subview) -> [Subview] { [view] }

  /// Views that were made elsewhere.
  public static func buildExpression(_ views: [Subview]) -> [Subview] { views }

  /// Views one behind the other.
  public static func buildBlock(_ views: [Subview]...) -> [Subview] { views.flatMap(\.self) }

  /// Those of every turn of a loop.
  public static func buildArray(_ views: [[Subview]]) -> [Subview] { views.flatMap(\.self) }

  /// Those of a condition.
  public static func buildOptional(_ views: [Subview]?) -> [Subview] { views ?? [] }

  /// Those of a condition that holds.
  public static func buildEither(first views: [Subview]) -> [Subview] { views }

  /// Those of a condition that does not hold.
  public static func buildEither(second views: [Subview]) -> [Subview] { views }
}

/// What is to become of the views in that of an attachment. Paths are those from that view on:
/// `row-1`, `row-1/icon`. Rule L7.
public enum ViewStep: Equatable, Sendable {
  /// A view is added, with all that lies in it, in front of its siblings; in the attachment's view,
  /// or in one in that.
  case add(Subview, to: String = "")
  /// A view that was added so is removed, with all that lies in it.
  case remove(String)
  /// Properties of a view are others; of the attachment's view itself where the path is empty.
  case change(String, [ViewChange.Property])
}
