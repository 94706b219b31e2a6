/// A screen of the configuration: where windows are placed and devices are mapped to. Rule L1.
public struct Screen: Equatable, Sendable {
  /// How a panel is mounted, in degrees clockwise as its viewer sees it.
  public enum Rotation: UInt32, Sendable, CaseIterable {
    /// As it was made.
    case none = 0
    /// Its top edge is at the viewer's right.
    case quarter = 90
    /// Upside down.
    case half = 180
    /// Its top edge is at the viewer's left.
    case threeQuarters = 270
  }

  /// The name, unique among the screens.
  public var name: String
  /// The size as its viewer sees it, after rotation, in points.
  public var size: Size
  /// How the panel is mounted.
  public var rotation: Rotation

  /// A screen of that name, size and mounting.
  public init(name: String, size: Size, rotation: Rotation = .none) {
    self.name = name
    self.size = size
    self.rotation = rotation
  }
}
