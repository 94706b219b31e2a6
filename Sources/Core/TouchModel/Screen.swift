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

  /// What wakes the screen while it is dark, and how long that may take. Rules D3 and D4.
  public struct Waking: Equatable, Sendable {
    /// What fingers do to wake it.
    public enum Action: String, Sendable, CaseIterable {
      /// One comes down.
      case touch
      /// Two taps in a row.
      case doubleTap = "double_tap"
      /// One stays where it came down.
      case longPress = "long_press"
      /// Nothing: a button wakes it, and its blanker says so.
      case none
    }

    /// What wakes it.
    public var action = Action.touch
    /// For so many milliseconds after it is on, no program gets a touch that begins.
    public var guardMilliseconds: UInt64 = 200
    /// So many milliseconds after it was woken it is on, whatever its blanker says.
    public var timeoutMilliseconds: UInt64 = 5_000

    /// By a touch, with the default times.
    public init() {}
  }

  /// The name, unique among the screens.
  public var name: String
  /// The size as its viewer sees it, after rotation, in points.
  public var size: Size
  /// How the panel is mounted.
  public var rotation: Rotation
  /// What wakes it.
  public var waking = Waking()

  /// A screen of that name, size and mounting.
  public init(name: String, size: Size, rotation: Rotation = .none) {
    self.name = name
    self.size = size
    self.rotation = rotation
  }
}
