import Wire
public import Routing
public import TouchModel

/// What `status` says of the daemon as a whole.
public struct DaemonStatus: Equatable, Sendable {
  /// Its process.
  public var pid: Int32
  /// When it started.
  public var started: Timestamp
  /// The number of the layout in force.
  public var generation: UInt32
  /// The windows of that layout.
  public var windowCount: Int
  /// The views of that layout, windows included.
  public var viewCount: Int
  /// The touches that somebody gets.
  public var liveTouches: Int
  /// Its version.
  public var version: String
  /// The path of its configuration.
  public var configuration: String
  /// What was counted, by ``Wire/Counter``.
  public var counters: [UInt64]
  /// How long the frames took.
  public var latencies: LatencyHistogram

  /// A status without counters yet.
  public init(
    pid: Int32, started: Timestamp, generation: UInt32, windowCount: Int, viewCount: Int,
    liveTouches: Int, version: String, configuration: String, counters: [UInt64] = [],
    latencies: LatencyHistogram = LatencyHistogram()
  ) {
    self.pid = pid
    self.started = started
    self.generation = generation
    self.windowCount = windowCount
    self.viewCount = viewCount
    self.liveTouches = liveTouches
    self.version = version
    self.configuration = configuration
    self.counters = counters
    self.latencies = latencies
  }
}

/// What `status` says of a client.
struct ClientStatus {
  /// Who it is.
  var client: ConnectedClient
  /// What it calls itself.
  var name: String
  /// What is special about it.
  var flags: Wire.ClientFlags
  /// The bytes that wait for it in the daemon.
  var queuedBytes: Int
  /// The bytes that wait for it in its socket.
  var unreadBytes: Int
  /// What became of the frames for it.
  var deliveries: DeliveryCounts
  /// The touches that it gets.
  var liveTouches: Int
}

/// What `status` says of a touchscreen.
public struct DeviceStatus: Sendable {
  /// Its number in events.
  public var id: DeviceID
  /// The screen that it is mapped to.
  public var screen: ScreenIndex
  /// Whether nobody else can read it.
  public var isGrabbed: Bool
  /// Whether the configuration leaves it alone.
  public var isIgnored: Bool
  /// Bus, vendor, product and version.
  public var identity: (bus: UInt16, vendor: UInt16, product: UInt16, version: UInt16)
  /// The fingers that it can tell apart; 0 where it does not say.
  public var touchCount: Int
  /// The fingers that are down.
  public var liveTouches: Int
  /// Its name.
  public var name: String
  /// The path of its node.
  public var node: String
  /// The physical path that the kernel gives.
  public var phys: String
  /// What its filters have done (rule N1), and what is wrong with it (rule N10).
  public var findings: [DeviceFinding] = []

  /// The status of a device.
  public init(
    id: DeviceID, screen: ScreenIndex, isGrabbed: Bool,
    isIgnored: Bool, identity: (bus: UInt16, vendor: UInt16, product: UInt16, version: UInt16),
    touchCount: Int,
    liveTouches: Int, name: String, node: String, phys: String
  ) {
    self.id = id
    self.screen = screen
    self.isGrabbed = isGrabbed
    self.isIgnored = isIgnored
    self.identity = identity
    self.touchCount = touchCount
    self.liveTouches = liveTouches
    self.name = name
    self.node = node
    self.phys = phys
  }
}

/// What a touchscreen's filters have done, or what is wrong with it.
public struct DeviceFinding: Equatable, Sendable {
  /// What it is.
  public var finding: SignalFinding
  /// How often filters have done it.
  public var count: UInt64
  /// Since when it is wrong.
  public var since: Timestamp?
  /// What is wrong, in words that follow the touchscreen's name.
  public var sentence: String

  /// Something that filters have done so often.
  public init(_ finding: SignalFinding, count: UInt64) {
    self.finding = finding
    self.count = count
    sentence = ""
  }

  /// Something that is wrong.
  public init(_ finding: SignalFinding, since: Timestamp, _ sentence: String) {
    self.finding = finding
    count = 1
    self.since = since
    self.sentence = sentence
  }
}

/// What `status` says of an attachment.
public struct AttachmentStatus: Equatable, Sendable {
  /// Its number.
  public var id: AttachmentID
  /// Whose it is.
  public var client: ClientID
  /// What it asked for, its responder's path among that.
  public var request: AttachRequest
  /// The touches that it gets; nil where it stands in line.
  public var liveTouches: Int?

  /// The status of an attachment that holds its responder.
  public init(_ attachment: Attachment, path: String, liveTouches: Int) {
    id = attachment.id
    client = attachment.client
    request = AttachRequest(
      path: path, handles: attachment.handles, passes: attachment.passes)
    self.liveTouches = liveTouches
  }

  /// The status of one that stands in line. Rule R2.
  public init(waiting id: AttachmentID, of client: ClientID, for request: AttachRequest) {
    self.id = id
    self.client = client
    self.request = request
  }
}
