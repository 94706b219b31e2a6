import ArgumentParser
import Glibc
import TouchModel
import TouchScripts

/// `touchroute record`: keeps what happens in a file.
struct Record: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Keeps what happens to touches in a file, to look at it and to play it again.",
    discussion: """
      Needs the control socket. The file has a line of JSON for each thing that happens: the \
      layout and its changes, every frame of a touchscreen, who gets which touch and why, \
      gestures, and who attaches and goes. docs/record.md describes it. Touches on secure views \
      have no place in it. Only you can read the file: it says where people touch.

      It runs until Ctrl-C. The file always ends with a whole line. If this program does not keep \
      up, the daemon does not wait: a line says how many messages are missing.

      With --device it keeps instead what a touchscreen itself reports, as libinput record does: \
      libinput replay plays that on any machine, and so do play and doctor --replay. It needs the \
      right to open the device's node and no daemon. Such a file has all places, also on secure \
      views.

      With --last it keeps the latest lines in memory, 64 MiB at most. It writes them at SIGUSR1, \
      and with --on-cancel as soon as a touch is cancelled for that reason, but one file in the \
      time of --last. The first file has the name given, later ones have a number added; so \
      has the first if there is a file of that name.

      Examples:
        touchroute record friday.jsonl
        touchroute record --last 60s --on-cancel client_unresponsive stuck.jsonl
        kill -USR1 $(pidof touchroute)
        touchroute record --device /dev/input/event4 panel.yml
      """)

  @OptionGroup var socket: SocketOption

  @Option(
    help: "Keep that much in memory, such as 60s or 5m, and write it when asked to.",
    transform: Record.duration)
  var last: UInt64?

  @Option(
    help: "With --last: write when a touch is cancelled for this reason. May be given again.",
    completion: .list(CancelReason.allCases.map(\.word)))
  var onCancel: [String] = []

  @Option(
    help: "Record what this touchscreen reports: its node, its name, or its vendor and product.",
    completion: .file())
  var device: String?

  @Argument(
    help: "The file to make; - for standard output.",
    completion: .file(),
    transform: NegativeNumbers.restored)
  var file: String

  func validate() throws {
    if device != nil, last != nil {
      throw ValidationError("--device and --last can't be given together.")
    }
    if last == nil, !onCancel.isEmpty {
      throw ValidationError("--on-cancel needs --last, which says how much is written.")
    }
    if last != nil, file == "-" {
      throw ValidationError("--last needs the name of a file: it may write several.")
    }
    for word in onCancel { _ = try Self.reason(word) }
  }

  func run() throws {
    if let device { return try DeviceRecorder(device, socket).record(to: file) }
    let daemon = try Daemon(.control, path: socket.socket, output: Output(needsReader: false))
    if let last { return try keep(last, daemon) }
    let file = try RecordFile(file)
    let recorder = Recorder(daemon) { try file.line($0.text) }
    let (layout, time) = try recorder.begin()
    try file.line(recorder.header(layout, at: time))
    try file.flush()
    var isToEnd = false
    daemon.watch(try AwaitedSignals(AwaitedSignals.endings)) { _ in isToEnd = true }
    while !isToEnd {
      try recorder.next()
      try file.flush()
    }
    // A daemon that has stopped has told all.
    try? recorder.catchUp()
    try file.flush()
  }

  /// Keeps the latest lines, and writes them when that is asked for.
  private func keep(_ duration: UInt64, _ daemon: Daemon) throws {
    let wanted = try Set(onCancel.map(Self.reason))
    // When a file is due, in nanoseconds. A program that has touches cancelled again and again must
    // not fill the disk: a further cancel's file waits until it shares nothing with the one before.
    var due: UInt64?
    var earliest: UInt64 = 0
    daemon.watch(try AwaitedSignals([SIGUSR1])) { _ in due = 0 }
    var ring: RecordRing?
    let recorder = Recorder(daemon) { item in
      ring?.add(item)
      guard due == nil, item.cancels.contains(where: wanted.contains) else { return }
      due = max(earliest, MonotonicClock.now)
      earliest = (due ?? 0) + duration * 1_000
    }
    let (layout, time) = try recorder.begin()
    ring = RecordRing(duration: duration, layout, at: time)
    var count = 0
    while true {
      if let due { _ = try recorder.next(until: due) } else { try recorder.next() }
      guard let time = due, time <= MonotonicClock.now else { continue }
      try recorder.catchUp()
      guard let record = ring?.record else { continue }
      due = nil
      let header = try recorder.header(record.layout, at: record.time)
      do throws(Failure) {
        let path = try write([header] + record.lines, after: &count)
        Failure("\(record.lines.count) lines are written to \(path)").report()
      } catch { error.report() }
    }
  }

  /// Writes lines to the next file that is not there yet; returns which one that is.
  private func write(_ lines: [String], after count: inout Int) throws(Failure) -> String {
    var path: String
    repeat {
      count += 1
      path = count == 1 ? file : "\(file).\(count)"
    } while RecordFile.isTaken(path)
    let made = try RecordFile(path)
    for line in lines { try made.line(line) }
    try made.flush()
    return path
  }

  private static func reason(_ word: String) throws -> CancelReason {
    if let reason = CancelReason.allCases.first(where: { $0.word == word }) { return reason }
    let words = CancelReason.allCases.map(\.word).joined(separator: ", ")
    throw ValidationError("--on-cancel must be one of \(words), not '\(word)'.")
  }

  /// Microseconds, of `90`, `60s`, `5m`, `1h` or `500ms`.
  private static func duration(_ text: String) throws -> UInt64 {
    let number = text.prefix { $0.isNumber || $0 == "." }
    let units = ["": 1_000_000.0, "s": 1e6, "ms": 1e3, "m": 60e6, "min": 60e6, "h": 3600e6]
    guard let value = Double(number), let unit = units[String(text.dropFirst(number.count))],
      (1e3...86_400e6).contains(value * unit)
    else {
      throw ValidationError("--last must be a time from 1ms to 24h, such as 60s, not '\(text)'.")
    }
    return UInt64(value * unit)
  }
}
