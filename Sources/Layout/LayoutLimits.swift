/// How large a ``Layout`` may be. Rule F5: what is beyond a limit is refused with its name.
public struct LayoutLimits: Equatable, Sendable {
  /// Screens of a layout.
  public var screens = 64
  /// Windows of a layout.
  public var windows = 4096
  /// Views of a layout, windows included.
  public var views = 1_048_576
  /// Views from a window to its deepest descendant, both counted.
  public var depth = 1024
  /// Bytes of a name: a screen's, a window's, a view's, a controller's or an application's.
  public var nameLength = 255
  /// Points of a polygon.
  public var polygonPoints = 1024
  /// The magnitude of a coordinate, a size, an outset or a coefficient of a transform.
  public var coordinate = 1_000_000_000.0

  /// The limits that the shipped configuration names.
  public static let `default` = LayoutLimits()

  /// The default limits, to be changed one by one.
  public init() {}
}
