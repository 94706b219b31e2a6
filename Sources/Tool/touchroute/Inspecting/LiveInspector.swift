import InspectorLink
import TouchClient

/// Lines of a record that are not told yet.
private final class NewLines {
  private var items: [RecordedItem] = []

  func add(_ item: RecordedItem) { items.append(item) }

  /// They, which are then no longer here.
  func take() -> [RecordedItem] {
    defer { items.removeAll(keepingCapacity: true) }
    return items
  }
}

/// Tells pages what the daemon does, and answers them.
final class LiveInspector {
  private let daemon: Daemon
  private let server: InspectorServer
  private let recorder: Recorder
  private let lines: NewLines
  private var ring: RecordRing
  private var drawings = Drawings()
  private var fingers: PageFingers
  private var pages: Set<UInt32> = []

  /// What a page that comes is told of what was: microseconds, and bytes.
  private static let history: (duration: UInt64, size: Int) = (60_000_000, 2 << 20)
  /// Between two states of the daemon, in nanoseconds.
  private static let interval: UInt64 = 1_000_000_000

  init(_ daemon: Daemon, _ settings: InspectorSettings) throws {
    self.daemon = daemon
    server = try InspectorServer(settings)
    fingers = PageFingers(daemon)
    let lines = NewLines()
    self.lines = lines
    recorder = Recorder(daemon) { lines.add($0) }
    let (layout, time) = try recorder.begin()
    ring = RecordRing(
      duration: Self.history.duration, sizeLimit: Self.history.size, layout, at: time)
  }

  func run() throws {
    // It may be asked for something else while that is read: what is said is answered later.
    daemon.watch(server.descriptor) { [server] in try server.read() }
    var due: UInt64 = 0
    while true {
      while let message = server.next() { try take(message) }
      try server.flush()
      let isDue = try recorder.next(until: due)
      for item in lines.take() { tell(item) }
      if isDue {
        if !pages.isEmpty { try tellState() }
        due = MonotonicClock.now + Self.interval
      }
    }
  }

  private func tell(_ item: RecordedItem) {
    ring.add(item)
    if !pages.isEmpty { server.send(InspectorMessage(.line, 0, item.text)) }
  }

  private func tellState() throws {
    let report = try StatusReport(daemon, others: recorder.hold)
    try server.send(
      InspectorMessage(.line, 0, "{\"event\":\"status\",\"status\":\(jsonLine(report))}"))
  }

  private func take(_ message: InspectorMessage) throws {
    switch message.kind {
    case .joined:
      pages.insert(message.number)
      try begin(message)
      try tellState()
    case .left:
      pages.remove(message.number)
      fingers.leave(message.number, others: recorder.hold)
    default:
      let answer = InspectorMessage.answer(to: message) { try self.answer(message) }
      if let answer { server.send(answer) }
    }
  }

  /// Tells a page what it must know: with what was, or, where it has missed lines, what is now.
  private func begin(_ message: InspectorMessage) throws {
    let record = message.body.isEmpty ? ring.record : ring.present
    let header = try recorder.header(record.layout, at: record.time)
    server.send(
      InspectorMessage(
        .record, message.number, ([header] + record.lines).joined(separator: "\n")))
  }

  private func answer(_ message: InspectorMessage) throws -> InspectorMessage? {
    switch message.kind {
    case .metrics:
      let report = try StatusReport(daemon, others: recorder.hold)
      return InspectorMessage(.text, message.number, report.metrics)
    case .input:
      try fingers.move(message.body, others: recorder.hold)
      return InspectorMessage(.json, message.number, "{}")
    default: return try drawings.answer(message)
    }
  }
}
