/// What refines a view's touchable region. Rule H4.
public enum Shape: Equatable, Sendable {
  /// The grown bounds.
  case rect
  /// The grown bounds with round corners of that radius, in points.
  case rounded(radius: Double)
  /// The ellipse inscribed in the grown bounds.
  case ellipse
  /// A polygon by the even-odd rule, in coordinates that start at the bounds' origin.
  case polygon([Point])
}
