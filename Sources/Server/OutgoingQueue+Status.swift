import Wire
import CTouchroute
import Glibc
import Routing
import TouchModel

/// The items of `status`.
extension OutgoingQueue {
  mutating func appendStatus(of daemon: DaemonStatus, serial: UInt32) {
    let version = clipped(daemon.version, to: Int(TOUCHROUTE_MAX_NAME))
    let configuration = clipped(daemon.configuration, to: Int(PATH_MAX))
    let numbers = daemon.counters + daemon.latencies.counts
    let numberBytes = numbers.count * MemoryLayout<UInt64>.stride
    let fixed = MemoryLayout<touchroute_status_daemon>.size
    let size =
      fixed + numberBytes + padded(version.utf8.count) + padded(configuration.utf8.count)
    guard let start = append(size) else { return }
    var message = touchroute_status_daemon()
    message.header = messageHeader(TOUCHROUTE_STATUS_DAEMON, size: size)
    message.serial = serial
    message.pid = daemon.pid
    message.started_us = daemon.started.microseconds
    message.generation = daemon.generation
    message.window_count = UInt32(clamping: daemon.windowCount)
    message.view_count = UInt32(clamping: daemon.viewCount)
    message.live_touches = UInt32(clamping: daemon.liveTouches)
    message.version_size = UInt32(version.utf8.count)
    message.configuration_size = UInt32(configuration.utf8.count)
    message.counter_count = UInt32(daemon.counters.count)
    message.latency_count = UInt32(daemon.latencies.counts.count)
    start.storeBytes(of: message, as: touchroute_status_daemon.self)
    numbers.withUnsafeBytes { numbers in
      UnsafeMutableRawBufferPointer(start: start + fixed, count: numberBytes)
        .copyMemory(from: numbers)
    }
    _ = (start + fixed + numberBytes).store(version).store(configuration)
  }

  /// `queued` and `unread` are bytes, in the daemon and in the socket.
  mutating func appendStatus(
    of session: Session, liveTouches: Int, queued: Int, unread: Int, serial: UInt32
  ) {
    var message = touchroute_status_client()
    message.serial = serial
    message.client = session.id.slot
    message.pid = session.peer.pid
    message.uid = session.peer.uid
    message.gid = session.peer.gid
    var flags: Wire.ClientFlags = []
    if session.socket == .control { flags.insert(.control) }
    if session.isObserver { flags.insert(.observer) }
    if session.reading == .nothing { flags.insert(.unresponsive) }
    message.flags = flags.rawValue
    message.queued = UInt32(clamping: queued)
    message.unread = UInt32(clamping: unread)
    message.messages = session.messageCount
    message.coalesced = session.coalescedCount
    message.dropped = session.droppedSampleCount
    message.live_touches = UInt32(clamping: liveTouches)
    message.name_size = UInt32(session.name.utf8.count)
    append(TOUCHROUTE_STATUS_CLIENT, message, session.name)
  }

  mutating func appendStatus(of item: AttachmentStatus, serial: UInt32) {
    let path = pathOnWire(item.path)
    append(
      TOUCHROUTE_STATUS_ATTACHMENT,
      touchroute_status_attachment(
        header: touchroute_header(), serial: serial, client: item.attachment.client.slot,
        attachment: item.attachment.id.rawValue, handles: item.attachment.handles.rawValue,
        passes: item.attachment.passes.rawValue, live_touches: UInt32(clamping: item.liveTouches),
        path_size: UInt32(path.utf8.count)), path)
  }

  mutating func appendStatus(of device: DeviceStatus, serial: UInt32) {
    let name = clipped(device.name, to: Int(TOUCHROUTE_MAX_NAME))
    let node = clipped(device.node, to: Int(TOUCHROUTE_MAX_PATH))
    let phys = clipped(device.phys, to: Int(TOUCHROUTE_MAX_PATH))
    var message = touchroute_status_device()
    message.serial = serial
    message.device = device.id.rawValue
    message.screen = UInt32(bitPattern: device.screen.rawValue)
    var flags: Wire.DeviceFlags = []
    if device.isGrabbed { flags.insert(.grabbed) }
    if device.isSuspended { flags.insert(.suspended) }
    if device.isIgnored { flags.insert(.ignored) }
    message.flags = flags.rawValue
    message.bus = device.identity.bus
    message.vendor = device.identity.vendor
    message.product = device.identity.product
    message.version = device.identity.version
    message.touch_count = UInt32(clamping: device.touchCount)
    message.live_touches = UInt32(clamping: device.liveTouches)
    message.name_size = UInt32(name.utf8.count)
    message.node_size = UInt32(node.utf8.count)
    message.phys_size = UInt32(phys.utf8.count)
    append(TOUCHROUTE_STATUS_DEVICE, message, name, node, phys)
  }
}
