import ArgumentParser
import LayoutDrawing
import TouchClient
import TouchModel

/// `touchroute monitor`: every touch as it is routed.
struct Monitor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Prints every touch as it is routed: where it went, and why.",
    discussion: """
      Needs the control socket. After a touch that begins come the responders that were asked, \
      from the view that was hit up, and what happened at each. It prints moves only with --moves.

      With --why it prints only beginnings: the path from the window to the view that was hit, the \
      program behind each responder, and why no program got the touch if none did.

      For gestures it prints which recognizers take part, which one won and who hears of it, why \
      others failed, and when each is possible again. It also prints which take no part because no \
      program would hear of them.

      A touchscreen may have filters (see [[device]] of the configuration). Then it prints which \
      filter has dropped or changed what. With --moves it prints the point that the touchscreen \
      reported, too, where a filter has moved it.

      With paths it prints only touches that hit one of these or a view in one, touches for which \
      one of these was asked, and their gestures.

      Examples:
        touchroute monitor
        touchroute monitor --why
        touchroute monitor --moves --json
        touchroute monitor --why home/list
      """)

  @OptionGroup var socket: SocketOption

  @Flag(help: "Print moves too.")
  var moves = false

  @Flag(help: "Print a line of JSON for each frame.")
  var json = false

  @Flag(help: "Explain each touch that begins and each gesture, and nothing else.")
  var why = false

  /// So many events wait for names; beyond that they are printed without names.
  private static let patience = 10_000

  @Argument(
    help: "Print only touches and gestures of these responders, and of the views in them.",
    completion: Completions.responders)
  var paths: [String] = []

  func validate() throws {
    if why, json || moves {
      throw ValidationError("--why can't be given together with --json or --moves.")
    }
  }

  func run() throws {
    let output = Output()
    let daemon = try Daemon(.control, path: socket.socket, output: output)
    var filter = ObservationFilter(paths)
    try filter.requireResponders(daemon)
    var names = ObservedNames()
    var raw = RawPoints()
    try daemon.ask({ connection throws(TouchClientError) in try connection.status() }) { event in
      if case .status(_, let item) = event { names.add(item) }
    }
    // Not waited for alone: frames may come along with its answer.
    _ = try daemon.asked { () throws(TouchClientError) in try daemon.connection.observe() }
    // What speaks of somebody who came after we asked, and what is behind it, until it is answered.
    var held: [TouchEvent] = []
    var asked: Serial?
    func printHeld() throws {
      for event in held { try print(event, &filter, &raw, names, daemon.screens, to: output) }
      held.removeAll(keepingCapacity: true)
    }
    while true {
      try daemon.next { event in
        switch event {
        case .observed, .observedGesture, .observedSignal:
          held.append(event)
          if held.count == 1 && names.has(event) || held.count == Self.patience { try printHeld() }
        case .status(_, let item): names.add(item)
        case .done(let completion) where completion.serial == asked:
          try printHeld()
          asked = nil
        case .failed(let failure): throw Failure(failure)
        default: break
        }
      }
      if !held.isEmpty, asked == nil {
        asked = try daemon.asked { () throws(TouchClientError) in
          try daemon.connection.status()
        }
      }
    }
  }

  private func print(
    _ event: TouchEvent, _ filter: inout ObservationFilter, _ raw: inout RawPoints,
    _ names: ObservedNames, _ screens: [Welcome.Screen], to output: Output
  ) throws(Failure) {
    switch event {
    case .observed(var frame):
      frame.records.removeAll { !filter.wants($0) }
      try print(frame, raw, names, screens, to: output)
      raw.forget(frame)
    case .observedSignal(let signal):
      raw.note(signal)
      if filter.wants(signal) { try print(signal, names, screens, to: output) }
    case .observedGesture(let gesture):
      if filter.wants(gesture) { try print(gesture, names, to: output) }
    default: break
    }
  }

  private func print(
    _ signal: ObservedSignal, _ names: ObservedNames, _ screens: [Welcome.Screen],
    to output: Output
  ) throws(Failure) {
    if signal.finding == .smoothed {
      // People see it with the move.
      guard moves, json else { return }
    }
    let device = names.device(signal.device)
    if json { return try output.line(jsonLine(ObservedSignalReport(signal, device: device))) }
    let explanation = Explanation(programs: names.programs, screens: screens)
    try output.line(explanation.line(signal, device: device))
  }

  private func print(
    _ frame: Observation, _ raw: RawPoints, _ names: ObservedNames, _ screens: [Welcome.Screen],
    to output: Output
  ) throws(Failure) {
    let device = names.device(frame.device)
    let explanation = Explanation(programs: names.programs, screens: screens)
    if why {
      for record in frame.records {
        for line in explanation.lines(record, at: frame.time, device: device) {
          try output.line(line)
        }
      }
      return
    }
    let records = frame.records.filter { moves || $0.phase != .moved }
    guard !records.isEmpty else { return }
    if json {
      let report = ObservedFrame(frame, records, device: device)
      return try output.line(jsonLine(report))
    }
    for record in records {
      for line in lines(record, of: frame, device, raw, explanation) { try output.line(line) }
    }
  }

  private func print(
    _ gesture: ObservedGesture, _ names: ObservedNames, to output: Output
  ) throws(Failure) {
    if json { return try output.line(jsonLine(ObservedGestureReport(gesture))) }
    let explanation = Explanation(programs: names.programs, screens: [])
    try output.line(explanation.line(gesture))
  }

  private func lines(
    _ record: Observation.Record, of frame: Observation, _ device: String, _ raw: RawPoints,
    _ explanation: Explanation
  ) -> [String] {
    var parts = [
      Text.seconds(frame.time), device, "touch \(record.id.rawValue)", record.phase.word,
      record.screenLocation.map(Text.point) ?? "(secure)",
    ]
    if let point = raw.point(of: record) { parts.append("reported \(Text.point(point))") }
    if !record.targetPath.isEmpty { parts.append(record.targetPath) }
    if record.tapCount > 1 { parts.append("tap \(record.tapCount)") }
    if let reason = record.cancelReason { parts.append("because \(Text.words(reason))") }
    if let fate = explanation.lack(of: record) { parts.append(fate) }
    // That it is injected its device says.
    var lines = [(parts + record.flags.subtracting(.injected).words).joined(separator: "  ")]
    lines += record.chain.map { link in
      "    \(link.path): \(explanation.outcome(link, in: record))"
    }
    let left = Int(record.chainTotal) - record.chain.count
    if left > 0 { lines.append("    and \(left) more") }
    return lines
  }
}
