import TouchClient

/// A connection to the daemon, and what pages are told of it. With the connection's end it is over:
/// another daemon gets another one.
final class InspectedDaemon {
  private let daemon: Daemon
  private let recorder: Recorder
  private let lines: NewLines
  private var ring: RecordRing
  private var fingers: PageFingers

  /// What a page that comes is told of what was: microseconds, and bytes.
  private static let history: (duration: UInt64, size: Int) = (60_000_000, 2 << 20)

  /// Lines of a record that are not told yet.
  private final class NewLines {
    var items: [RecordedItem] = []
  }

  /// Connects, and begins to observe.
  init(_ socket: SocketOption) throws {
    let daemon = try Daemon(.control, path: socket.socket, output: Output())
    let lines = NewLines()
    let recorder = Recorder(daemon) { lines.items.append($0) }
    let (layout, time) = try recorder.begin()
    ring = RecordRing(
      duration: Self.history.duration, sizeLimit: Self.history.size, layout, at: time)
    fingers = PageFingers(daemon)
    (self.daemon, self.recorder, self.lines) = (daemon, recorder, lines)
  }

  /// From now on reads what the server says, wherever it waits for the daemon.
  func hear(_ server: InspectorServer) { daemon.watch(server.descriptor) { server.read() } }

  /// Waits until the daemon or a page says something, or for a moment of CLOCK_MONOTONIC, in
  /// nanoseconds; whether that has come.
  func wait(until due: UInt64) throws -> Bool { try recorder.next(until: due) }

  /// What has happened: lines of a record.
  func takeLines() -> [String] {
    defer { lines.items.removeAll(keepingCapacity: true) }
    for item in lines.items { ring.add(item) }
    return lines.items.map(\.text)
  }

  /// What a page must know that has come, or, where it has missed lines, what is so now: a record.
  func record(ofNow isOfNow: Bool) throws -> String {
    let record = isOfNow ? ring.present : ring.record
    let header = try recorder.header(record.layout, at: record.time)
    return ([header] + record.lines).joined(separator: "\n")
  }

  /// What the daemon counts.
  func status() throws -> StatusReport { try StatusReport(daemon, others: recorder.hold) }

  /// Moves the finger that is the mouse of one of the pages that are there.
  func move(_ json: [UInt8], of pages: Set<UInt32>) throws {
    try fingers.move(json, of: pages, others: recorder.hold)
  }

  /// A page is gone.
  func leave(_ page: UInt32) { fingers.leave(page, others: recorder.hold) }
}
