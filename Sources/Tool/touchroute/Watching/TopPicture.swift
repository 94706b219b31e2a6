import LayoutDrawing
import TouchClient
import TouchModel

/// The lines of `touchroute top`: the daemon's state, and what changed since the picture before.
struct TopPicture {
  /// The state, and when it was asked for, in nanoseconds.
  struct Sample {
    let report: StatusReport
    let time: UInt64
  }

  private let report: StatusReport
  /// The picture before; nil for the first.
  private let before: Sample?
  private let seconds: Double
  private let columns: Int

  /// The smallest terminal that has room for it.
  static let smallest = Terminal.Size(columns: 80, rows: 24)

  /// - Parameter columns: how wide a line may be.
  init(_ sample: Sample, since before: Sample?, columns: Int) {
    report = sample.report
    self.before = before
    seconds = before.map { Double(sample.time - $0.time) / 1_000_000_000 } ?? 0
    self.columns = columns
  }

  /// All of it.
  ///
  /// - Parameters:
  ///   - touches: those that are observed; nil where none are.
  ///   - rows: the most lines; what has no room is counted.
  func lines(_ touches: [TouchTable.Touch]?, rows: Int, footer: String?) -> [String] {
    let devices = section("TOUCHSCREENS", report.devices.map(line), "no touchscreen", rows: 4)
    let shown = touches.map { touches in
      section("TOUCHES", touches.map(line), "no touch yet", rows: min(rows, 7))
    }
    let others = head.count + devices.count + (shown?.count ?? 0) + (footer == nil ? 0 : 1)
    let programs = section(
      programTitle, programsByNeed.map(line), "no program is connected",
      rows: rows == .max ? .max : rows - others)
    let body = head + devices + programs + (shown ?? [])
    let blanks = rows == .max ? 0 : max(0, rows - body.count - (footer == nil ? 0 : 1))
    return
      (body + Array(repeating: "", count: footer == nil ? 0 : blanks)
      + (footer.map { [$0] } ?? []))
      .map { TextColumns.cut($0, to: columns) }
  }

  /// What is shown where there is no room for it.
  static func small(_ size: Terminal.Size) -> [String] {
    let text =
      "the terminal has \(size.columns) by \(size.rows) characters, and this needs "
      + "\(smallest.columns) by \(smallest.rows)"
    return [TextColumns.cut(text, to: size.columns)]
  }

  private var head: [String] {
    let live = Text.count(report.live_touches, "touch", "touches")
    let began = counted(.began)
    let latencies = before.map { report.latencies.since($0.report.latencies) } ?? report.latencies
    let discarded = DaemonStatus.Counter.allCases.filter { $0.discardReason != nil }
    return [
      "touchrouted \(report.version), pid \(report.pid), up "
        + "\(Text.duration(seconds: report.uptime_seconds)), configuration \(report.configuration)",
      "touches   \(live) live, \(began) began, \(counted(.cancelled)) cancelled, "
        + "\(counted(discarded)) for no program",
      "frames    \(counted(.frames)), \(counted(.coalesced)) merged, "
        + "\(counted(.droppedSamples)) samples dropped",
      "latency   \(latencies.frames == 0 ? "no frame was sent" : latencies.shares(below: "<"))",
      "",
    ]
  }

  /// How often in a second since the picture before; in the first picture, how often at all.
  private func counted(_ counters: [DaemonStatus.Counter]) -> String {
    let count = sum(counters, report)
    guard let before, seconds > 0 else { return "\(count)" }
    return rate(count, sum(counters, before.report))
  }

  private func counted(_ counter: DaemonStatus.Counter) -> String { counted([counter]) }

  private func sum(_ counters: [DaemonStatus.Counter], _ report: StatusReport) -> UInt64 {
    counters.map { report.counters[$0.word] ?? 0 }.total
  }

  private func rate(_ count: UInt64, _ before: UInt64) -> String {
    let rate = Double(count - min(count, before)) / seconds
    return "\(Text.number(rate >= 10 ? rate.rounded() : (rate * 10).rounded() / 10))/s"
  }

  private func section(
    _ title: String, _ lines: [String], _ none: String, rows: Int
  ) -> [String] {
    guard !lines.isEmpty else { return ["\(title)", "  \(none)"] }
    guard lines.count > rows - 1 else { return [title] + lines }
    let shown = lines.prefix(max(0, rows - 2))
    return [title] + shown + ["  and \(lines.count - shown.count) more"]
  }

  private func line(_ device: StatusReport.DeviceReport) -> String {
    let screen = device.flags.contains("ignored") ? "" : device.screen ?? "on no screen"
    return "  \(TextColumns.fill(device.name, 24)) \(TextColumns.fill(device.node, 18)) "
      + "\(TextColumns.fill(screen, 10)) \(device.live_touches) live "
      + device.flags.joined(separator: ", ")
  }

  private func line(_ touch: TouchTable.Touch) -> String {
    let place = touch.location.map(Text.point) ?? "in a secure view"
    let names = touch.programs.map { pid in
      report.clients.first { $0.pid == pid }.map { "\($0.name)" } ?? "pid \(pid)"
    }
    let fate =
      touch.discardReason.map { "no program: \(Explanation.words($0))" }
      ?? names.joined(separator: ", ")
    return "  \(TextColumns.fill("\(touch.id.rawValue)", 5, right: true)) "
      + "\(TextColumns.fill(touch.phase.word, 9)) \(TextColumns.fill(place, 16)) "
      + "\(TextColumns.fill(touch.target, 18)) \(fate)"
  }

  private var programTitle: String {
    let count = before == nil ? "SENT" : "SENT/S"
    let titles = ["TOUCHES", count, "QUEUED", "UNREAD", "MERGED"]
    return TextColumns.fill("PROGRAMS", 16) + TextColumns.fill("PID", 8, right: true)
      + titles.map { TextColumns.fill($0, 8, right: true) }.joined() + "  HOLDS"
  }

  /// Those that do not read first, then the busiest.
  private var programsByNeed: [StatusReport.ClientReport] {
    func need(_ client: StatusReport.ClientReport) -> (Int, UInt32, UInt64) {
      (
        client.flags.contains("unresponsive") ? 1 : 0,
        client.queued_bytes &+ client.unread_bytes, messages(client)
      )
    }
    // Of equal ones, in the order of their names.
    return report.clients.enumerated().sorted { one, other in
      let (a, b) = (need(one.element), need(other.element))
      return a == b ? one.offset < other.offset : a > b
    }.map(\.element)
  }

  /// Since the picture before.
  private func messages(_ client: StatusReport.ClientReport) -> UInt64 {
    let earlier = before?.report.clients.first { $0.client == client.client }?.messages ?? 0
    return client.messages - min(client.messages, earlier)
  }

  private func line(_ client: StatusReport.ClientReport) -> String {
    let count = messages(client)
    let paths = report.attachments.filter { $0.client == client.client }.map(\.path)
    let numbers = [
      "\(client.live_touches)", before == nil ? "\(count)" : "\(rate(count, 0).dropLast(2))",
      "\(client.queued_bytes)", "\(client.unread_bytes)", "\(client.coalesced)",
    ]
    let state = client.flags.contains("unresponsive") ? "unresponsive: " : ""
    return TextColumns.fill("  \(client.name)", 16)
      + TextColumns.fill("\(client.pid)", 8, right: true)
      + numbers.map { TextColumns.fill($0, 8, right: true) }.joined()
      + "  \(state)\(paths.joined(separator: ", "))"
  }
}
