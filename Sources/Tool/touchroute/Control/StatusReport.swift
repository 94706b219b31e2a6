import Glibc
import LayoutDrawing
import TouchClient
import TouchModel

/// The daemon's state, as `status` prints it and as a line of JSON.
struct StatusReport: Encodable {
  var attachments: [AttachmentReport] = []
  var clients: [ClientReport] = []
  var configuration = ""
  var counters: [String: UInt64] = [:]
  var devices: [DeviceReport] = []
  var generation: UInt32 = 0
  var latencies = LatencyReport()
  var live_touches: UInt32 = 0
  var inhibitors: [InhibitorReport] = []
  var locks: [LockReport] = []
  var pid: Int32 = 0
  var screens: [ScreenReport] = []
  var uptime_seconds: UInt64 = 0
  var version = ""
  var views: UInt32 = 0
  /// The attachments that stand in line, in its order.
  var waiting: [WaitingReport] = []
  var windows: UInt32 = 0

  /// A device.
  struct DeviceReport: Encodable {
    var device: UInt32
    /// What is wrong with it. Rule N10.
    var faults: [FaultReport] = []
    /// How often its filters have done something, by what they did. Rule N1.
    var filters: [String: UInt64] = [:]
    var flags: [String]
    var id: String
    var live_touches: UInt32
    var name: String
    var node: String
    var screen: String?
    var touch_count: UInt32?
  }

  /// Something that is wrong with a device.
  struct FaultReport: Encodable {
    var fault: String
    /// Since when.
    var seconds: UInt64
    var text: String
  }

  /// A client.
  struct ClientReport: Encodable {
    var client: UInt32
    var coalesced: UInt64
    var dropped_samples: UInt64
    var flags: [String]
    var gid: UInt32
    var live_touches: UInt32
    var messages: UInt64
    var name: String
    var pid: Int32
    var queued_bytes: UInt32
    var uid: UInt32
    var unread_bytes: UInt32
  }

  /// An attachment.
  struct AttachmentReport: Encodable {
    var client: UInt32
    var handles: [String]
    var live_touches: UInt32
    var passes: [String]
    var path: String
  }

  /// A screen.
  struct ScreenReport: Encodable {
    var blanker: String?
    var name: String
    var pid: Int32?
    var state: String
  }

  /// A screen's lock.
  struct LockReport: Encodable {
    var name: String
    var pid: Int32?
    var remaining_ms: UInt32
  }

  /// An attachment that inhibits idle.
  struct InhibitorReport: Encodable {
    var client: UInt32
    var path: String
  }

  /// An attachment that stands in line.
  struct WaitingReport: Encodable {
    var client: UInt32
    var handles: [String]
    var passes: [String]
    var path: String
  }

  /// Asks the daemon. The process that asks is none of its programs.
  ///
  /// - Parameter others: is handed what else comes meanwhile.
  init(_ daemon: Daemon, others: (TouchEvent) throws -> Void = { _ in }) throws {
    try daemon.ask(
      { connection throws(TouchClientError) in try connection.status() },
      { event in
        if case .status(_, let item) = event { add(item, daemon.screens.map(\.name)) }
      }, others: others)
    clients.removeAll { $0.pid == getpid() }
    clients.sort { ($0.name, $0.pid, $0.client) < ($1.name, $1.pid, $1.client) }
  }

  private mutating func add(_ item: StatusItem, _ screens: [String]) {
    switch item {
    case .daemon(let status): add(status)
    case .client(let status): clients.append(ClientReport(status))
    case .attachment(let status):
      attachments.append(
        AttachmentReport(
          client: status.client, handles: status.handles.words,
          live_touches: status.liveTouches, passes: status.passes.words, path: status.path))
    case .waiting(let status):
      waiting.append(
        WaitingReport(
          client: status.client, handles: status.handles.words, passes: status.passes.words,
          path: status.path))
    case .screen(let status): self.screens.append(ScreenReport(status))
    case .lock(let status):
      locks.append(
        LockReport(
          name: status.name, pid: status.pid, remaining_ms: status.remainingMilliseconds))
    case .inhibitor(let status):
      inhibitors.append(InhibitorReport(client: status.client, path: status.path))
    case .signal(let status):
      guard let index = devices.firstIndex(where: { $0.device == status.device.rawValue }) else {
        return
      }
      if let since = status.since {
        devices[index].faults.append(
          FaultReport(
            fault: status.finding.word, seconds: Self.seconds(since: since), text: status.text))
      } else {
        devices[index].filters[status.finding.word] = status.count
      }
    case .device(let status):
      let screen = status.screen.flatMap { index in
        screens.indices.contains(Int(index)) ? screens[Int(index)] : nil
      }
      devices.append(DeviceReport(status, screen: screen))
    }
  }

  private static func seconds(since time: Timestamp) -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let seconds = UInt64(now.tv_sec)
    return seconds - min(seconds, time.microseconds / 1_000_000)
  }

  private mutating func add(_ status: DaemonStatus) {
    configuration = status.configuration
    for counter in DaemonStatus.Counter.allCases { counters[counter.word] = status[counter] }
    generation = status.generation
    latencies = LatencyReport(status.latencies)
    live_touches = status.liveTouches
    pid = status.pid
    uptime_seconds = Self.seconds(since: status.started)
    version = status.version
    views = status.viewCount
    windows = status.windowCount
  }
}

extension StatusReport.ScreenReport {
  fileprivate init(_ status: ScreenStatus) {
    blanker = status.pid == nil ? nil : status.blanker
    name = status.name
    pid = status.pid
    state = status.state?.word ?? "unknown"
  }

  /// For people: `panel: dark; pid 812 (backlight) is its blanker`.
  var text: String {
    let who = pid.map { "; pid \($0) (\(blanker ?? "")) is its blanker" } ?? ""
    return "\(name): \(state)\(who)"
  }
}

extension StatusReport.DeviceReport {
  fileprivate init(_ status: DeviceStatus, screen: String?) {
    device = status.device.rawValue
    flags =
      (status.flags.contains(.grabbed) ? ["grabbed"] : [])
      + (status.flags.contains(.suspended) ? ["suspended"] : [])
      + (status.flags.contains(.ignored) ? ["ignored"] : [])
    id = "\(Text.hexadecimal(status.vendor)):\(Text.hexadecimal(status.product))"
    live_touches = status.liveTouches
    name = status.name
    node = status.node
    self.screen = screen
    touch_count = status.touchCount
  }
}

extension StatusReport.ClientReport {
  fileprivate init(_ status: ClientStatus) {
    client = status.client
    coalesced = status.coalesced
    dropped_samples = status.droppedSamples
    flags =
      (status.flags.contains(.control) ? ["control"] : [])
      + (status.flags.contains(.observer) ? ["observer"] : [])
      + (status.flags.contains(.unresponsive) ? ["unresponsive"] : [])
    gid = status.gid
    live_touches = status.liveTouches
    messages = status.messages
    name = status.name
    pid = status.pid
    queued_bytes = status.queuedBytes
    uid = status.uid
    unread_bytes = status.unreadBytes
  }
}
