import ArgumentParser
import Configuration
import Layout
import LayoutDrawing
import TouchModel
import TouchScripts

/// `touchroute play`: plays a record again.
struct Play: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Plays a record again: without a daemon, or as injected touches into a running one.",
    discussion: """
      With --dry it needs no daemon: it runs the daemon's own code with the configuration of \
      --config. It plays what touchscreens, people and programs did, and prints the result.

      With --compare it prints only what differs from the record: touches that hit another view, \
      go to other programs or end differently, and gestures that are new or missing. The exit \
      status is 2 if anything differs. So a day's record tests a new layout. Touches on secure \
      views can't be compared, as a record does not have their places.

      Without --dry its touches are injected into the running daemon, at their own pace, as \
      `touchroute inject` does: whatever programs run now get them. --speed 2 plays twice as fast; \
      --step waits for the Enter key before each frame. The exit status is 2 if a touch went to no \
      program and to no gesture.

      It also plays what `libinput record` (version 1) and evemu wrote of a touchscreen that \
      numbers its contacts (type B), on the screen of --map. With --dry every responder then has a \
      program, as with rehearse. A line about anything but contacts is an error with its number.

      Examples:
        touchroute play --dry --config new.toml --compare friday.jsonl
        touchroute play --speed 2 friday.jsonl
        touchroute play --map panel recording.yml
      """)

  @OptionGroup var socket: SocketOption
  @OptionGroup var configuration: ConfigurationOption

  @Flag(help: "Play it without a daemon.")
  var dry = false

  @Flag(help: "With --dry: print only what differs from the record.")
  var compare = false

  @Flag(help: "With --dry: print lines of JSON.")
  var json = false

  @Option(help: "How fast its touches are injected: 2 is twice as fast.")
  var speed: Double?

  @Flag(help: "Wait for the Enter key before each frame that is injected.")
  var step = false

  @Option(
    help: "The screen for a recording of libinput's or evemu's; by default the first.",
    completion: Completions.screens)
  var map: String?

  @Argument(
    help: "The record, or a recording of libinput's or evemu's; - for a record on standard input.",
    completion: .file(),
    transform: NegativeNumbers.restored)
  var file: String

  func validate() throws {
    if dry, speed != nil || step {
      throw ValidationError("--speed and --step can't be given together with --dry.")
    }
    if !dry, compare || json || configuration.path != nil {
      throw ValidationError("--compare, --json and --config need --dry.")
    }
    if step, speed != nil { throw ValidationError("--speed and --step can't be given together.") }
    if step, file == "-" { throw ValidationError("--step reads the Enter key, so name a file.") }
    guard speed.map({ (0.01...1000).contains($0) }) ?? true else {
      throw ValidationError("--speed must be from 0.01 to 1000.")
    }
  }

  func run() throws {
    let recording = try deviceRecording()
    if recording != nil, compare {
      throw Failure("\(file) does not say what came of its touches, so --compare can't be given")
    }
    if recording == nil, map != nil {
      throw Failure("\(file) is a record, which names its screens: --map is for other recordings")
    }
    guard dry else {
      let injection = RecordInjection(speed: speed ?? 1, isStepped: step)
      if let recording { return try injection.run(recording, on: map, socket) }
      return try injection.run(file, socket)
    }
    let configuration = try configuration.load()
    if let recording { return try play(recording, configuration) }
    let reader = try RecordReader(file: file)
    let (header, layout) = try reader.header()
    let player = try RecordPlayer(configuration, header, layout)
    let output = Output(needsReader: !compare)
    if compare {
      let comparison = RecordComparison(
        header, tapIntervalMilliseconds: UInt64(configuration.touch.tapIntervalMilliseconds))
      try self.compare(reader, player, comparison, output)
    } else {
      try play(reader, player, output)
    }
  }

  /// The recording, where the file is one of a touchscreen.
  private func deviceRecording() throws -> PlayedRecording? {
    guard file != "-", try PlayedRecording.isOne(file: file) else { return nil }
    return try PlayedRecording(file: file)
  }

  private func play(_ recording: PlayedRecording, _ configuration: Configuration) throws {
    let screens = configuration.layout.screens
    let index = map == nil ? 0 : screens.firstIndex { $0.name == map }
    guard let index, screens.indices.contains(index) else {
      let names = screens.map(\.name).joined(separator: ", ")
      throw Failure("there is no screen \"\(map ?? "")\"; the layout has \(names)")
    }
    let player = try RecordPlayer(everybodyIn: configuration)
    let output = Output()
    for frame in recording.lines(on: UInt32(index), size: screens[index].size) {
      for result in try player.play(.frame(frame)) { try print(result, to: output) }
    }
    for result in player.finish() { try print(result, to: output) }
    try output.flush()
  }

  private func warn(_ reader: RecordReader, _ player: RecordPlayer) {
    if reader.isCutOff {
      Failure("\(reader.name):\(reader.number + 1): the last line is not whole, and is left out")
        .report()
    }
    for note in player.notes { Failure("note: \(note)").report() }
  }

  private func compare(
    _ reader: RecordReader, _ player: RecordPlayer, _ comparison: RecordComparison,
    _ output: Output
  ) throws {
    // No move is compared.
    player.tellsMoves = false
    while let line = try reader.next() {
      comparison.record(line)
      do { comparison.played(try player.play(line)) } catch {
        throw reader.failure(error.sentence)
      }
      for difference in comparison.takeDifferences() { try print(difference, to: output) }
    }
    comparison.played(player.finish())
    comparison.finish()
    for difference in comparison.takeDifferences() { try print(difference, to: output) }
    let counts = comparison.counts
    try output.line(json ? jsonLine(counts) : counts.words)
    try output.flush()
    warn(reader, player)
    if counts.differing_touches + counts.differing_gestures > 0 { throw ExitCode(2) }
  }

  private func print(_ difference: RecordDifference, to output: Output) throws {
    try output.line(json ? jsonLine(difference) : difference.words)
  }

  private func play(_ reader: RecordReader, _ player: RecordPlayer, _ output: Output) throws {
    while let line = try reader.next() {
      do {
        for result in try player.play(line) { try print(result, to: output) }
      } catch let error as ScriptError { throw reader.failure(error.sentence) }
    }
    for result in player.finish() { try print(result, to: output) }
    try output.flush()
    warn(reader, player)
  }

  /// What came of a line: in JSON as a line of a record.
  private func print(_ line: RecordLine, to output: Output) throws {
    switch line {
    case .frame(let frame) where json: try output.line(jsonLine(frame))
    case .gesture(let event) where json: try output.line(jsonLine(event))
    case .frame(let frame): for words in frame.words { try output.line(words) }
    case .gesture(let event): if let words = event.words { try output.line(words) }
    case .header, .layout, .attached, .event: break
    }
  }
}

