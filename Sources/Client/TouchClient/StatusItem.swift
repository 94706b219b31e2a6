import CTouchroute
public import TouchModel
public import Wire

/// One item of the answer to status; ``Completion`` follows the last.
public enum StatusItem: Equatable, Sendable {
  /// The daemon itself; comes first.
  case daemon(DaemonStatus)
  /// A client.
  case client(ClientStatus)
  /// An attachment of a client.
  case attachment(AttachmentStatus)
  /// A device.
  case device(DeviceStatus)
  /// An attachment that waits in the queue for its responder. Rule R2.
  case waiting(AttachmentStatus)
  /// A screen. Rule D1.
  case screen(ScreenStatus)
  /// A screen's lock. Rule D9.
  case lock(LockStatus)
  /// An attachment that inhibits idle. Rule D8.
  case inhibitor(AttachmentStatus)
  /// What a filter of a device did, or what is wrong with it; comes after the device.
  case signal(SignalStatus)
}

/// The daemon's state.
public struct DaemonStatus: Equatable, Sendable {
  /// What the daemon counts; the raw values are indices into ``DaemonStatus/counters``.
  public typealias Counter = Wire.Counter

  /// The daemon's process.
  public var pid: Int32
  /// When it started.
  public var started: Timestamp
  /// The layout's generation.
  public var generation: UInt32
  /// The windows of the layout.
  public var windowCount: UInt32
  /// The views of the layout, windows included.
  public var viewCount: UInt32
  /// The touches that are live now.
  public var liveTouches: UInt32
  /// The daemon's version.
  public var version: String
  /// The path of its configuration.
  public var configuration: String
  /// The counters; a newer daemon may have more than ``Counter`` names.
  public var counters: [UInt64]
  /// How many frames took how long from the kernel's timestamp until they were sent. Index i counts
  /// those from 2^(i-1) to less than 2^i microseconds, the last index all that took longer.
  public var latencies: [UInt64]

  /// One of the counters; 0 if the daemon does not have it.
  public subscript(counter: Counter) -> UInt64 {
    counter.rawValue < counters.count ? counters[counter.rawValue] : 0
  }

  /// The message as the C library shows it.
  init(
    _ status: touchroute_status_daemon, counters: UnsafePointer<UInt64>,
    latencies: UnsafePointer<UInt64>, version: String, configuration: String
  ) {
    pid = status.pid
    started = Timestamp(microseconds: status.started_us)
    generation = status.generation
    windowCount = status.window_count
    viewCount = status.view_count
    liveTouches = status.live_touches
    self.version = version
    self.configuration = configuration
    self.counters = Array(
      UnsafeBufferPointer(start: counters, count: Int(status.counter_count)))
    self.latencies = Array(
      UnsafeBufferPointer(start: latencies, count: Int(status.latency_count)))
  }
}

/// A client's state.
public struct ClientStatus: Equatable, Sendable {
  /// Flags of a client; the bits are the wire's.
  public typealias Flags = Wire.ClientFlags

  /// Names it in the items that follow.
  public var client: UInt32
  /// What it calls itself.
  public var name: String
  /// Its process.
  public var pid: Int32
  /// Its user.
  public var uid: UInt32
  /// Its group.
  public var gid: UInt32
  /// Its flags.
  public var flags: Flags
  /// Bytes that wait for it in the daemon.
  public var queuedBytes: UInt32
  /// Bytes that wait for it in the socket.
  public var unreadBytes: UInt32
  /// The messages sent to it.
  public var messages: UInt64
  /// Frames that were merged into others because it did not read. Rule F2.
  public var coalesced: UInt64
  /// Samples that were dropped because their touch's history was full. Rule F2.
  public var droppedSamples: UInt64
  /// How many live touches it has.
  public var liveTouches: UInt32

  /// The message as the C library shows it.
  init(_ status: touchroute_status_client, name: String) {
    client = status.client
    self.name = name
    pid = status.pid
    uid = status.uid
    gid = status.gid
    flags = Flags(rawValue: status.flags)
    queuedBytes = status.queued
    unreadBytes = status.unread
    messages = status.messages
    coalesced = status.coalesced
    droppedSamples = status.dropped
    liveTouches = status.live_touches
  }
}

/// An attachment's state.
public struct AttachmentStatus: Equatable, Sendable {
  /// The client, as its own item names it.
  public var client: UInt32
  /// The daemon's number of the attachment.
  public var attachment: UInt32
  /// The responder.
  public var path: String
  /// The phases that it handles. Rule R3.
  public var handles: TouchPhases
  /// Those of them that it passes. Rule R3.
  public var passes: TouchPhases
  /// How many live touches it has.
  public var liveTouches: UInt32

  /// The message as the C library shows it.
  init(_ status: touchroute_status_attachment, path: String) {
    client = status.client
    attachment = status.attachment
    self.path = path
    handles = TouchPhases(rawValue: status.handles)
    passes = TouchPhases(rawValue: status.passes)
    liveTouches = status.live_touches
  }
}

/// A device's state.
public struct DeviceStatus: Equatable, Sendable {
  /// Flags of a device; the bits are the wire's.
  public typealias Flags = Wire.DeviceFlags

  /// The device.
  public var device: DeviceID
  /// Its name.
  public var name: String
  /// The path of its node.
  public var node: String
  /// Its physical path; empty if it has none.
  public var physicalPath: String
  /// Its bus, as linux/input.h numbers them.
  public var bus: UInt16
  /// Its vendor.
  public var vendor: UInt16
  /// Its product.
  public var product: UInt16
  /// Its version.
  public var version: UInt16
  /// The screen that it is mapped to: an index into ``Welcome/screens``.
  public var screen: UInt32?
  /// Its flags.
  public var flags: Flags
  /// How many fingers it can tell apart; nil if it does not say.
  public var touchCount: UInt32?
  /// How many live touches it has.
  public var liveTouches: UInt32

  /// The message as the C library shows it.
  init(_ status: touchroute_status_device, name: String, node: String, physicalPath: String) {
    device = DeviceID(status.device)
    self.name = name
    self.node = node
    self.physicalPath = physicalPath
    bus = status.bus
    vendor = status.vendor
    product = status.product
    version = status.version
    screen = status.screen == TOUCHROUTE_NONE ? nil : status.screen
    flags = Flags(rawValue: status.flags)
    touchCount = status.touch_count == 0 ? nil : status.touch_count
    liveTouches = status.live_touches
  }
}

/// What a filter of a device has done (rule N1), or what is wrong with the device (rule N10).
public struct SignalStatus: Equatable, Sendable {
  /// The device.
  public var device: DeviceID
  /// What it is.
  public var finding: SignalFinding
  /// Of a filter: how often, since it is in force; else 1.
  public var count: UInt64
  /// Since when it is wrong; nil of a filter.
  public var since: Timestamp?
  /// What is wrong, in words that follow the device's name; empty of a filter.
  public var text: String

  /// The message as the C library shows it; nil where it is of a newer daemon.
  init?(_ status: touchroute_status_signal, text: String) {
    guard let finding = SignalFinding(rawValue: status.finding) else { return nil }
    self.finding = finding
    device = DeviceID(status.device)
    count = status.count
    since = finding.isFault ? Timestamp(microseconds: status.since_us) : nil
    self.text = text
  }
}
