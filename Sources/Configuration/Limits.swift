public import Layout

/// The `[limits]` of the configuration: what is beyond them is refused with an error that names
/// them. Rule F5.
public struct Limits: Equatable, Sendable {
  /// How large the layout may be.
  public var layout = LayoutLimits.default
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
  case nameLength = "name_length"
  case polygonPoints = "polygon_points"
  case queueBytes = "queue_bytes"

  var property: WritableKeyPath<Limits, Int> {
    switch self {
    case .screens: \.layout.screens
    case .windows: \.layout.windows
    case .views: \.layout.views
    case .depth: \.layout.depth
    case .nameLength: \.layout.nameLength
    case .polygonPoints: \.layout.polygonPoints
    case .devices: \.devices
    case .clients: \.clients
    case .attachments: \.attachments
    case .touches: \.touches
    case .queueBytes: \.queueBytes
    }
  }

  var range: ClosedRange<Int> {
    switch self {
    case .screens: 1...1024
    case .windows: 1...65_536
    case .views: 1...16_777_216
    case .depth: 1...65_536
    case .nameLength: 1...255
    case .polygonPoints: 3...65_536
    case .devices: 1...1024
    case .clients: 1...65_536
    case .attachments: 1...65_536
    case .touches: 1...65_536
    case .queueBytes: 65_536...1 << 30
    }
  }
}
