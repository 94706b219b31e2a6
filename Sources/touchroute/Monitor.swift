import ArgumentParser
import TouchClient
import TouchModel

/// `touchroute monitor`: every touch as it is routed.
struct Monitor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints every touch as it is routed: where it went, and why.",
    discussion: """
      Needs the control socket. A touch that begins is followed by the responders that were asked, \
      from its target up, and what became of it at each. Moves are left out unless --moves is given.

      Examples:
        touchroute monitor
        touchroute monitor --moves --json
      """)

  @OptionGroup var socket: SocketOption

  @Flag(help: "Print moves too.")
  var moves = false

  @Flag(help: "Print a line of JSON for each frame.")
  var json = false

  func run() throws {
    let output = Output()
    let daemon = try Daemon(.control, path: socket.socket, output: output)
    var devices = DeviceNames()
    try daemon.ask({ connection throws(TouchClientError) in try connection.status() }) { event in
      if case .status(_, .device(let device)) = event { devices.add(device) }
    }
    // Not waited for alone: frames may come along with its answer.
    _ = try daemon.asked { () throws(TouchClientError) in try daemon.connection.observe() }
    while true {
      var isNew = false
      try daemon.next { event in
        switch event {
        case .observed(let frame):
          isNew = isNew || !devices.has(frame.device)
          try print(frame, devices, to: output)
        case .status(_, .device(let device)): devices.add(device)
        case .failed(let failure): throw Failure(failure)
        default: break
        }
      }
      if isNew {
        // It was plugged in after we asked. The answer comes along with what is observed.
        _ = try daemon.asked { () throws(TouchClientError) in try daemon.connection.status() }
      }
    }
  }

  private func print(
    _ frame: Observation, _ devices: DeviceNames, to output: Output
  ) throws(Failure) {
    let records = frame.records.filter { moves || $0.phase != .moved }
    guard !records.isEmpty else { return }
    if json {
      let report = ObservedFrame(frame, records, device: devices.name(frame.device))
      return try output.line(jsonLine(report))
    }
    for record in records {
      for line in lines(record, of: frame, devices.name(frame.device)) { try output.line(line) }
    }
  }

  private func lines(
    _ record: Observation.Record, of frame: Observation, _ device: String
  ) -> [String] {
    var parts = [
      Text.seconds(frame.time), device, "touch \(record.id.rawValue)", record.phase.word,
      record.screenLocation.map(Text.point) ?? "(secure)",
    ]
    if !record.targetPath.isEmpty { parts.append(record.targetPath) }
    if record.tapCount > 1 { parts.append("tap \(record.tapCount)") }
    if let reason = record.cancelReason { parts.append("because \(reason.word)") }
    if let reason = record.discardReason { parts.append("discarded: \(reason.word)") }
    var lines = [(parts + record.flags.words).joined(separator: "  ")]
    for link in record.chain { lines.append("    \(link.path): \(text(link))") }
    let left = Int(record.chainTotal) - record.chain.count
    if left > 0 { lines.append("    and \(left) more") }
    return lines
  }

  private func text(_ link: Observation.Link) -> String {
    let holder = link.pid.map { "pid \($0)" } ?? "its program"
    return switch link.outcome {
    case .noClient: "no program holds it"
    case .delivered: "\(holder) gets \(link.phases.words.joined(separator: ", "))"
    case .notHandled: "\(holder) handles none of the phases that reached it"
    case .unresponsive: "\(holder) is unresponsive"
    case .declined: "\(holder) declined"
    case nil: "an outcome that this version does not know"
    }
  }
}

/// What devices are called, by their numbers.
struct DeviceNames {
  private var names: [DeviceID: String] = [:]

  mutating func add(_ device: DeviceStatus) { names[device.device] = device.name }

  func has(_ device: DeviceID) -> Bool { names[device] != nil }

  func name(_ device: DeviceID) -> String { names[device] ?? "device \(device.rawValue)" }
}
