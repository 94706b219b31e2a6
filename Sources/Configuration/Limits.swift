/// The `[limits]` of the configuration: what is beyond them is refused with an error that names
/// them. Rule F5.
public struct Limits: Equatable, Sendable {
  /// Screens.
  public var screens = 16
  /// Windows, on all screens together.
  public var windows = 1024
  /// Views, windows included.
  public var views = 1_000_000
  /// Views from a window down to its deepest view, both counted.
  public var depth = 1024
  /// Corners of a polygon.
  public var polygonPoints = 256
  /// Touch devices.
  public var devices = 32
  /// Clients connected at one time.
  public var clients = 1024
  /// Attachments of one client.
  public var attachments = 256
  /// Touches live at one time, of all devices.
  public var touches = 256
  /// Bytes that wait for one client before it is disconnected.
  public var queueBytes = 1 << 20

  /// Every limit at its default.
  public init() {}
}

/// The keys of `[limits]`, each with the values that it may have.
enum LimitKey: String, CaseIterable {
  case screens, windows, views, depth, devices, clients, attachments, touches
  case polygonPoints = "polygon_points"
  case queueBytes = "queue_bytes"

  var property: WritableKeyPath<Limits, Int> {
    switch self {
    case .screens: \.screens
    case .windows: \.windows
    case .views: \.views
    case .depth: \.depth
    case .polygonPoints: \.polygonPoints
    case .devices: \.devices
    case .clients: \.clients
    case .attachments: \.attachments
    case .touches: \.touches
    case .queueBytes: \.queueBytes
    }
  }

  var range: ClosedRange<Int> {
    switch self {
    case .screens: 1...256
    case .windows: 1...65_536
    case .views: 1...10_000_000
    case .depth: 1...65_536
    case .polygonPoints: 3...65_536
    case .devices: 1...1024
    case .clients: 1...65_536
    case .attachments: 1...65_536
    case .touches: 1...65_536
    case .queueBytes: 65_536...1 << 30
    }
  }
}