extension RecordComparison.Counts {
  /// In a sentence or two.
  fileprivate var words: String {
    var words =
      "\(differing_touches) of \(Text.count(touches, "touch", "touches")) and "
      + "\(differing_gestures) of \(Text.count(gestures, "gesture event")) differ"
    if secure_touches > 0 {
      words +=
        "; \(Text.count(secure_touches, "touch", "touches")) on secure views can't be compared"
    }
    if uncertain_touches > 0 {
      words +=
        "; \(Text.count(uncertain_touches, "touch", "touches")) can't be compared, as the record "
        + "does not have all of them"
    }
    if lost > 0 { words += "; \(Text.count(lost, "message")) of the record were lost" }
    return words
  }
}

extension RecordedFrame {
  /// Its touches that begin or are over, for people.
  fileprivate var words: [String] {
    touches.compactMap { touch in
      let place = touch.at.map { " at (\(Text.number($0[0])), \(Text.number($0[1])))" } ?? ""
      let start = "\(Text.seconds(Timestamp(microseconds: time_us)))  touch \(touch.id)"
      switch touch.phase {
      case "began":
        let gets = (touch.chain ?? []).filter { $0.phases?.isEmpty == false }.map(\.path)
        let fate =
          touch.discard_reason.map { "no program gets it: \($0)" }
          ?? "goes to who holds \(gets.joined(separator: ", "))"
        return "\(start) began\(place), hit \(touch.target ?? "nothing"): \(fate)"
      case "ended": return "\(start) ended\(place)"
      case "cancelled": return "\(start) was cancelled: \(touch.cancel_reason ?? "?")"
      default: return nil
      }
    }
  }
}

extension RecordedGestureEvent {
  /// For people; nil where nothing has come of the recognizer.
  fileprivate var words: String? {
    switch state {
    case "recognized", "began", "ended", "cancelled":
      let reason = cancel_reason.map { ": \($0)" } ?? ""
      return "\(Text.seconds(Timestamp(microseconds: time_us)))  \(path) \(state)\(reason)"
    default: return nil
    }
  }
}
