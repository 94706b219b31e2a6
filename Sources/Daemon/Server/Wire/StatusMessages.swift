import CTouchroute
import Glibc
import Routing
import TouchModel
import Wire

/// The first item of `status`: the daemon, with what it counted and measured.
struct DaemonStatusMessage: OutgoingMessage {
  private let fixed: touchroute_status_daemon
  private let numbers: [UInt64]
  private let version: String
  private let configuration: String
  let size: Int

  init(_ daemon: DaemonStatus, serial: UInt32) {
    version = clipped(daemon.version, to: Int(TOUCHROUTE_MAX_NAME))
    configuration = clipped(daemon.configuration, to: Int(PATH_MAX))
    numbers = daemon.counters + daemon.latencies.counts
    size =
      MemoryLayout<touchroute_status_daemon>.size + numbers.count * MemoryLayout<UInt64>.stride
      + padded(version.utf8.count) + padded(configuration.utf8.count)
    var fixed = touchroute_status_daemon()
    fixed.header = touchroute_header(TOUCHROUTE_STATUS_DAEMON, size: size)
    fixed.serial = serial
    fixed.pid = daemon.pid
    fixed.started_us = daemon.started.microseconds
    fixed.generation = daemon.generation
    fixed.window_count = UInt32(clamping: daemon.windowCount)
    fixed.view_count = UInt32(clamping: daemon.viewCount)
    fixed.live_touches = UInt32(clamping: daemon.liveTouches)
    fixed.version_size = UInt32(version.utf8.count)
    fixed.configuration_size = UInt32(configuration.utf8.count)
    fixed.counter_count = UInt32(daemon.counters.count)
    fixed.latency_count = UInt32(daemon.latencies.counts.count)
    self.fixed = fixed
  }

  func write(to start: UnsafeMutableRawPointer) {
    start.storeBytes(of: fixed, as: touchroute_status_daemon.self)
    let next = start + MemoryLayout<touchroute_status_daemon>.size
    let size = numbers.withUnsafeBytes { numbers in
      UnsafeMutableRawBufferPointer(start: next, count: numbers.count).copyMemory(from: numbers)
      return numbers.count
    }
    _ = (next + size).store(version).store(configuration)
  }
}

extension OutgoingMessage where Self == FixedMessage<touchroute_status_client> {
  /// An item of `status`: a client.
  static func status(of client: ClientStatus, serial: UInt32) -> Self {
    var fixed = touchroute_status_client()
    fixed.serial = serial
    fixed.client = client.client.id.slot
    fixed.pid = client.client.peer.pid
    fixed.uid = client.client.peer.uid
    fixed.gid = client.client.peer.gid
    fixed.flags = client.flags.rawValue
    fixed.queued = UInt32(clamping: client.queuedBytes)
    fixed.unread = UInt32(clamping: client.unreadBytes)
    fixed.messages = client.deliveries.messages
    fixed.coalesced = client.deliveries.coalesced
    fixed.dropped = client.deliveries.droppedSamples
    fixed.live_touches = UInt32(clamping: client.liveTouches)
    fixed.name_size = UInt32(client.name.utf8.count)
    return FixedMessage(TOUCHROUTE_STATUS_CLIENT, fixed, client.name)
  }
}

extension OutgoingMessage where Self == FixedMessage<touchroute_status_attachment> {
  /// An item of `status`: an attachment.
  static func status(of item: AttachmentStatus, serial: UInt32) -> Self {
    let isWaiting = item.liveTouches == nil
    return message(
      isWaiting ? TOUCHROUTE_STATUS_WAITING : TOUCHROUTE_STATUS_ATTACHMENT, item, serial)
  }

  /// An item of `status`: an attachment that inhibits idle. Rule D8.
  static func inhibitor(_ item: AttachmentStatus, serial: UInt32) -> Self {
    message(TOUCHROUTE_STATUS_INHIBITOR, item, serial)
  }

  private static func message(
    _ event: touchroute_event, _ item: AttachmentStatus, _ serial: UInt32
  ) -> Self {
    let path = pathOnWire(item.request.path)
    let fixed = touchroute_status_attachment(
      header: touchroute_header(), serial: serial, client: item.client.slot,
      attachment: item.id.rawValue, handles: item.request.handles.rawValue,
      passes: item.request.passes.rawValue, live_touches: UInt32(clamping: item.liveTouches ?? 0),
      path_size: UInt32(path.utf8.count))
    return FixedMessage(event, fixed, path)
  }
}

extension OutgoingMessage where Self == FixedMessage<touchroute_status_device> {
  /// An item of `status`: a touchscreen.
  static func status(of device: DeviceStatus, serial: UInt32) -> Self {
    let name = clipped(device.name, to: Int(TOUCHROUTE_MAX_NAME))
    let node = clipped(device.node, to: Int(TOUCHROUTE_MAX_PATH))
    let phys = clipped(device.phys, to: Int(TOUCHROUTE_MAX_PATH))
    var flags: Wire.DeviceFlags = []
    if device.isGrabbed { flags.insert(.grabbed) }
    if device.isIgnored { flags.insert(.ignored) }
    var fixed = touchroute_status_device()
    fixed.serial = serial
    fixed.device = device.id.rawValue
    fixed.screen = UInt32(bitPattern: device.screen.rawValue)
    fixed.flags = flags.rawValue
    fixed.bus = device.identity.bus
    fixed.vendor = device.identity.vendor
    fixed.product = device.identity.product
    fixed.version = device.identity.version
    fixed.touch_count = UInt32(clamping: device.touchCount)
    fixed.live_touches = UInt32(clamping: device.liveTouches)
    fixed.name_size = UInt32(name.utf8.count)
    fixed.node_size = UInt32(node.utf8.count)
    fixed.phys_size = UInt32(phys.utf8.count)
    return FixedMessage(TOUCHROUTE_STATUS_DEVICE, fixed, name, node, phys)
  }
}

extension OutgoingMessage where Self == FixedMessage<touchroute_status_signal> {
  /// An item of `status`: what a touchscreen's filters have done, or what is wrong with it. Rules
  /// N1 and N10.
  static func status(
    of finding: DeviceFinding, on device: DeviceID, serial: UInt32
  ) -> Self {
    let text = clipped(finding.sentence, to: Int(TOUCHROUTE_MAX_PATH))
    var fixed = touchroute_status_signal()
    fixed.serial = serial
    fixed.device = device.rawValue
    fixed.finding = finding.finding.rawValue
    fixed.count = finding.count
    fixed.since_us = finding.since?.microseconds ?? 0
    fixed.text_size = UInt32(text.utf8.count)
    return FixedMessage(TOUCHROUTE_STATUS_SIGNAL, fixed, text)
  }
}
