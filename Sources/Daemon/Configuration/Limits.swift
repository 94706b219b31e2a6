package import Layout

/// The `[limits]` of the configuration: what is beyond them is refused with an error that names
/// them. Rule F5.
package struct Limits: Equatable, Sendable {
  /// How large the layout may be.
  package var layout = LayoutLimits.default
  /// Clients of the client socket at one time.
  package var clients = 1024
  /// Clients of the control socket at one time.
  package var controlClients = 16
  /// Clients of the client socket of one user; a quarter of all, unless it is set.
  package var clientsPerUser = 256
  /// Attachments of all clients of one user.
  package var attachmentsPerUser = 4096
  /// Bytes that wait for all clients before the one for which the most waits is disconnected.
  package var totalQueueBytes = 1 << 24
  /// The same for the clients of one user.
  package var queueBytesPerUser = 1 << 23
  /// Bytes that the clients of one user may have the daemon keep.
  package var bytesPerUser = 1 << 24
  /// Attachments of one client.
  package var attachments = 1024
  /// Touches live at one time, of all devices.
  package var touches = 256
  /// Recognizers of gestures, of the configuration and of clients.
  package var gestures = 4096
  /// Those that one client may add.
  package var gesturesPerClient = 256
  /// Those that the clients of one user may add; a quarter of all, unless it is set.
  package var gesturesPerUser = 1024
  /// Those that clients have added of which a touch is offered to so many at most.
  package var gesturesPerTouch = 32
  /// Views that one client may add.
  package var viewsPerClient = 4096
  /// Views that the clients of one user may add.
  package var viewsPerUser = 16_384
  /// What the views may cost a lookup that the clients of one user add or set: see `LookupBudget`.
  package var lookupCostPerUser = 160_000
  /// How deep a client's views may lie in the view that it holds.
  package var depthPerClient = 64
  /// Bytes that wait for one client before it is disconnected.
  package var queueBytes = 1 << 20
  /// The same for a client of the control socket.
  package var controlQueueBytes = 1 << 22
  /// How long a client may take for its hello and for the rest of a message that it has begun, in
  /// milliseconds.
  package var requestTimeoutMilliseconds = 10_000
  /// How long a lock of a screen may last, in seconds.
  package var lockSeconds = 3_600

  /// Every limit at its default.
  package init() {}
}

/// The keys of `[limits]`, each with the values that it may have.
enum LimitKey: String, CaseIterable {
  case screens, windows, views, depth, clients, attachments, touches, gestures
  case nameLength = "name_length"
  case polygonPoints = "polygon_points"
  case controlClients = "control_clients"
  case queueBytes = "queue_bytes"
  case controlQueueBytes = "control_queue_bytes"
  case clientsPerUser = "clients_per_user"
  case attachmentsPerUser = "attachments_per_user"
  case gesturesPerClient = "gestures_per_client"
  case gesturesPerUser = "gestures_per_user"
  case gesturesPerTouch = "gestures_per_touch"
  case viewsPerClient = "views_per_client"
  case viewsPerUser = "views_per_user"
  case lookupCostPerUser = "lookup_cost_per_user"
  case depthPerClient = "depth_per_client"
  case bytesPerUser = "bytes_per_user"
  case queueBytesPerUser = "queue_bytes_per_user"
  case totalQueueBytes = "total_queue_bytes"
  case requestTimeout = "request_timeout_ms"
  case lockSeconds = "lock_seconds"

  var property: WritableKeyPath<Limits, Int> {
    switch self {
    case .screens: \.layout.screens
    case .windows: \.layout.windows
    case .views: \.layout.views
    case .depth: \.layout.depth
    case .nameLength: \.layout.nameLength
    case .polygonPoints: \.layout.polygonPoints
    case .clients: \.clients
    case .attachments: \.attachments
    case .touches: \.touches
    case .gestures: \.gestures
    case .gesturesPerClient: \.gesturesPerClient
    case .gesturesPerUser: \.gesturesPerUser
    case .gesturesPerTouch: \.gesturesPerTouch
    case .viewsPerClient: \.viewsPerClient
    case .viewsPerUser: \.viewsPerUser
    case .lookupCostPerUser: \.lookupCostPerUser
    case .depthPerClient: \.depthPerClient
    case .controlClients: \.controlClients
    case .queueBytes: \.queueBytes
    case .controlQueueBytes: \.controlQueueBytes
    case .clientsPerUser: \.clientsPerUser
    case .attachmentsPerUser: \.attachmentsPerUser
    case .bytesPerUser: \.bytesPerUser
    case .queueBytesPerUser: \.queueBytesPerUser
    case .totalQueueBytes: \.totalQueueBytes
    case .requestTimeout: \.requestTimeoutMilliseconds
    case .lockSeconds: \.lockSeconds
    }
  }

  var range: ClosedRange<Int> {
    switch self {
    case .screens: 1...1024
    case .windows: 1...65_536
    case .views: 1...16_777_216
    // What walks down a layout calls itself for each level, and the stack has room for these.
    case .depth, .depthPerClient: 1...LayoutLimits.default.depth
    case .nameLength: 1...255
    case .polygonPoints: 3...65_536
    case .clients, .clientsPerUser: 1...65_536
    case .attachments: 1...65_536
    case .touches: 1...65_536
    case .gestures, .gesturesPerClient, .gesturesPerUser: 1...65_536
    case .gesturesPerTouch: 1...1024
    case .lockSeconds: 1...86_400
    case .viewsPerClient, .viewsPerUser, .lookupCostPerUser: 0...16_777_216
    case .controlClients: 1...1024
    case .queueBytes, .controlQueueBytes: 65_536...1 << 30
    case .attachmentsPerUser: 1...1_048_576
    case .bytesPerUser, .queueBytesPerUser, .totalQueueBytes: 65_536...1 << 34
    case .requestTimeout: 100...600_000
    }
  }
}
